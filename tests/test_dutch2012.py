"""The `dutch2012` room: golden tournaments, the slow twin, both ways of pairing a bracket, and each special rule by hand."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

import swisssim
from swisssim._core import pair_one
from tests import compiled, golden
from tests.reference import dutch2012 as twin
from tests.reference.bare_events import bare_event, rule_5_event
from tests.reference.dutch_order import literal_order
from tests.reference.dutch_random import artificial_event, play
from tests.reference.event import Code, Entry, Event, NoPairing, Pairing
from tests.reference.random_events import play as play_common

KIND = swisssim.SYSTEMS["dutch2012"]
EXACT, USUAL = 0, None


def answer(event: Event, budget: int | None = USUAL) -> Pairing | None:
    """Pair with the compiled room; None if no pairing exists. With budget EXACT every bracket is matched by weight."""
    state = compiled.state_of(event)
    if budget is not None:
        state.node_budget = budget
    return compiled.answer(system(event), event, state=state)


def system(event: Event) -> swisssim.PairingSystem:
    return swisssim.system("dutch2012", forfeits_count_as_met=event.options.forfeits_count_as_met)


def by_twin(event: Event) -> Pairing | None:
    try:
        return twin.pair(event)
    except NoPairing:
        return None


def check(event: Event) -> Pairing | None:
    """Assert that twin and room agree, both ways, and return the pairing."""
    expected = by_twin(event)
    assert answer(event) == answer(event, EXACT) == expected
    return expected


# ---- golden tournaments, random and artificial events


@pytest.mark.parametrize("tournament", golden.tournaments("dutch2012"), ids=lambda tournament: tournament.name)
def test_golden(tournament: golden.GoldenTournament) -> None:
    for event, expected in golden.replay(tournament):
        assert answer(event) == expected.pairing, f"round {event.round}"
        assert answer(event, EXACT) == expected.pairing, f"round {event.round}, exact"


def compare_played(seeds: Iterable[int], *, most: int) -> int:
    """Play events paired by the twin; the room has to give the same in every round, both ways."""
    rounds = 0
    for seed in seeds:
        for event, pairing in play(twin.pair, seed, most=most):
            assert answer(event) == answer(event, EXACT) == pairing, f"seed {seed}, round {event.round}"
            rounds += 1
    return rounds


def compare_artificial(seeds: Iterable[int], *, most: int) -> tuple[int, int]:
    """Compare positions that no rule led to; return how many have a pairing and how many none."""
    found = [check(artificial_event(seed, most=most)) is not None for seed in seeds]
    return sum(found), len(found) - sum(found)


@pytest.mark.parametrize("start", range(0, 400, 40))
def test_equals_the_twin(start: int) -> None:
    assert compare_played(range(start, start + 40), most=10) > 100


@pytest.mark.parametrize("start", range(0, 2000, 500))
def test_equals_the_twin_in_artificial_positions(start: int) -> None:
    assert min(compare_artificial(range(start, start + 500), most=10)) > 50


@pytest.mark.slow
@pytest.mark.parametrize("start", range(10_000, 20_000, 1000))
def test_equals_the_twin_on_thousands_of_events(start: int) -> None:
    assert compare_played(range(start, start + 1000), most=12) > 4000


@pytest.mark.slow
@pytest.mark.parametrize("start", range(100_000, 150_000, 5000))
def test_equals_the_twin_in_thousands_of_artificial_positions(start: int) -> None:
    assert min(compare_artificial(range(start, start + 5000), most=12)) > 500


def play_both_ways(seed: int, *, fewest: int, most: int) -> int:
    """Play an event too large for the twin and compare the two ways of pairing a bracket."""
    rounds = 0

    def pair(event: Event) -> Pairing:
        nonlocal rounds
        found = answer(event)
        assert found == answer(event, EXACT), f"seed {seed}, round {event.round}"
        rounds += 1
        if found is None:
            raise NoPairing
        return found

    for _ in (play, play_common)[seed % 2](pair, seed, fewest=fewest, most=most):
        pass
    position = artificial_event(seed, fewest=fewest, most=most)
    assert answer(position) == answer(position, EXACT)
    return rounds + 1


@pytest.mark.parametrize("start", range(0, 60, 10))
def test_both_ways_agree(start: int) -> None:
    assert sum(play_both_ways(seed, fewest=13, most=40) for seed in range(start, start + 10)) > 80


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 1400, 100))
def test_both_ways_agree_on_thousands_of_rounds(start: int) -> None:
    assert sum(play_both_ways(seed, fewest=20, most=100) for seed in range(start, start + 100)) > 1000


def tenths(event: Event, rng: random.Random, pairing: Pairing) -> list[str]:
    """Draw results by which the better number wins more often."""
    return ["1" if (white < black) == (rng.random() < 0.7) else rng.choice("=0") for white, black in pairing[0]]


@pytest.mark.parametrize(("players", "rounds"), [(100, 9), (61, 11), (32, 7)])
def test_both_ways_agree_in_regular_events(players: int, rounds: int) -> None:
    rng = random.Random(players)
    event = Event([2400 - 5 * k for k in range(players)], rounds)
    for _ in range(rounds):
        pairing = answer(event)
        assert pairing is not None
        assert pairing == answer(event, EXACT)
        event.record(pairing, tenths(event, rng, pairing))


# ---- the order of candidates


@pytest.mark.parametrize("seed", range(150))
def test_order_of_eight_players(seed: int) -> None:
    """Only the pairs of two candidates are legal: the first of all candidates made of them is taken."""
    rng = random.Random(seed)
    candidates = list(literal_order(8, 4))
    kept = set().union(*rng.sample(candidates, 2))
    expected = next(pairs for pairs in candidates if set(pairs) <= kept)
    barred = [(a, b) for a in range(1, 9) for b in range(a + 1, 9) if (a, b) not in kept]
    found = check(bare_event([10] * 8, barred))
    assert found is not None
    assert {tuple(sorted(board)) for board in found[0]} == set(expected)


def test_exchange_and_its_trace() -> None:
    """1 cannot meet 4, 5 or 6, so someone of S1 = 1, 2, 3 leaves it: 3 for 4."""
    event = bare_event([10] * 6, [(1, 4), (1, 5), (1, 6)])
    assert boards(check(event)) == {(1, 3), (2, 5), (4, 6)}
    assert ("D", 3, 4, reason("exchanged out of S1")) in told(event)


# ---- special rules, by hand


def boards(pairing: Pairing | None) -> set[tuple[int, int]]:
    """Return the pairs of a pairing, smaller number first."""
    assert pairing is not None
    return {(min(board), max(board)) for board in pairing[0]}


def told(event: Event) -> list[tuple[str, int, int, int]]:
    """Return the trace: the article's first words, player, candidate (0: none), reason."""
    state = compiled.state_of(event)
    state.tracing = True
    pair_one(state, system(event), event.round)
    return [(name(article), player + 1, candidate + 1, reason) for article, player, candidate, reason in state.events()]


def name(article: int) -> str:
    """Return the short name of an article: `A1`, `q5`, `rule 4`, `colours 2`, `D`, `the bracket`."""
    words = KIND.ARTICLES[article].replace(",", "").split()
    return " ".join(words[:2]) if words[0] in ("rule", "colours", "the") else words[0]


def reason(part: str) -> int:
    """Return the number of the only reason in whose words a part occurs, or which it is."""
    found = [number for number, words in KIND.REASONS.items() if words == part]
    found = found or [number for number, words in KIND.REASONS.items() if part in words]
    assert len(found) == 1, part
    return found[0]


def whom(event: Event, article: str, part: str) -> list[int]:
    """Return the players of all events with an article and a reason, in order."""
    return [player for one, player, _, why in told(event) if (one, why) == (article, reason(part))]


UNDONE = "in the penultimate bracket, which is undone"
OPENED = "so that the lowest bracket can be completed"
MERGED = "merged with the lowest bracket"
BACK = "its residents stay"
AGAIN = "the previous bracket is paired again"
FURTHER = "no other pairing of the previous bracket"


def test_rule_1_a_single_player_left_over() -> None:
    event = bare_event([20, 20, 20, 10], [])
    assert boards(check(event)) == {(1, 2), (3, 4)}
    assert whom(event, "rule 1", "floats down") == [3]


def test_rule_2_several_left_over_from_a_homogeneous_bracket() -> None:
    """2, 3 and 4 can meet only 1: two of them float, and the next bracket is paired with them."""
    event = bare_event([20] * 4 + [10] * 4, [(2, 3), (2, 4), (3, 4)])
    assert boards(check(event)) == {(1, 2), (3, 5), (4, 6), (7, 8)}
    assert whom(event, "rule 2", "floats down") == [3, 4]
    assert whom(event, "the bracket", "moved down into the lowest bracket") == [3, 4]


def test_rule_2_several_left_over_from_a_heterogeneous_bracket() -> None:
    """The MDP 1 is paired first, then the rest of 2-5, of whom none can meet another; all three float on."""
    event = bare_event([30] + [20] * 4 + [10] * 3, [(a, b) for a in (2, 3, 4, 5) for b in (2, 3, 4, 5) if a < b])
    assert boards(check(event)) == {(1, 2), (3, 6), (4, 7), (5, 8)}
    assert whom(event, "rule 2", "floats down") == [3, 4, 5]


def test_rule_3_players_without_an_opponent_are_set_aside() -> None:
    """1 can meet nobody of his bracket; positions are counted without him: 2-4, 3-5."""
    event = bare_event([20] * 5 + [10], [(1, k) for k in (2, 3, 4, 5)])
    assert boards(check(event)) == {(2, 4), (3, 5), (1, 6)}
    assert whom(event, "rule 3", "set aside") == [1]
    assert whom(event, "rule 3", "floats down") == [1]
    assert [(player, other) for article, player, other, _ in told(event) if article == "A1"] == [
        (1, 2), (1, 3), (1, 4), (1, 5),
    ]  # fmt: skip


def test_half_of_the_bracket_moved_down_makes_it_homogeneous() -> None:
    """1 and 2 float to 3 and 4; S1 = 1, 2. With 5 among the residents it is heterogeneous and 1, 2 come first as well."""
    half = bare_event([20, 20, 10, 10], [(1, 2), (1, 3), (2, 4)])
    assert boards(check(half)) == {(1, 4), (2, 3)}
    more = bare_event([20, 20, 10, 10, 10, 0], [(1, 2), (4, 5), (1, 3)])
    assert boards(check(more)) == {(1, 4), (2, 3), (5, 6)}


def test_rule_4_the_penultimate_bracket_is_undone() -> None:
    """5 and 6 cannot meet; 1-3, 2-4 becomes one pair, the first in order after which 5 and 6 have opponents."""
    event = bare_event([20] * 4 + [10] * 2, [(5, 6)])
    assert boards(check(event)) == {(1, 2), (3, 5), (4, 6)}
    assert whom(event, "rule 4", UNDONE) == [1, 2, 3, 4]
    assert whom(event, "rule 4", OPENED) == [3, 4]
    event = bare_event([20] * 4 + [10] * 2, [(5, 6), (3, 5), (3, 6)])
    assert boards(check(event)) == {(1, 3), (2, 5), (4, 6)}
    assert whom(event, "rule 4", OPENED) == [2, 4]


def event_with_colours(scores: list[int], colours: list[str], rounds: int = 9) -> Event:
    """Return a position in which every player met opponents of his own, who are absent now, with given colours."""
    count, done = len(scores), max(map(len, colours))
    event = Event([2000] * count * (1 + done), rounds)
    event.past_scores = [[0] * len(event.ratings)] * done
    for k in range(done):
        entries = [Entry()] * len(event.ratings)
        for player, played in enumerate(colours, 1):
            if k < len(played):
                opponent = count + done * (player - 1) + k + 1
                entries[player - 1] = Entry(Code.DRAW, opponent, played[k])
                entries[opponent - 1] = Entry(Code.DRAW, player, "WB"[played[k] == "W"])
        event.history.append(entries)
    event.absent = dict.fromkeys(range(count + 1, len(event.ratings) + 1), Code.ABSENT)
    points = [event.points(player) for player in event.players]
    event.virtual = [score - own for score, own in zip([*scores, *points[count:]], points, strict=True)]
    return event


def test_rule_4_colours_do_not_dissolve_the_penultimate_bracket() -> None:
    """1-6 all want Black, 7 and 8 White: four of the former would like to float, but as many pairs as possible come first."""
    event = event_with_colours([20] * 6 + [10] * 2, ["W"] * 6 + ["B"] * 2)
    event.forbidden = {frozenset((7, 8))}
    made = boards(check(event))
    assert len([pair for pair in made if max(pair) <= 6]) == 2


def test_rule_4_merged() -> None:
    """1-2 is the only pair of the penultimate bracket, and 3, 4 cannot meet: merged, half of it MDPs."""
    event = bare_event([20, 20, 10, 10], [(3, 4)])
    assert boards(check(event)) == {(1, 3), (2, 4)}
    assert whom(event, "rule 4", UNDONE) == [1, 2]
    assert whom(event, "rule 4", MERGED) == [1, 2]
    assert whom(event, "rule 4", BACK) == []


def test_rule_4_merged_twice() -> None:
    """7 and 8 can meet only 1 and 2: the first merge is not enough, the second is."""
    barred = [(a, b) for a in (3, 4, 5, 6) for b in (7, 8)] + [(7, 8)]
    event = bare_event([30, 30, 20, 20, 20, 20, 10, 10], barred)
    assert boards(check(event)) == {(1, 7), (2, 8), (3, 5), (4, 6)}
    assert whom(event, "rule 4", MERGED) == [3, 4, 5, 6, 1, 2]
    assert whom(event, "rule 4", BACK) == [3, 4, 5, 6]


def test_rule_4_a_failed_merge_opens_the_bracket_above() -> None:
    """As before, with two more at the top: after the failed merge 3-4 stays and 1, 2 float."""
    barred = [(a, b) for a in (3, 4, 5, 6) for b in (7, 8)] + [(7, 8)]
    event = bare_event([30, 30, 30, 30, 20, 20, 10, 10], barred)
    assert boards(check(event)) == {(3, 4), (1, 7), (2, 8), (5, 6)}
    assert whom(event, "rule 4", OPENED) == [1, 2]


def test_rule_4_players_moved_down_go_back_after_a_failed_merge() -> None:
    """3 had floated to 4. 5 and 6 can meet only 1 and 2: after the failed merge only 4 stays in the lowest bracket."""
    barred = [(a, b) for a in (3, 4) for b in (5, 6)] + [(5, 6)]
    event = bare_event([30, 30, 30, 20, 10, 10], barred)
    assert boards(check(event)) == {(1, 5), (2, 6), (3, 4)}
    assert whom(event, "rule 4", UNDONE) == [3, 4, 1, 2, 3]
    assert whom(event, "rule 4", BACK) == [4]


def test_rule_4_nothing_helps() -> None:
    """7 and 8 have met everybody: even the merged top bracket has no complete pairing."""
    event = bare_event([30, 30, 20, 20, 10, 10, 0, 0], [(a, b) for a in range(1, 8) for b in (7, 8) if a < b])
    assert check(event) is None


def test_rule_4a_as_many_players_moved_down_as_can_be() -> None:
    """3 can meet only 1, 2 and 4; the odd one 7 alone may have the bye. Both MDPs meet residents although 1-2 is legal."""
    event = bare_event([20, 20, 10, 10, 10, 10, 10], [(1, 2)], away=Code.HALF_BYE, may_get_bye=(7,))
    assert check(event) == twin.pair(event)
    assert answer(event)[1] == 7  # type: ignore[index]
    assert {(1, 3), (2, 4)} <= boards(answer(event))


def test_rule_5_the_previous_bracket_is_paired_again() -> None:
    """The page's last example: rule 5, then twice 4b with a failed merge between."""
    event = rule_5_event()
    assert check(event) == ([(3, 1), (8, 6), (7, 4), (5, 2)], None)
    assert whom(event, "rule 5", AGAIN) == [3]
    assert whom(event, "rule 4", UNDONE) == [4, 2, 6, 4, 7]
    assert whom(event, "rule 4", BACK) == [2]
    assert whom(event, "rule 4", OPENED) == [6]


def test_rule_5_nothing_helps_and_the_player_floats_further() -> None:
    """1 and 2 cannot meet; nobody but 1 could float from his bracket."""
    event = bare_event([30, 20, 10, 10], [(1, 2)])
    assert boards(check(event)) == {(1, 3), (2, 4)}
    assert whom(event, "rule 5", FURTHER) == [1]
    assert whom(event, "rule 5", AGAIN) == []


def test_rule_5_keeps_the_scores_of_the_floaters() -> None:
    """1 floats to 2, 3; the odd one of that bracket must not be 1 again, unless nobody of his score could take his place."""
    event = bare_event([30, 30, 30, 20, 10, 10], [(3, 4)])
    assert whom(event, "rule 5", AGAIN) == [3]
    assert boards(check(event)) == {(1, 3), (2, 4), (5, 6)}


def without_playing(code: Code, *, against: int) -> Entry:
    """Return a record without a game; a forfeit has an opponent."""
    return Entry(code, against, "W") if code in (Code.FORFEIT_WIN, Code.FORFEIT_LOSS) else Entry(code)


@pytest.mark.parametrize(
    ("code", "floats"),
    [
        (Code.PAIRING_BYE, 2), (Code.HALF_BYE, 2), (Code.FULL_BYE, 2), (Code.FORFEIT_WIN, 2),
        (Code.FORFEIT_LOSS, 3), (Code.ZERO_BYE, 3), (Code.ABSENT, 3),
    ],
)  # fmt: skip
def test_rule_6_points_without_playing_are_a_downfloat(code: Code, floats: int) -> None:
    """3 would float; if the round before counts as a downfloat for him (q7), 2 floats instead."""
    scores = [20, 20, 20, 10]
    event = bare_event(scores, [])
    event.history[0][2] = without_playing(code, against=4)
    event.virtual = [score - event.points(player) for player, score in enumerate(scores, 1)]
    assert boards(check(event)) == {(1, 5 - floats), (floats, 4)}


def test_rule_6_the_bye_and_who_may_not_have_it() -> None:
    event = bare_event([10] * 3, [])
    assert check(event) == ([(1, 2)], 3)
    assert whom(event, "rule 6", "gets the bye") == [3]
    for code in (Code.PAIRING_BYE, Code.HALF_BYE, Code.FULL_BYE, Code.FORFEIT_WIN):
        event.history[0][2] = without_playing(code, against=1)
        event.virtual = [10 - event.points(player) for player in event.players]
        assert check(event) == ([(1, 3)], 2)


@pytest.mark.parametrize(("colours", "white"), [("WWBBB", True), ("BWWW", False), ("WBWBB", True), ("BWWBB", True)])
def test_colour_preference_goes_by_the_difference(colours: str, white: bool) -> None:
    """Whatever the last two colours were: Black too often asks for White."""
    event = event_with_colours([0, 0], [colours, ""])
    assert check(event) == ([(1, 2) if white else (2, 1)], None)


def test_colour_preference_against_the_repeated_colour() -> None:
    """WWWBB: the last two ask for White, but White was had once more: Black, and absolute."""
    event = event_with_colours([0, 0], ["WWWBB", ""])
    assert check(event) == ([(2, 1)], None)


def test_the_trace_ends_with_the_pairing() -> None:
    """Read in order, each bracket as it stood taking its members' pairs back, the trace gives the pairs of the answer."""
    for seed in range(300):
        event = artificial_event(seed, most=12)
        expected = answer(event)
        if expected is None:
            continue
        partner: dict[int, int] = {}
        for article, player, other, why in told(event):
            if article == "the bracket" or (article, why) == ("rule 4", reason(UNDONE)):
                partner.pop(partner.pop(player, 0), None)
            elif (article, why) == ("D", 0):
                partner[player], partner[other] = other, player
        assert {(a, b) for a, b in partner.items() if a < b} == boards(expected), f"seed {seed}"
