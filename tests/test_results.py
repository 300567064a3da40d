"""Results: tidy tables of a tournament made by hand, joining of blocks, files that are whole or refused."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from swisssim._random import Domain, uniforms
from swisssim.codes import Code
from swisssim.errors import SwissError
from swisssim.files import replacing
from swisssim.results import CODES, Results

W, D, L = Code.WIN, Code.DRAW, Code.LOSS
FW, FL, PAB, HALF, ZERO = Code.FORFEIT_WIN, Code.FORFEIT_LOSS, Code.PAIRING_BYE, Code.HALF_BYE, Code.ZERO_BYE
WORTH = np.array([0, 10, 5, 0, 10, 0, 10, 10, 5, 0, 0], np.int16)

# One tournament of five players and three rounds: (board, white, black, White's code, Black's code), then byes.
ROUNDS = [
    ([(1, 1, 3, W, L), (2, 4, 2, D, D)], {5: PAB}),
    ([(1, 5, 1, FL, FW), (2, 2, 3, FL, FL)], {4: HALF}),
    ([(1, 1, 2, L, W), (2, 3, 5, D, D)], {4: PAB}),
]


def by_hand(*, first: int = 0, count: int = 1) -> Results:
    """Return the tournament `count` times, with ratings of their own."""
    shape = (1, 3, 5)
    arrays = {name: np.zeros(shape, dtype) for name, dtype in Results.HISTORY.items()}
    arrays["opponent"] -= 1
    arrays["board"] -= 1
    for r, (boards, byes) in enumerate(ROUNDS):
        for board, white, black, code, other in boards:
            for player, opponent, colour, mine in ((white, black, 1, code), (black, white, -1, other)):
                arrays["opponent"][0, r, player - 1] = opponent - 1
                arrays["colour"][0, r, player - 1] = colour
                arrays["result"][0, r, player - 1] = mine
                arrays["board"][0, r, player - 1] = board - 1
        for player, code in byes.items():
            arrays["result"][0, r, player - 1] = code
    points = np.cumsum(WORTH[arrays["result"]], axis=1, dtype=np.int16)
    arrays["score"][:, 1:] = points[:, :-1]
    arrays["arrived"][0, 0, [3, 1]] = 2
    arrays = {name: np.repeat(array, count, axis=0) for name, array in arrays.items()}
    rating = np.linspace(2000, 1600, 5)[None, :] + np.arange(first, first + count)[:, None]
    return Results(
        system="nordic",
        **arrays,
        rating=rating,
        strength=rating + 0.25,
        initial_colour=np.resize(np.array([1, -1], np.int8), count),
        rounds_paired=np.full(count, 3, np.int16),
        stopped=np.zeros(count, bool),
        worth=WORTH,
        first=first,
        provenance={"seed": 4, "system": "nordic"},
    )


def test_points_and_sizes():
    results = by_hand(count=3)
    assert len(results) == 3
    assert results.rounds == 3
    assert results.points.tolist() == [[20, 15, 5, 20, 15]] * 3
    assert results.points.dtype == np.int32
    assert results.worth.tolist() == [*WORTH.tolist(), 0, 0, 0, 0, 0]
    assert len(CODES) == 11


def test_games():
    games = by_hand(first=7).games
    expected = pd.DataFrame(
        {
            "round": [1, 1, 2, 2, 3, 3],
            "board": [1, 2, 1, 2, 1, 2],
            "white": [1, 4, 5, 2, 1, 3],
            "black": [3, 2, 1, 3, 2, 5],
            "result": ["1", "=", "-", "x", "0", "="],
            "white_score": [1, 0.5, 0, 0, 0, 0.5],
            "black_score": [0, 0.5, 1, 0, 1, 0.5],
            "kind": ["played", "played", "forfeit", "forfeit", "played", "played"],
            "postponed": [False, True, False, False, False, False],
            "arrived": [None, 2, None, None, None, None],
            "white_points": [0, 0, 1, 0.5, 2, 0],
            "black_points": [0, 0, 1, 0, 0.5, 1],
            "white_float": [0, 0, 0, -1, -1, 1],
            "black_float": [0, 0, 0, 1, 1, -1],
        }
    )
    assert games["tournament"].tolist() == [7] * 6
    pd.testing.assert_frame_equal(
        games.drop(columns="tournament").astype({"result": object, "kind": object}),
        expected.astype({"result": object, "kind": object}),
        check_dtype=False,
    )
    assert games["arrived"].isna().tolist() == [True, False, True, True, True, True]


def test_games_stand_in_board_order():
    results = by_hand(count=2)
    for name in ("opponent", "colour", "result", "board", "score", "arrived"):
        getattr(results, name)[1] = getattr(results, name)[1][:, [4, 3, 2, 1, 0]]
    results.opponent[1] = np.where(results.opponent[1] >= 0, 4 - results.opponent[1], -1)
    results.check()
    games = results.games
    assert games["tournament"].tolist() == [0] * 6 + [1] * 6
    assert games["board"].tolist() == [1, 2] * 6
    assert games["white"][6:].tolist() == [5, 2, 1, 4, 5, 3]


def test_a_game_to_come_is_told_apart():
    results = by_hand()
    results.result[0, 2, [0, 1]] = Code.POSTPONED
    game = results.games.iloc[4]
    assert (game["result"], game["kind"], game["postponed"], game["white_score"]) == ("?", "played", True, 0)
    assert pd.isna(game["arrived"])
    assert results.players["whites"].tolist() == by_hand().players["whites"].tolist()


def test_byes():
    byes = by_hand(first=2).byes
    assert byes["tournament"].tolist() == [2, 2, 2]
    assert byes["round"].tolist() == [1, 2, 3]
    assert byes["player"].tolist() == [5, 4, 4]
    assert byes["kind"].tolist() == ["pairing", "half", "pairing"]
    assert byes["points"].tolist() == [1, 0.5, 1]
    assert byes["points_before"].tolist() == [0, 0.5, 1]
    assert byes["list_position"].isna().tolist() == [False, True, False]
    assert byes["list_position"].dropna().tolist() == [5, 2]  # round 3: 1 (2 points), 4 and 5 (1), 2 (0.5), 3 (0)
    assert byes["group_minimum"].tolist() == [0, 0, 0]


def test_an_empty_field_has_no_lowest_score():
    results = by_hand()
    for name, nothing in (("opponent", -1), ("board", -1), ("colour", 0), ("result", ZERO)):
        getattr(results, name)[0, 1] = nothing
    byes = results.byes
    second = byes[byes["round"] == 2]
    assert second["kind"].tolist() == ["zero"] * 5
    assert second["group_minimum"].isna().all()


def test_players():
    players = by_hand(count=2).players
    assert players["tournament"].tolist() == [0] * 5 + [1] * 5
    assert players["player"].tolist() == [1, 2, 3, 4, 5] * 2
    assert players["rating"][:6].tolist() == [2000, 1900, 1800, 1700, 1600, 2001]
    assert players["strength"][5] == 2001.25
    own = players[:5]
    assert own["points"].tolist() == [2, 1.5, 0.5, 2, 1.5]
    assert own["whites"].tolist() == [2, 0, 1, 1, 0]
    assert own["blacks"].tolist() == [0, 2, 1, 0, 1]
    assert own["pairing_byes"].tolist() == [0, 0, 0, 1, 1]
    assert own["downfloats"].tolist() == [1, 1, 0, 0, 1]
    assert own["upfloats"].tolist() == [0, 1, 2, 0, 0]
    assert {"BH-C1", "BH", "SB"} < set(own.columns)
    assert sorted(own["rank"]) == [1, 2, 3, 4, 5]


def test_players_with_other_tie_breaks():
    players = by_hand().player_table(order=["WIN", "ARO"])
    assert players.columns[4:9].tolist() == ["points", "WIN", "ARO", "rank", "whites"]
    assert players["ARO"].tolist() == [1850, 1850, 1800, 1900, 1800]
    assert by_hand().player_table(order=[])["rank"].tolist() == [1, 3, 5, 1, 3]
    with pytest.raises(SwissError, match="unknown tie-break"):
        by_hand().player_table(order=["buchholtz"])


def test_tournaments():
    results = by_hand(first=5, count=3)
    results.initial_colour[2] = 0
    results.stopped[1] = True
    table = results.tournaments
    assert table["tournament"].tolist() == [5, 6, 7]
    assert table["rounds_paired"].tolist() == [3, 3, 3]
    assert table["stopped"].tolist() == [False, True, False]
    assert table["initial_colour"].tolist()[:2] == ["white", "black"]
    assert pd.isna(table["initial_colour"][2])


def test_lots_come_from_the_seed():
    lots = by_hand(first=3, count=2).lots()
    assert np.array_equal(lots[1], uniforms(4, Domain.FINAL_LOTS, 4, np.arange(1, 6))[:, 0])
    with pytest.raises(SwissError, match="lots need a seed"):
        dataclasses.replace(by_hand(), provenance={}).lots()


def test_parts_join_to_the_whole():
    whole = by_hand(count=5)
    assert Results.concatenate([whole.part(0, 2), whole.part(2, 3), whole.part(3, 5)]) == whole
    assert Results.concatenate([whole.part(k, k + 1) for k in range(5)]) == whole
    middle = whole.part(1, 3)
    assert (middle.first, len(middle)) == (1, 2)
    assert np.array_equal(middle.rating, whole.rating[1:3])
    assert whole != by_hand(count=4)
    assert whole != "results"


def shared(count: int, *, first: int = 0) -> Results:
    """Return tournaments that share their field."""
    results = by_hand(count=count, first=first)
    rating = np.linspace(2000, 1600, 5)[None, :]
    return dataclasses.replace(results, rating=rating, strength=rating)


def test_a_shared_field_is_kept_once():
    whole = shared(4)
    assert Results.concatenate([whole.part(0, 3), whole.part(3, 4)]).rating.shape == (1, 5)
    assert Results.concatenate([whole.part(k, k + 1) for k in range(4)]) == whole
    assert whole.rows("rating").shape == (4, 5)
    assert len(whole.players) == 20
    assert whole.part(2, 4).rating.shape == (1, 5)


def test_one_rating_list_with_strengths_of_their_own_joins_alike_for_any_block():
    whole = by_hand(count=4)
    whole = dataclasses.replace(whole, rating=np.repeat(whole.rating[:1], 4, axis=0))
    assert Results.concatenate([whole.part(k, k + 1) for k in range(4)]) == whole
    assert Results.concatenate([whole.part(0, 3), whole.part(3, 4)]) == whole


def test_parts_that_do_not_join():
    with pytest.raises(SwissError, match="no results to join"):
        Results.concatenate([])
    with pytest.raises(SwissError, match="results of tournament 1 must come next, not those of 2"):
        Results.concatenate([by_hand(), by_hand(first=2)])
    with pytest.raises(SwissError, match="from tournament 1 on are of another study"):
        Results.concatenate([by_hand(), dataclasses.replace(by_hand(first=1), system="amalfi")])


@pytest.mark.parametrize("name", ["study.parquet", "study"])
@pytest.mark.parametrize("make", [by_hand, shared])
def test_what_is_saved_comes_back(tmp_path, name, make):
    results = make(count=5, first=3)
    results.save(tmp_path / name)
    loaded = Results.load(tmp_path / name)
    assert loaded == results
    assert loaded.provenance == results.provenance
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_folder_holds_tidy_tables(tmp_path):
    results = by_hand(count=5)
    results.save(tmp_path / "study")
    names = sorted(path.name for path in (tmp_path / "study").iterdir())
    assert names == ["arrays.parquet", "byes.parquet", "games.parquet", "players.parquet", "tournaments.parquet"]
    for name in ("games", "byes", "players", "tournaments"):
        path = tmp_path / "study" / f"{name}.parquet"
        pd.testing.assert_frame_equal(pd.read_parquet(path), getattr(results, name))
        assert json.loads(pq.read_schema(path).metadata[b"swisssim"])["provenance"] == results.provenance


def test_groups_of_rows_do_not_show(tmp_path, monkeypatch):
    results = by_hand(count=5)
    monkeypatch.setattr("swisssim.results._parquet._GROUP", 30)
    results.save(tmp_path / "study")
    assert pq.ParquetFile(tmp_path / "study" / "arrays.parquet").num_row_groups == 3
    assert Results.load(tmp_path / "study") == results
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "study" / "games.parquet"), results.games)


def test_equal_results_are_equal_bytes(tmp_path):
    whole = by_hand(count=5)
    joined = Results.concatenate([whole.part(k, k + 1) for k in range(5)])
    whole.save(tmp_path / "a")
    joined.save(tmp_path / "b")
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()
        assert str(tmp_path).encode() not in path.read_bytes()


@pytest.mark.parametrize("name", ["study.parquet", "study"])
def test_only_results_are_replaced_and_only_when_asked(tmp_path, name):
    by_hand().save(tmp_path / name)
    with pytest.raises(SwissError, match="exists already; force=True"):
        by_hand(count=2).save(tmp_path / name)
    by_hand(count=2).save(tmp_path / name, force=True)
    assert len(Results.load(tmp_path / name)) == 2


def test_other_peoples_files_are_never_replaced(tmp_path):
    folder, file = tmp_path / "photos", tmp_path / "table.parquet"
    folder.mkdir()
    (folder / "me.jpg").write_bytes(b"jpg")
    pd.DataFrame({"a": [1]}).to_parquet(file)
    before = file.read_bytes()
    with pytest.raises(SwissError, match="photos is no folder of results: it has no arrays"):
        by_hand().save(folder, force=True)
    with pytest.raises(SwissError, match=r"table.*is no file of results"):
        by_hand().save(file, force=True)
    assert file.read_bytes() == before
    assert (folder / "me.jpg").exists()


def test_foreign_files_are_named(tmp_path):
    (tmp_path / "text.parquet").write_text("tournament,round\n")
    (tmp_path / "empty.parquet").touch()
    for name in ("text.parquet", "empty.parquet"):
        with pytest.raises(SwissError, match=f"{name} is no file of results, or a damaged one"):
            Results.load(tmp_path / name)
    with pytest.raises(FileNotFoundError, match="there are no results at"):
        Results.load(tmp_path / "missing")


def test_a_file_of_another_format_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("swisssim.results._parquet._FORMAT", 99)
    by_hand().save(tmp_path / "new.parquet")
    monkeypatch.undo()
    with pytest.raises(SwissError, match="has format 99; this version reads format 1"):
        Results.load(tmp_path / "new.parquet")


def test_damage_anywhere_is_noticed(tmp_path):
    path = tmp_path / "study.parquet"
    results = by_hand(count=40)
    results.save(path)
    whole = path.read_bytes()
    rng = np.random.default_rng(1)
    for place in [*rng.integers(0, len(whole), 60).tolist(), len(whole) - 3]:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            loaded = Results.load(path)
        except SwissError:
            continue
        assert loaded == results, f"byte {place} was changed unnoticed"
    for length in (4, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(SwissError, match=r"study.*(no file of results|damaged)"):
            Results.load(path)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda r: r.opponent.__setitem__((1, 1, 0), 1), "tournament 1, round 2: player 1 has a one-sided pairing"),
        (lambda r: r.board.__setitem__((0, 0, 2), 1), "round 1: player 1 has another board than his opponent"),
        (lambda r: r.colour.__setitem__((0, 0, 2), 1), "round 1: player 1 has a wrong colour"),
        (lambda r: r.colour.__setitem__((0, 0, 4), 1), "round 1: player 5 has a wrong colour"),
        (lambda r: r.rating.__setitem__((0, 0), np.nan), "a rating isn't a finite number"),
    ],
)
def test_contradictions_are_found(tmp_path, spoil, message):
    results = by_hand(count=2)
    results.check()
    spoil(results)
    with pytest.raises(SwissError, match=message):
        results.check()
    results.save(tmp_path / "spoilt.parquet")
    with pytest.raises(SwissError, match=f"spoilt.parquet is damaged: .*{message}"):
        Results.load(tmp_path / "spoilt.parquet")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"colour": np.zeros((1, 3, 5), np.int16)}, "colour must be int8, not int16"),
        ({"board": np.zeros((1, 2, 5), np.int16)}, r"board must have the shape \(1, 3, 5\), not \(1, 2, 5\)"),
        ({"stopped": np.zeros(2, bool)}, r"stopped must have the shape \(1,\)"),
        ({"rating": np.zeros((2, 5))}, r"rating must have the shape \(1, 5\)"),
        ({"opponent": np.zeros((3, 5), np.int16)}, "opponent must have the shape"),
        ({"worth": WORTH[:5]}, "worth must have an entry for each of the 11 codes"),
    ],
)
def test_arrays_that_do_not_fit(change, message):
    with pytest.raises(SwissError, match=message):
        dataclasses.replace(by_hand(), **change)


@pytest.mark.parametrize(
    ("name", "place", "value", "message"),
    [
        ("opponent", (1, 1, 0), 5, "tournament 1, round 2: player 1 has an opponent who doesn't exist"),
        ("opponent", (1, 1, 0), -2, "tournament 1, round 2: player 1 has an opponent who doesn't exist"),
        ("result", (0, 2, 4), 11, "tournament 0, round 3: player 5 has a result that doesn't exist"),
        ("result", (0, 2, 4), -1, "tournament 0, round 3: player 5 has a result that doesn't exist"),
    ],
)
def test_results_of_nobody_are_never_made(name, place, value, message):
    """Compiled loops take opponents and codes as places in memory."""
    results = by_hand(count=2)
    getattr(results, name)[place] = value
    for attempt in (results.check, lambda: results.part(0, 2), lambda: dataclasses.replace(results)):
        with pytest.raises(SwissError, match=message):
            attempt()


def test_a_run_that_fails_leaves_the_old_output(tmp_path):
    target = tmp_path / "out"
    with replacing(target) as place:
        place.mkdir()
        (place / "a").write_text("old")

    def half(place: Path) -> None:
        place.mkdir()
        (place / "a").write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), replacing(target) as place:
        half(place)
    assert (target / "a").read_text() == "old"
    with replacing(target) as place:
        place.mkdir()
    assert list(target.iterdir()) == []
    assert list(tmp_path.iterdir()) == [target]


def test_a_new_folder_that_never_came_leaves_the_old_output(tmp_path):
    target = tmp_path / "out"
    target.mkdir()
    with pytest.raises(FileNotFoundError), replacing(target):
        pass
    assert list(tmp_path.iterdir()) == [target]
