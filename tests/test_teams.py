"""Team events: board games, match and game points, byes, in one event and in simulations of every system."""

from __future__ import annotations

import importlib
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import swisssim
from swisssim import Field, Participation, Results, SwissError, Tournament, cli, simulate, tiebreaks, trf
from swisssim._random import Domain, uniforms
from swisssim.byes import metrics as bye_metrics
from swisssim.codes import Code
from swisssim.compare import Plan, compare, load_config
from swisssim.matches import board_probabilities, chances, match_probabilities
from swisssim.metrics import pick
from swisssim.models import Context, model
from swisssim.points import Points, TeamScoring
from swisssim.simulation import Simulation
from tests.adapters import check_results, rounds_from_arrays, worth_of

SYSTEMS = sorted(swisssim.SYSTEMS)
TEAMS = Field.teams(teams=11, boards=4, low=1600, high=2200)
EVERYTHING = Participation(half_bye=0.05, zero_bye=0.05, forfeit=0.1, withdraw=0.03, late=0.1, postpone=0.1, delay=2)


def event(teams: int = 5, rounds: int = 2, **more: Any) -> Tournament:
    return Tournament([2000 - 100 * k for k in range(teams)], rounds, system="amalfi", **{"boards": 4, **more})


def played(system: str = "nordic", field: Field = TEAMS, **more: Any) -> Results:
    return simulate(system, field, **{"rounds": 5, "tournaments": 12, "progress": False, "threads": 1, **more})


# ---------------------------------------------------------------------- what matches and byes are worth


@pytest.mark.parametrize(
    ("teams", "rounds", "team_bye", "match_points", "game_points"),
    [
        (10, 5, "rule", 10, 30),
        (9, 5, "rule", 20, 30),
        (10, 5, "literal", 10, 30),
        (9, 5, "literal", 10, 20),
    ],
)
def test_a_bye_counts_more_in_a_small_field(
    teams: int, rounds: int, team_bye: str, match_points: int, game_points: int
) -> None:
    scoring = TeamScoring.of(6, teams=teams, rounds=rounds, team_bye=team_bye)
    assert scoring is not None
    assert scoring.points().bye == match_points
    assert scoring.unplayed[Code.PAIRING_BYE] == game_points


def test_match_points_are_two_one_nothing_unless_given() -> None:
    scoring = TeamScoring.of(4, teams=20, rounds=7)
    assert scoring is not None
    assert scoring.points() == Points(win=20, draw=10, forfeit_win=20, bye=10, full_bye=20, half_bye=10)
    assert scoring.points({"win": 3, "draw": 1}).bye == 10
    assert scoring.points({"win": 3, "draw": 1, "bye": 2}).bye == 20
    assert scoring.points(Points()).bye == 10
    assert [scoring.unplayed[c] for c in (Code.FORFEIT_WIN, Code.FORFEIT_LOSS, Code.FULL_BYE, Code.HALF_BYE)] == [
        40, 0, 40, 20,
    ]  # fmt: skip
    assert scoring.unplayed[Code.WIN] == scoring.unplayed[Code.POSTPONED] == 0


def test_one_board_is_an_event_of_individuals() -> None:
    assert TeamScoring.of(1, teams=20, rounds=7) is None
    single = played(field=Field.teams(teams=11, boards=1, low=1600, high=2200))
    assert single.game_points is None
    assert single.worth[Code.WIN] == 10
    assert "game_points" not in single.players


@pytest.mark.parametrize("boards", [0, -1, 101, 2.0, True, None])
def test_impossible_boards_are_named(boards: Any) -> None:
    with pytest.raises(SwissError, match=rf"boards is {boards}; it must be a whole number from 1"):
        event(boards=boards)


def test_unknown_reading_of_the_bye_is_named() -> None:
    with pytest.raises(SwissError, match=r"'liberal'.*literal"):
        event(team_bye="liberal")
    with pytest.raises(SwissError, match="give the boards of a match"):
        event(boards=1, team_bye="literal")
    with pytest.raises(SwissError, match="give the boards of a match"):
        played(field=Field.uniform(players=8, low=1, high=2), team_bye="literal")


# ---------------------------------------------------------------------- one event


def test_an_event_by_hand() -> None:
    """Five teams, two rounds: 5 >= 4 teams, so the bye is worth 1 match point and 2 game points."""
    t = event()
    first = t.pair()
    assert first.boards == [(1, 3), (4, 2)]
    assert first.bye == 5
    t.record({(1, 3): [1, 0.5, 0, 1], (4, 2): [0.5, 0.5, 0.5, 0.5]})
    table = t.standings().set_index("player")
    assert dict(table["points"]) == {1: 2.0, 2: 1.0, 4: 1.0, 5: 1.0, 3: 0.0}
    assert dict(table["game_points"]) == {1: 2.5, 2: 2.0, 4: 2.0, 5: 2.0, 3: 1.5}
    second = t.pair()
    assert second.bye != 5
    t.record(dict.fromkeys(second.boards, (0, 0, 0, 1)))
    table = t.standings().set_index("player")
    for white, black in second.boards:
        made = {1: 2.5, 2: 2.0, 4: 2.0, 5: 2.0, 3: 1.5}
        assert table.loc[white, "game_points"] == made[white] + 1
        assert table.loc[black, "game_points"] == made[black] + 3
    assert t.boards == 4


@pytest.mark.parametrize(
    ("boards", "team_bye", "points", "game_points"),
    [(4, "rule", 2.0, 2.0), (6, "rule", 2.0, 3.0), (6, "literal", 1.0, 2.0), (3, "rule", 2.0, 1.5)],
)
def test_the_bye_of_a_small_event(boards: int, team_bye: str, points: float, game_points: float) -> None:
    """Five teams, three rounds: 5 < 6."""
    t = event(rounds=3, boards=boards, team_bye=team_bye)
    pairing = t.pair()
    t.record({board: [0.5] * boards for board in pairing.boards})
    row = t.standings().set_index("player").loc[pairing.bye]
    assert (row["points"], row["game_points"], row["byes"]) == (points, game_points, 1)


def test_game_points_decide_between_teams_level_on_match_points() -> None:
    t = event(4, 1)
    t.add_round({(1, 3): [1, 1, 0.5, 0], (2, 4): [1, 1, 1, 1]})
    assert list(t.standings()["player"]) == [2, 1, 3, 4]
    assert list(t.standings()["rank"]) == [1, 2, 3, 4]
    named_later = t.standings(order=["BH", "GP"])
    assert list(named_later["player"]) == [2, 1, 3, 4]
    assert list(t.standings(order=["WIN"])["rank"]) == [1, 2, 3, 4]


def test_the_place_of_game_points_in_the_order_can_be_chosen() -> None:
    """After two rounds 1 and 2 have 3 match points: 2 more game points, 1 the better opponents."""
    t = event(6, 3)
    t.add_round({(1, 4): [1, 1, 0.5, 0], (2, 5): [1, 1, 1, 1], (3, 6): [1, 1, 1, 1]})
    t.add_round({(3, 1): [0.5] * 4, (6, 2): [0.5] * 4, (4, 5): [1, 1, 1, 1]})
    rows = t.standings().set_index("player")
    assert rows.loc[1, "points"] == rows.loc[2, "points"] == 3.0
    assert (rows.loc[1, "game_points"], rows.loc[2, "game_points"]) == (4.5, 6.0)
    assert rows.loc[2, "rank"] < rows.loc[1, "rank"]
    by_buchholz = t.standings(order=["BH", "GP"]).set_index("player")
    assert by_buchholz.loc[1, "BH"] > by_buchholz.loc[2, "BH"]
    assert by_buchholz.loc[1, "rank"] < by_buchholz.loc[2, "rank"]


def test_whole_matches_are_forfeited_or_postponed() -> None:
    t = event(8, 3)
    boards = t.pair().boards
    t.record(dict(zip(boards, ["+-", "-+", "--", "postponed"], strict=True)))
    (a, b), (c, d), (e, f), (g, h) = boards
    rows = t.standings().set_index("player")
    assert dict(rows["game_points"]) == {a: 4, b: 0, c: 0, d: 4, e: 0, f: 0, g: 0, h: 0}
    assert dict(rows["points"]) == {a: 2, b: 0, c: 0, d: 2, e: 0, f: 0, g: 0, h: 0}
    assert list(rows.loc[[g, h], "pending"]) == [1, 1]
    with pytest.raises(SwissError, match=rf"match {g} - {h}: 3 board scores"):
        t.resolve(1, g, black=h, score=[1, 1, 1])
    t.resolve(1, g, black=h, score=[0, 0, 0.5, 1])
    rows = t.standings().set_index("player")
    assert list(rows.loc[[g, h], "game_points"]) == [1.5, 2.5]
    assert list(rows.loc[[g, h], "points"]) == [0, 2]
    with pytest.raises(SwissError, match="has a result already"):
        t.resolve(1, g, black=h, score=[0, 0, 0, 0])


def test_a_postponed_match_may_be_forfeited_later() -> None:
    t = event(2, 1)
    board = t.pair().boards[0]
    t.record({board: "postponed"})
    t.resolve(1, board[0], black=board[1], score="-+")
    rows = t.standings().set_index("player")
    assert list(rows.loc[list(board), "game_points"]) == [0, 4]


def test_requested_byes_of_teams() -> None:
    t = event(7, 3)
    p = t.pair(absent={5: "half", 6: "full", 7: "zero"})
    t.record({board: [1, 1, 1, 1] for board in p.boards})
    rows = t.standings().set_index("player")
    assert list(rows.loc[[5, 6, 7], "points"]) == [1, 2, 0]
    assert list(rows.loc[[5, 6, 7], "game_points"]) == [2, 4, 0]


def test_late_and_withdrawn_teams_make_no_game_points() -> None:
    t = event(6, 4)
    t.record({board: [1, 1, 1, 0] for board in t.pair().boards})
    new = t.add_player(1950.0)
    t.withdraw(1)
    t.record({board: [1, 0, 0, 0] for board in t.pair().boards})
    made = t.game_points()
    assert made is not None
    assert made.shape == (1, 4, 7)
    assert made[0, :2].sum() == 6 * 40
    order = sorted(t.players, key=lambda p: (-t.ratings[p - 1], p))
    assert made[0, 0, order.index(new)] == 0
    assert made[0, 1, order.index(1)] == 0
    assert made[0, 2:].sum() == 0


@pytest.mark.parametrize(
    ("score", "message"),
    [
        ([1, 1, 1], r"3 board scores, \[1, 1, 1\]; a match has 4 boards"),
        ([1, 1, 1, 1, 1], "5 board scores"),
        (1.0, r"result 1.0; give the first team's score on each of the 4 boards, such as \[1, 0.5, 0, 1\]"),
        (None, "result None"),
        ("1-0", "result '1-0' is unknown"),
        ([1, 1, 1, 2], "board 4: the first team's score is 2; use 1, 0.5 or 0"),
        ([1, "+", 0, 0], "board 2: the first team's score is '\\+'"),
        ([1, (0, 0), 0, 0], r"board 2: the first team's score is \(0, 0\)"),
        ([True, 1, 0, 0], "board 1: the first team's score is True"),
        ([1, 1, float("nan"), 0], "board 3: the first team's score is nan"),
        ([1, 1, 0.25, 0], "board 3: the first team's score is 0.25"),
    ],
)
def test_impossible_matches_are_named_and_nothing_is_recorded(score: Any, message: str) -> None:
    t = event(4, 2)
    boards = t.pair().boards
    with pytest.raises(SwissError, match=rf"round 1, match {boards[1][0]} - {boards[1][1]}.*{message}"):
        t.record({boards[0]: [1, 1, 1, 1], boards[1]: score})
    assert t.round == 1
    t.record({boards[0]: np.array([1, 1, 1, 1.0]), boards[1]: (0, 0.5, 1, 0)})


def test_board_scores_need_a_team_event() -> None:
    t = Tournament([2000, 1900], 1, system="nordic")
    with pytest.raises(SwissError, match="this is no team event; make it with boards="):
        t.record({t.pair().boards[0]: [1, 0, 1, 1]})


# ---------------------------------------------------------------------- the draw of the boards


def literal_match(field: Field, made: Results, at: tuple[int, int, int, int], times: int) -> list[float]:
    """Return the first team's board scores of a match by the words of the rule, board by board."""
    t, r, white, black = at
    number, seed = made.first + t, made.provenance["seed"]
    strength = field.draw_boards(seed, number, 1)[0]
    scores = []
    for board in range(1, field.boards + 1):
        mine, yours = (white, black) if board % 2 else (black, white)
        context = Context(round=r + 1, rounds=made.rounds, tournament=number, white=mine, black=yours, board=board)
        win, draw = model("milvang2015")(strength[mine, board - 1], strength[yours, board - 1], context)
        low, high = sorted((white, black))
        block, word = divmod(board - 1, 4)
        u = uniforms(seed, Domain.GAME, number, low + 1, high + 1, times + (block << 32))[word]
        if low == mine:
            of_white = 1 if u < win else 0.5 if u < win + draw else 0
        else:
            of_white = 0 if u < 1 - win - draw else 0.5 if u < 1 - win else 1
        scores.append(of_white if mine == white else 1 - of_white)
    return scores


@pytest.mark.parametrize("boards", [2, 4, 5, 9])
def test_every_board_is_a_game_of_its_own(boards: int) -> None:
    field = Field.teams(teams=9, boards=boards, low=1600, high=2200, form_sd=50)
    made = played(field=field, participation=Participation(forfeit=0.15), seed=7)
    assert made.game_points is not None
    rematches = 0
    for t, r, white in zip(*np.nonzero(made.colour == 1), strict=True):
        black = made.opponent[t, r, white]
        codes = made.result[t, r, white], made.result[t, r, black]
        points = made.game_points[t, r, white], made.game_points[t, r, black]
        if Code.FORFEIT_LOSS in codes:
            assert points == tuple(10 * boards if code == Code.FORFEIT_WIN else 0 for code in codes)
            continue
        times = int((made.opponent[t, :r, white] == black).sum())
        rematches += times
        first = sum(literal_match(field, made, (t, r, white, black), times))
        assert points == (10 * first, 10 * (boards - first))
        lead = 2 * first - boards
        assert codes[0] == (Code.WIN if lead > 0 else Code.LOSS if lead < 0 else Code.DRAW)
    assert rematches > 0


def test_context_of_a_board() -> None:
    """A model sees the team with White on the board as White, and the number of the board."""
    seen = {}

    def spy(white: Any, black: Any, context: Context) -> Any:
        seen.update(white=context.white_number, black=context.black_number, board=context.board, round=context.round)
        seen.update(score=context.white_score, tournament=context.tournament)
        return np.full(len(white), 0.3), np.full(len(white), 0.4)

    played(field=Field.teams(teams=4, boards=3, low=1, high=2), rounds=1, tournaments=1, model=spy)
    white, black = (seen[name].reshape(3, 2) for name in ("white", "black"))
    assert seen["board"].tolist() == [1, 1, 2, 2, 3, 3]
    assert (white[0] == black[1]).all()
    assert (black[0] == white[1]).all()
    assert (white[0] == white[2]).all()
    assert seen["score"].tolist() == [0] * 6
    assert seen["tournament"].tolist() == [0] * 6


def test_systems_share_the_luck_of_every_board() -> None:
    """Without an advantage of White, a pair that two systems make ends alike, whatever colours and round."""
    fair = model("elo", white_advantage=0)
    ends: dict[tuple[int, ...], set[int]] = {}
    for system in SYSTEMS:
        made = played(system, model=fair, tournaments=20)
        assert made.game_points is not None
        for t, r, white in zip(*np.nonzero(made.colour == 1), strict=True):
            low, high = sorted((int(white), int(made.opponent[t, r, white])))
            ends.setdefault((t, low, high), set()).add(int(made.game_points[t, r, low]))
    assert all(len(points) == 1 for points in ends.values())
    assert len(ends) < 0.6 * len(SYSTEMS) * 20 * 5 * 5


def test_chances_of_a_match_are_those_of_all_ways_it_can_go() -> None:
    rng = np.random.default_rng(3)
    for boards in (2, 3, 4):
        shares = rng.dirichlet([2, 2, 2], size=boards)  # White's win, draw, Black's win
        win = draw = 0.0
        for way in itertools.product(range(3), repeat=boards):
            chance = np.prod([shares[k, outcome] for k, outcome in enumerate(way)])
            lead = sum((1 - outcome) * (1 if k % 2 == 0 else -1) for k, outcome in enumerate(way))
            win += chance * (lead > 0)
            draw += chance * (lead == 0)
        got = match_probabilities(shares[:, :1], shares[:, 1:2])
        assert np.allclose(np.concatenate(got), [win, draw], atol=1e-12)


def test_chances_of_equal_teams_are_even() -> None:
    """With an even number of equal boards both teams have White as often."""
    strength = np.full((1, 4), 2000.0)
    win, draw = chances(model("milvang2015"), strength, strength, Context())
    assert win[0] == pytest.approx((1 - draw[0]) / 2)
    assert chances(model("certain"), strength, strength + 1, Context())[0][0] == 0.0
    boards, _ = board_probabilities(model("elo"), strength, strength, Context())
    assert boards.shape == (4, 1)


# ---------------------------------------------------------------------- simulations of every system


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("team_bye", ["rule", "literal"])
def test_random_team_events_keep_the_invariants(system: str, team_bye: str) -> None:
    for teams, rounds in ((11, 5), (8, 4), (7, 5)):
        field = Field.teams(teams=teams, boards=4, low=1600, high=2200)
        made = played(system, field, rounds=rounds, participation=EVERYTHING, team_bye=team_bye, seed=teams)
        made.check()
        assert made.game_points is not None
        small = teams < 2 * rounds
        assert made.worth[Code.PAIRING_BYE] == (20 if small and team_bye == "rule" else 10)
        for t in range(len(made)):
            check_results(made, t)
        game = (made.opponent >= 0) & np.isin(made.result, (Code.WIN, Code.DRAW, Code.LOSS))
        other = np.take_along_axis(made.game_points, np.maximum(made.opponent, 0).astype(np.intp), axis=2)
        assert (made.game_points + other)[game].tolist() == [40] * int(game.sum())
        alone = {code: set(made.game_points[made.result == code].tolist()) for code in Code}
        assert alone[Code.PAIRING_BYE] <= {20}
        assert alone[Code.HALF_BYE] <= {20}
        assert alone[Code.FORFEIT_WIN] <= {40}
        assert alone[Code.FORFEIT_LOSS] | alone[Code.ZERO_BYE] | alone[Code.ABSENT] == {0}


@pytest.mark.parametrize("system", [name for name in SYSTEMS if name != "lottery"])
def test_match_points_pair_as_the_slow_twin_says(system: str) -> None:
    """Match points 2 - 1 - 0 with a bye for 1 or 2, requested byes, forfeits and postponed matches."""
    twin = importlib.import_module(f"tests.reference.{system}")
    for rounds in (3, 4):
        field = Field.teams(teams=7, boards=2, low=1900, high=2100)
        made = played(system, field, rounds=rounds, participation=EVERYTHING, tournaments=40, initial_colour="white")
        for t in range(len(made)):
            paired = int(made.rounds_paired[t])
            arrays = {
                name: getattr(made, name)[t, :paired] for name in ("opponent", "colour", "result", "board", "arrived")
            }
            ratings, worth = made.rows("rating")[t], worth_of(made.worth)
            for event, pairing in rounds_from_arrays(**arrays, ratings=ratings, rounds=rounds, worth=worth):
                event.past_scores = made.score[t, : event.round - 1].tolist()
                assert twin.pair(event) == pairing, f"tournament {t}, round {event.round}"


@pytest.mark.parametrize("system", [name for name in SYSTEMS if name != "lottery"])
def test_an_event_replays_a_simulated_one(system: str) -> None:
    """A simulated team event, entered round by round, is paired alike and ends in the same standings."""
    made = played(system, tournaments=3, initial_colour="white")
    assert made.game_points is not None
    for t in range(3):
        replay = Tournament(list(made.rows("rating")[t]), 5, system=system, boards=4)
        for r in range(5):
            pairing = replay.pair()
            whites = sorted(np.flatnonzero(made.colour[t, r] == 1), key=lambda i: made.board[t, r, i])
            assert pairing.boards == [(i + 1, made.opponent[t, r, i] + 1) for i in whites]
            scores = [board_scores(int(made.game_points[t, r, i])) for i in whites]
            replay.record(dict(zip(pairing.boards, scores, strict=True)))
        expected = made.part(t, t + 1).players.sort_values(["rank", "player"], kind="stable")
        table = replay.standings()
        for name in ("player", "rank", "points", "game_points", "BH", "SB"):
            assert table[name].tolist() == expected[name].tolist()


def board_scores(tenths: int) -> list[float]:
    """Return four board scores of a sum."""
    half_points = tenths // 5
    return [min(max(half_points - 2 * k, 0), 2) / 2 for k in range(4)]


def test_same_bytes_for_any_threads_and_blocks() -> None:
    whole = played("amalfi", tournaments=50, participation=EVERYTHING)
    assert played("amalfi", tournaments=50, participation=EVERYTHING, threads=2, block=7) == whole
    shared = Field.teams(teams=11, boards=4, low=1600, high=2200, redraw=False)
    one = played(field=shared, tournaments=9)
    assert len(one.strength) == 1
    assert played(field=shared, tournaments=9, block=1) == one


def test_one_tournament_can_be_replayed_from_the_provenance() -> None:
    whole = played("regulated", tournaments=20, participation=EVERYTHING, team_bye="literal", seed=5)
    again = Simulation.from_provenance(whole.provenance).run(13, count=1)
    for name in (*whole.histories, *whole.SINGLE):
        assert np.array_equal(getattr(again, name), getattr(whole, name)[13:14])
    assert whole.provenance["team_bye"] == "literal"
    assert whole.provenance["points"]["win"] == 2.0


def test_individual_events_have_nothing_of_teams() -> None:
    made = played(field=Field.uniform(players=9, low=1600, high=2200))
    assert made.game_points is None
    assert "team_bye" not in made.provenance
    assert tiebreaks.values(made, "GP").tolist() == made.points.tolist()
    with pytest.raises(SwissError, match="field of teams"):
        made.board_strength()


def test_strengths_of_boards_are_drawn_again() -> None:
    made = played(tournaments=6, seed=3).part(2, 5)
    assert np.array_equal(made.board_strength(), TEAMS.draw_boards(3, 2, 3))
    assert np.allclose(made.board_strength().mean(axis=2), made.strength)


# ---------------------------------------------------------------------- results


def test_tables_show_game_points() -> None:
    made = played(participation=EVERYTHING)
    assert made.game_points is not None
    games, players, byes = made.games, made.players, made.byes
    total = np.zeros((12, 11))
    for table, side, column in (
        (games, "white", "white_game_points"),
        (games, "black", "black_game_points"),
        (byes, "player", "game_points"),
    ):
        np.add.at(total, (table["tournament"], table[side] - 1), table[column])
    assert players["game_points"].tolist() == total.reshape(-1).tolist()
    assert list(players.columns[4:6]) == ["points", "game_points"]
    for _, table in players.groupby("tournament"):
        ordered = table.sort_values("rank")
        keys = list(zip(ordered["points"], ordered["game_points"], strict=True))
        assert keys == sorted(keys, reverse=True)


def test_final_order_and_ranks_count_only_what_is_known() -> None:
    made = played(participation=Participation(postpone=0.4, delay=2), tournaments=5)
    assert made.game_points is not None
    for upto in range(6):
        expected = np.zeros((5, 11), np.int64)
        for r in range(upto):
            expected += np.where(made.arrived[:, r] <= upto, made.game_points[:, r], 0)
        assert np.array_equal(tiebreaks.values(made, "GP", upto=upto), expected)
    place = tiebreaks.final_order(made, lots=made.lots())
    key = made.points.astype(np.int64) * 10_000 + tiebreaks.values(made, "GP")
    assert (np.diff(np.take_along_axis(key, np.argsort(place, axis=1), axis=1), axis=1) <= 0).all()


@pytest.mark.parametrize("name", ["teams.parquet", "folder"])
@pytest.mark.parametrize("redraw", [True, False])
def test_parquet_keeps_game_points(tmp_path: Path, name: str, redraw: bool) -> None:
    field = Field.teams(teams=11, boards=4, low=1600, high=2200, redraw=redraw)
    made = played(field=field, participation=EVERYTHING)
    made.save(tmp_path / name)
    assert Results.load(tmp_path / name) == made
    if name == "folder":
        assert "white_game_points" in pq.read_schema(tmp_path / name / "games.parquet").names


def test_wrong_game_points_are_refused() -> None:
    made = played()
    assert made.game_points is not None
    t, r, i = np.argwhere(made.result == Code.WIN)[0]
    made.game_points[t, r, i] = 0
    with pytest.raises(SwissError, match=f"round {r + 1}: player .* has wrong game points"):
        made.check()


def test_results_with_and_without_teams_are_not_joined() -> None:
    with_teams = played(tournaments=2, points=Points())
    without = played(field=Field.uniform(players=11, low=1, high=2), tournaments=3).part(2, 3)
    with pytest.raises(SwissError, match="another study"):
        Results.concatenate([with_teams, without])
    assert with_teams != without


def test_a_bye_is_valued_by_the_chances_of_a_match() -> None:
    """Equal teams, no draws on boards: the expectation is 1 match point of 2, so that a bye for 1 gains nothing."""
    field = Field.teams(teams=31, boards=2, low=2000, high=2000, board_sd=0)
    made = played(field=field, rounds=3, tournaments=8, model=model("elo", draw=0.0, white_advantage=50))
    gain = pick(bye_metrics(made), "bye_gain")
    assert gain.mean == pytest.approx(0.0, abs=1e-9)
    small = played(field=field, rounds=16, tournaments=2, model=model("elo", draw=0.0, white_advantage=50))
    assert pick(bye_metrics(small), "bye_gain").mean == pytest.approx(1.0, abs=1e-9)


# ---------------------------------------------------------------------- comparisons and files


def test_a_comparison_of_team_events() -> None:
    found = compare(["nordic", "amalfi"], TEAMS, rounds=6, tournaments=6, keep_games=True, progress=False, threads=1)
    alone = played("amalfi", rounds=6, tournaments=6)
    kept = found.results["amalfi"]
    for name in alone.histories:
        assert np.array_equal(getattr(kept, name), getattr(alone, name))
    assert found.provenance["points"]["bye"] == 2.0
    again = Plan.from_dict(found.provenance)
    assert again.to_dict() == found.provenance
    assert "11 teams of 4 boards" in again.field.describe()


def test_the_reading_of_the_bye_is_part_of_a_comparison() -> None:
    plan = compare(["nordic"], TEAMS, rounds=6, tournaments=2, team_bye="literal", progress=False, threads=1).plan
    assert plan.to_dict()["team_bye"] == "literal"
    assert plan.to_dict()["points"]["bye"] == 1.0
    assert Plan.from_dict(plan.to_dict()).simulations["nordic"].teams == plan.simulations["nordic"].teams


def test_command_compares_teams(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("swisssim.report.write", lambda found, path: None)
    asked = (
        "compare --boards 3 --board-sd 50 --players 9 --rounds 5 --tournaments 4 --systems nordic,lottery --threads 1"
    )
    assert cli.run([*asked.split(), "--out", str(tmp_path / "out")]) == 0
    assert "4 tournaments of 9 teams of 3 boards and 5 rounds" in capsys.readouterr().out
    field = load_config(tmp_path / "out" / "config.json").field
    assert field == Field.teams(teams=9, boards=3, low=1400, high=2200, board_sd=50)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--boards 0", "boards of a teams field must be a whole number from 1"),
        ("--boards 4 --mean 2000 --sd 100", "--boards goes with --low and --high"),
        ("--board-sd 50", "--board-sd goes with --boards"),
        ("--team-bye literal", "there are no teams"),
        ("--field x.trf --boards 4", "leave out --boards"),
    ],
)
def test_command_refuses_what_has_no_meaning(
    options: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["compare", *options.split(), "--out", str(tmp_path / "out")]) == 3
    assert message in capsys.readouterr().err


def test_a_report_file_keeps_match_points(tmp_path: Path) -> None:
    t = event(5, 4)
    for _ in range(2):
        t.record(dict.fromkeys(t.pair().boards, (1, 0, 1, 0.5)))
    trf.write(t.to_trf(), tmp_path / "teams.trf")
    again = Tournament.from_trf(tmp_path / "teams.trf", system="amalfi")
    assert again.standings(order=[]).set_index("player")["points"].to_dict() == (
        t.standings(order=[]).set_index("player")["points"].to_dict()
    )
    assert again.pair().boards == t.pair().boards
