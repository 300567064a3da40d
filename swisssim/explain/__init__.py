"""Why a pairing is as it is: the trace of a pairing system in words, with the facts that it rests on."""

from swisssim.explain._explanation import Explanation, explain
from swisssim.explain._facts import Opponent, PlayerFacts, Position
from swisssim.explain._steps import Refusal, Step

__all__ = ["Explanation", "Opponent", "PlayerFacts", "Position", "Refusal", "Step", "explain"]
