"""`lottery`, the null model: its draws, its law, and how far that is from the uniform distribution."""

import random
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import pytest
from scipy.stats import chisquare

import swisssim
from swisssim._core import PairingSystem
from swisssim.errors import SwissError
from tests import compiled
from tests.invariants import check_round
from tests.reference import lottery_draws, random_events
from tests.reference.event import Board, Code, Event, NoPairing, Pairing
from tests.reference.lottery import Outcome, law, legal_pairings, total_variation, uniform_law
from tests.reference.matching import Fits


def room(event: Event, **options: object) -> PairingSystem:
    """Return the room with the options of an event."""
    return swisssim.system("lottery", forfeits_count_as_met=event.options.forfeits_count_as_met, **options)


def event_after(players: int, *rounds: Iterable[Board]) -> Event:
    """Return an event in which these boards have been played, everything drawn."""
    event = Event([2400 - i for i in range(players)], players)
    for played in rounds:
        boards = list(played)
        event.record((boards, None), "=" * len(boards))
    return event


def outcome(pairing: Pairing) -> Outcome:
    """Return who meets whom, and the bye."""
    boards, bye = pairing
    return frozenset(frozenset(board) for board in boards), bye


def test_every_draw_is_the_one_of_the_twin() -> None:
    rounds = 0
    for seed in range(150):
        key = random.Random(seed).getrandbits(64)

        def twin(event: Event, key: int = key, number: int = seed) -> Pairing:
            return lottery_draws.pair(event, seed=key, tournament=number)

        for event, expected in random_events.play(twin, seed, most=10):
            state = compiled.state_of(event, seed=key, tournament=seed)
            for budget in (state.node_budget, 0, 3):
                state.node_budget = budget
                assert compiled.answer(room(event), event, state=state) == expected, f"seed {seed}, round {event.round}"
            state = compiled.state_of(event, seed=1, tournament=seed)
            assert compiled.answer(room(event, seed=key), event, state=state) == expected
            rounds += 1
    assert rounds > 600


@pytest.mark.parametrize("seed", range(8))
def test_larger_events_keep_the_invariants_with_every_budget(seed: int) -> None:
    def pair(event: Event) -> Pairing:
        answers = []
        state = compiled.state_of(event, seed=seed)
        for budget, tracing in ((0, False), (30, False), (20_000, False), (20_000, True)):
            state.node_budget, state.tracing = budget, tracing
            answers.append(compiled.answer(room(event), event, state=state))
        assert answers == answers[:1] * 4
        if answers[0] is None:
            raise NoPairing
        return answers[0]

    for event, pairing in random_events.play(pair, seed, fewest=30, most=110):
        if pairing is not None:
            check_round(event, *pairing, system="lottery")


SIX = event_after(6, [(1, 2), (3, 4), (5, 6)], [(1, 3), (2, 5), (4, 6)])
EIGHT = event_after(
    8,
    [(1, 2), (3, 4), (5, 6), (7, 8)],
    [(1, 3), (2, 4), (5, 7), (6, 8)],
    [(1, 5), (2, 3), (4, 6), (7, 8)],
)
FIVE = event_after(5, [(1, 2), (3, 4)], [(1, 3)])
FIVE.history[0][4].code = Code.PAIRING_BYE


@pytest.mark.parametrize("event", [SIX, EIGHT, FIVE], ids=["6 players", "8 players", "5 players"])
def test_drawn_pairings_follow_the_exact_law(event: Event) -> None:
    draws = 6_000
    exact = law(event)
    seen: Counter[Outcome] = Counter()
    whites: Counter[int] = Counter()
    for number in range(draws):
        boards, bye = compiled.pair(room(event), event, state=compiled.state_of(event, seed=5, tournament=number))
        seen[outcome((boards, bye))] += 1
        whites.update(white for white, _ in boards)
    assert set(seen) == set(exact)
    expected = [float(probability) * draws for probability in exact.values()]
    assert chisquare([seen[o] for o in exact], expected).pvalue > 0.001
    games = {p: draws * (1 - float(sum(q for (_, bye), q in exact.items() if bye == p))) for p in event.field}
    for player, played in games.items():
        assert abs(whites[player] - played / 2) < 4 * (played / 4) ** 0.5, f"player {player}"


Games = frozenset[frozenset[int]]


def unmet_in(games: Games) -> Fits:
    """Return the question whether two players have not met in these games."""
    return lambda a, b: frozenset({a, b}) not in games


def possible_games(players: int, rounds: int) -> set[Games]:
    """Return everything that can have been played in so many rounds; the first is 1-2, 3-4, ... without loss of generality."""
    found: set[Games] = {frozenset(frozenset({i, i + 1}) for i in range(1, players, 2))}
    for _ in range(rounds - 1):
        found = {games | pairs for games in found for pairs in legal_pairings(range(1, players + 1), unmet_in(games))}
    return found


def distance(players: int, games: Games) -> Fraction | None:
    """Return the total variation distance to uniform after these games, or None if no pairing is left."""
    event = Event([2400 - i for i in range(players)], players)
    event.forbidden = set(games)
    uniform = uniform_law(event)
    return total_variation(law(event), uniform) if uniform else None


def largest_distance(players: int, rounds: int) -> Fraction:
    """Return the largest distance to uniform that can come about after so many rounds."""
    return max(d for games in possible_games(players, rounds) if (d := distance(players, games)) is not None)


@pytest.mark.parametrize("players", [2, 4, 6, 8])
def test_first_round_is_exactly_uniform(players: int) -> None:
    assert distance(players, frozenset()) == 0


@pytest.mark.parametrize(
    ("rounds", "largest"), [(1, Fraction(0)), (2, Fraction(1, 12)), (3, Fraction(0)), (4, Fraction(0))]
)
def test_six_players_are_within_a_twelfth_of_uniform(rounds: int, largest: Fraction) -> None:
    assert largest_distance(6, rounds) == largest


@pytest.mark.parametrize(
    ("rounds", "largest"),
    [
        (1, Fraction(1, 45)),
        (2, Fraction(686, 7425)),
        pytest.param(3, Fraction(5, 72), marks=pytest.mark.slow),
        pytest.param(4, Fraction(2, 15), marks=pytest.mark.slow),
        pytest.param(5, Fraction(0), marks=pytest.mark.slow),
    ],
)
def test_eight_players_are_within_two_fifteenths_of_uniform(rounds: int, largest: Fraction) -> None:
    assert largest_distance(8, rounds) == largest


def test_odd_field_is_further_from_uniform() -> None:
    """The bye is drawn first, whatever number of pairings it leaves: five players, two rounds played."""
    assert total_variation(law(FIVE), uniform_law(FIVE)) == Fraction(1, 6)


def test_bye_goes_to_nobody_who_had_a_point_without_playing_or_whom_the_others_need() -> None:
    """Five players: 1 had a full-point bye, and 2 has met everybody but 1."""
    event = Event([2400 - i for i in range(5)], 5)
    event.absent = {1: Code.FULL_BYE, 5: Code.ZERO_BYE}
    event.record(([(2, 3)], 4), "=")
    event.record(([(2, 4), (3, 1)], 5), "==")
    event.record(([(2, 5), (1, 4)], 3), "==")
    assert set(law(event)) == {(frozenset({frozenset({1, 5}), frozenset({3, 4})}), 2)}
    for number in range(20):
        state = compiled.state_of(event, tournament=number)
        state.tracing = True
        boards, bye = compiled.pair(room(event), event, state=state)
        check_round(event, boards, bye, system="lottery")
        assert bye == 2
        assert {(1, p, -1, 5) for p in (0, 2, 3, 4)} <= set(state.events())
        assert {article for article, *_ in state.events()} == set(room(event).ARTICLES)


def test_seed_of_the_option_and_of_the_study() -> None:
    event = event_after(8)
    own = [compiled.pair(room(event, seed=s), event) for s in range(20)]
    assert own == [compiled.pair(room(event), event, state=compiled.state_of(event, seed=s)) for s in range(20)]
    assert len({str(pairing) for pairing in own}) > 15


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", True])
def test_wrong_seed_is_named(seed: object) -> None:
    with pytest.raises(SwissError, match=r"seed .*whole number from 0 to 2\*\*64 - 1"):
        swisssim.system("lottery", seed=seed)
