"""The event itself: history in, the next round's pairing out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from os import PathLike

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from swisssim import trf
from swisssim._core import PairingSystem, pair_one
from swisssim._state import State
from swisssim.codes import NOT_HERE, Code
from swisssim.errors import NoPairingError, SwissError
from swisssim.explain import Explanation
from swisssim.history import History
from swisssim.pairing import system as make_system
from swisssim.points import Points, TeamScoring
from swisssim.reasons import illegal_boards, why_no_pairing
from swisssim.tiebreaks import DEFAULT_ORDER
from swisssim.tournament._arrays import game_point_array, history_arrays
from swisssim.tournament._checks import (
    check_boards,
    check_descending,
    check_named,
    check_player,
    check_rounds,
    checked_absences,
    checked_forbidden,
    checked_mapping,
    checked_rating,
    checked_ratings,
    checked_virtual,
    is_whole,
)
from swisssim.tournament._explain import explain_event
from swisssim.tournament._from_trf import fill_from_report
from swisssim.tournament._matches import GamePoints, match_of
from swisssim.tournament._records import (
    REASONS,
    Board,
    ForbiddenPair,
    Outcome,
    Pairing,
    Player,
    Round,
    Score,
    code_of_absence,
    codes_of,
)
from swisssim.tournament._standings import standings_table
from swisssim.tournament._to_trf import report_of
from swisssim.trf import Report


class Tournament:
    """One Swiss-system event.

    Parameters
    ----------
    ratings : sequence of float
        ``ratings[i]`` is the rating of player ``i + 1``; descending, since pairing numbers go by rating. 0 is an unrated player.
    rounds : int
        Number of rounds announced.
    system : str or PairingSystem
        Name of a pairing system, or one made by `swisssim.system` with options.
    initial_colour : {"white", "black"}
        The colour drawn before round 1, for systems that draw one.
    sort : bool
        Sort the ratings, and number the players in that order, instead of refusing an unsorted list.
    points : mapping or Points, optional
        Points other than 1 - 1/2 - 0, for instance ``{"win": 3, "draw": 1}``; see `swisssim.points.Points`.
    virtual_points : mapping, optional
        Acceleration: player to a list of virtual points for round 1, 2, ...
    forbidden : iterable of tuples, optional
        Pairs that must not meet: ``(a, b)``, or ``(a, b, first_round, last_round)``.
    names : sequence of str, optional
        Names of the players.
    boards : int
        Boards of a match: more than 1 is a team event. The players are teams then; match points (2 - 1 - 0 unless `points`
        says otherwise) are the score that pairs, colours are those of board 1, and game points decide between teams level
        on match points.
    team_bye : {"rule", "literal"}
        How the rule about a team's bye is read: 1 match point and half of the boards in game points, and in a field of fewer
        teams than twice the rounds 2 match points; or, literally, 2 game points there. See `swisssim.points.TeamScoring`.

    Raises
    ------
    SwissError
        If the request cannot be served; the message names the value and says what would be right.

    Examples
    --------
    >>> import swisssim
    >>> t = swisssim.Tournament([2100, 2000, 1900, 1800], 3, system="nordic")
    >>> t.pair().boards
    [(3, 1), (4, 2)]
    >>> t.record({(3, 1): 0.0, (4, 2): 0.5})
    >>> t.pair().boards
    [(1, 2), (4, 3)]
    """

    def __init__(
        self,
        ratings: Sequence[float],
        rounds: int,
        *,
        system: str | PairingSystem,
        initial_colour: str = "white",
        sort: bool = False,
        points: Mapping[str, float] | Points | None = None,
        virtual_points: Mapping[int, Sequence[float]] | None = None,
        forbidden: Iterable[ForbiddenPair] | None = None,
        names: Sequence[str] | None = None,
        boards: int = 1,
        team_bye: str = "rule",
    ) -> None:
        values = checked_ratings(ratings)
        if sort:
            by_rating = sorted(range(len(values)), key=lambda k: -values[k])
            values = [values[k] for k in by_rating]
            names = [names[k] for k in by_rating] if names is not None else None
        check_descending(values)
        check_rounds(rounds, len(values))
        teams = TeamScoring.of(boards, teams=len(values), rounds=rounds, team_bye=team_bye)
        scoring = teams.points(points) if teams else Points.of(points)
        self._begin(values, rounds, system, initial_colour, scoring, names, teams)
        self._virtual.update(checked_virtual(virtual_points, players=self._players, rounds=rounds))
        self._forbidden.extend(
            checked_forbidden(pair, players=self._players, rounds=rounds) for pair in forbidden or ()
        )
        scoring.check_total(rounds, virtual=self._virtual.values())

    def _begin(
        self,
        ratings: Sequence[float],
        rounds: int,
        system: str | PairingSystem,
        initial_colour: str,
        points: Points,
        names: Sequence[str] | None,
        teams: TeamScoring | None = None,
    ) -> None:
        """Set up an event without rounds; nothing is checked that a real event may break."""
        if initial_colour not in ("white", "black"):
            raise SwissError(f"initial_colour is 'white' or 'black', not {initial_colour!r}")
        if names is not None and len(names) != len(ratings):
            raise SwissError(f"{len(names)} names for {len(ratings)} players")
        self.system = make_system(system)
        self.rounds = rounds
        self._teams = teams
        self.initial_colour = initial_colour
        self.points = points
        labels = list(map(str, names)) if names is not None else [""] * len(ratings)
        self._players = {
            number: Player(rating, name=name)
            for number, (rating, name) in enumerate(zip(ratings, labels, strict=True), start=1)
        }
        self._order = list(range(1, len(ratings) + 1))
        self._history: list[Round] = []
        self._open: Pairing | None = None
        self._source: Report | None = None
        self.notes: list[str] = []
        """What deserves a look in the file that the event was read from."""
        self._planned: dict[int, dict[int, str]] = {}
        self._virtual: dict[int, list[int]] = {}
        self._forbidden: list[tuple[int, int, int, int]] = []

    # ------------------------------------------------------------------ what can be asked

    @property
    def boards(self) -> int:
        """Boards of a match; 1 in an event of individuals."""
        return self._teams.boards if self._teams else 1

    @property
    def players(self) -> list[int]:
        """The numbers of all players, withdrawn ones included; 1..n unless a file numbers them otherwise."""
        return sorted(self._players)

    @property
    def ratings(self) -> list[float]:
        """The rating of every player, in the order of `players`."""
        return [self._players[number].rating for number in self.players]

    @property
    def round(self) -> int:
        """The round that is paired next, or is paired and not yet recorded."""
        return len(self._history) + 1

    def pairing(self, round: int) -> Pairing:
        """Return the pairing of an earlier round."""
        past = self._past(round)
        return Pairing(round, list(past.boards), past.bye, {p: self._reason(p, round, c) for p, c in past.away.items()})

    def standings(self, *, order: Sequence[str] = DEFAULT_ORDER) -> pd.DataFrame:
        """Return the standings after the rounds recorded so far.

        Parameters
        ----------
        order : sequence of str
            Tie-breaks after the points; see `swisssim.tiebreaks`.

        Returns
        -------
        pandas.DataFrame
            One row for each player, best first: ``rank`` (shared by players level on everything), ``player``, ``name``,
            ``rating``, ``points``, one column for each tie-break, ``whites``, ``blacks``, ``byes`` (pairing-allocated),
            ``pending`` (postponed games without a result; they count nothing here). In a team event ``points`` are match
            points, and ``game_points`` follow them, in the columns and in the order.
        """
        return standings_table(self, self._players, self._order, order)

    @classmethod
    def from_trf(
        cls,
        source: str | PathLike[str] | Report,
        *,
        system: str | PairingSystem,
        rounds: int | None = None,
        strict: bool = True,
        total: int | None = None,
    ) -> Tournament:
        """Read an event from a tournament report file.

        Parameters
        ----------
        source : path or Report
            The file, or what `swisssim.trf.read` made of it.
        system : str or PairingSystem
            The system that pairs the next round; the rounds of the file need not follow it.
        rounds : int, optional
            Take only the first rounds as history; all that were played by default.
        strict : bool
            False: mend what can be mended in the file, with a note; see `swisssim.trf.read`.
        total : int, optional
            Number of rounds announced; what the file says (142 or XXR) by default.

        Returns
        -------
        Tournament
            Players keep their numbers in the file, and are paired in that order, whatever their ratings (with ``XXC rank`` in the order of
            columns 86-89). Those who the file says are absent from a round to come are absent from it. Virtual points are those of the
            file, or Baku acceleration if record 192 asks for it. `notes` says what deserves a look.

        Raises
        ------
        TrfError
            If the contents cannot be read.
        SwissError
            If it has fewer rounds than asked for, or does not say how many there will be.
        OSError
            If the file cannot be read.
        """
        event = cls.__new__(cls)
        report = source if isinstance(source, Report) else trf.read(source, strict=strict)
        fill_from_report(event, report, system, rounds=rounds, total=total)
        return event

    def to_trf(self) -> Report:
        """Return the event as a tournament report, for `swisssim.trf.write` or `swisssim.trf.dumps`.

        Returns
        -------
        Report
            The rounds that are recorded, and who is known to be absent from those to come: the coming round in its column, later ones
            in 240 records. Games without a result stand with ``?``. A system without a code is ``CUSTOM_SWISS`` (192) and named in 092.
            An event that was read from a file keeps everything else that the file says. In a team event the teams stand as players, with
            their match points; game points are not in the file. Numbers are the pairing order: where a late
            entrant stands between others, everybody behind him moves on by one.
        """
        return report_of(self)

    # ------------------------------------------------------------------ the next round

    def pair(self, *, absent: Mapping[int, str] | None = None) -> Pairing:
        """Pair the next round.

        Parameters
        ----------
        absent : mapping of int to str, optional
            Players who are not paired in this round and why: ``"half"``, ``"full"`` or ``"zero"`` (points of the bye).

        Returns
        -------
        Pairing
            The same as before if the round is paired but not recorded and `absent` does not differ.

        Raises
        ------
        NoPairingError
            If the rules allow no complete pairing; the event is unchanged, and the message says why.
        SwissError
            If all rounds are played, or `absent` names somebody who is not there.
        """
        if self.round > self.rounds:
            raise SwissError(f"all {self.rounds} rounds are paired; there is no round {self.round}")
        away = self._away(self.round, {**self._expected(self.round), **checked_absences(absent)})
        reasons = {player: self._reason(player, self.round, code) for player, code in sorted(away.items())}
        if self._open is not None and self._open.absent == reasons:
            return self._open
        boards, bye = self._solve(self._state(self.round, away), self.round)
        self._open = Pairing(self.round, boards, bye, reasons)
        return self._open

    def pair_again(self, round: int) -> Pairing:
        """Pair a recorded round once more, from the rounds before it, with those absent who were.

        Parameters
        ----------
        round : int
            A round that is recorded.

        Returns
        -------
        Pairing
            What the system of this event answers; the history stays as it is.

        Raises
        ------
        NoPairingError
            If the rules allow no complete pairing; the message says why.
        """
        past = self._past(round)
        boards, bye = self._solve(self._state(round, past.away), round)
        return Pairing(round, boards, bye, {p: self._reason(p, round, c) for p, c in past.away.items()})

    def explain(
        self,
        *,
        round: int | None = None,
        board: int | None = None,
        player: int | None = None,
        absent: Mapping[int, str] | None = None,
    ) -> Explanation:
        """Explain why a round is paired as it is.

        Parameters
        ----------
        round : int, optional
            A recorded round, which is paired again from the rounds before it; or the coming one. By default the coming one, or the last
            if all are played.
        board : int, optional
            Explain this board of the system's pairing, from 1.
        player : int, optional
            Explain the pairing of this player.
        absent : mapping of int to str, optional
            For the coming round, as in `pair`.

        Returns
        -------
        Explanation
            Its ``text`` is for reading, ``to_dict()`` for JSON; ``error`` says why there is no pairing, if there is none.

        Raises
        ------
        SwissError
            If there is no such round, board or player.
        """
        return explain_event(self, round=round, board=board, player=player, absent=absent)

    def illegal(self, round: int) -> list[str]:
        """Return what the absolute rules of the system forbid in a recorded round, in words; nothing if it is legal.

        Absolute are: nobody meets twice or is paired against a ban, the bye goes to somebody who may have it and only where the field is
        odd, and, where the system has limits for colours, some assignment of colours obeys them.
        """
        past = self._past(round)
        state = self._state(round, past.away)
        with suppress(NoPairingError):
            pair_one(state, self.system, round)
        return illegal_boards(state, self.system, self._order, boards=past.boards, bye=past.bye)

    def _solve(self, state: State, round: int) -> tuple[list[Board], int | None]:
        """Pair a round of a loaded block; players by their numbers."""
        try:
            boards, bye = pair_one(state, self.system, round)
        except NoPairingError as error:
            raise NoPairingError(f"{error}: {why_no_pairing(state, self.system, self._order)}") from None
        number = self._order
        return [(number[white], number[black]) for white, black in boards], number[bye] if bye is not None else None

    def record(self, results: Mapping[Board, Score]) -> None:
        """Record the results of the round that was paired.

        Parameters
        ----------
        results : mapping of (int, int) to float or str
            For every board ``(white, black)`` White's score 1, 0.5 or 0; ``"+-"``, ``"-+"`` or ``"--"`` for forfeits (White's sign first);
            ``"postponed"`` for a result to come; or both scores, such as ``(0.5, 0)``, for an unusual result. In a team event
            the first team's score on each board, such as ``[1, 0.5, 0, 1]``, or one of the words for a whole match.

        Raises
        ------
        SwissError
            If no round is open, or a board is missing, unknown, or has an impossible result; nothing is recorded then.
        """
        if self._open is None:
            done = f"round {self.round - 1} is recorded already" if self._history else "no round has been paired"
            raise SwissError(f"{done}; call pair() before record()")
        check_boards(results, self._open.boards, self._open.round)
        boards = list(self._open.boards)
        codes, made = self._outcomes([results[board] for board in boards], self._open.round, boards)
        away = {player: code_of_absence(reason) for player, reason in self._open.absent.items()}
        self._history.append(Round(boards, codes, self._open.bye, away, game_points=made))
        self._open = None

    def resolve(self, round: int, white: int, *, black: int, score: Score) -> None:
        """Record the result of a postponed game that has arrived.

        It counts from the next round that is paired; a pairing that is not recorded yet stays as it is.

        Parameters
        ----------
        round : int
            Round of the game.
        white, black : int
            Its players.
        score : float or str
            As in `record`, but not ``"postponed"``.

        Raises
        ------
        SwissError
            If there is no such game, or it has a result already.
        """
        past = self._past(round)
        if (white, black) not in past.boards:
            raise SwissError(f"round {round} has no game {white} - {black}; its boards are {past.boards}")
        board = past.boards.index((white, black))
        if past.codes[board] != (Code.POSTPONED, Code.POSTPONED):
            raise SwissError(f"round {round}, game {white} - {black} has a result already")
        (codes,), made = self._outcomes([score], round, [(white, black)])
        if codes == (Code.POSTPONED, Code.POSTPONED):
            raise SwissError(f"round {round}, game {white} - {black}: it is postponed already; give its result")
        past.codes[board] = codes
        past.game_points[board : board + 1] = made
        past.arrived[board] = self._next_round() - 1

    def add_round(
        self,
        results: Mapping[Board, Score],
        *,
        bye: int | None = None,
        absent: Mapping[int, str] | None = None,
    ) -> None:
        """Add a round that this system did not pair: the history of a real event.

        Parameters
        ----------
        results : mapping of (int, int) to float or str
            The boards in their order with their results, as in `record`.
        bye : int, optional
            The player with the pairing-allocated bye.
        absent : mapping of int to str, optional
            The others: ``"half"``, ``"full"`` or ``"zero"``.

        Raises
        ------
        SwissError
            If a player is named twice, or not at all though he is in the event. An open pairing of this round is dropped.
        """
        number = self.round
        if number > self.rounds:
            raise SwissError(f"all {self.rounds} rounds are there; a round {number} cannot be added")
        away = self._away(number, checked_absences(absent))
        boards = list(checked_mapping(results, f"round {number}: results", "{(1, 6): 1.0, (7, 2): 0.5}"))
        others = [*away, *([bye] if bye is not None else [])]
        check_named(boards, others, players=self._players, number=number)
        codes, made = self._outcomes(list(results.values()), number, boards)
        self._history.append(Round(boards, codes, bye, away, game_points=made))
        self._open = None

    def _outcomes(
        self, scores: Sequence[Score], round: int, boards: Sequence[Board]
    ) -> tuple[list[Outcome], list[GamePoints]]:
        """Return the codes of boards, and in a team event their game points."""
        given = list(zip(scores, boards, strict=True))
        if self._teams is None:
            return [codes_of(score, round, board) for score, board in given], []
        matches = [match_of(score, round, board, teams=self._teams) for score, board in given]
        return [codes for codes, _ in matches], [made for _, made in matches]

    # ------------------------------------------------------------------ coming and going

    def withdraw(self, player: int) -> None:
        """Take a player out of the event from the next round on."""
        self._check_player(player, "withdraw")
        if self._players[player].leaves is not None:
            raise SwissError(f"player {player} has withdrawn already")
        self._players[player].leaves = self._next_round()

    def add_player(self, rating: float, *, name: str = "") -> int:
        """Add a player from the next round on and return his number.

        He gets the number after the last one, so that nobody's number changes. For the pairing rules he takes his place by
        rating, after the players rated at least as high.
        """
        value = checked_rating(rating, "rating of the new player")
        number = max(self._players) + 1
        self._players[number] = Player(value, arrives=self._next_round(), name=name)
        place = 1 + max((k for k, p in enumerate(self._order) if self._players[p].rating >= value), default=-1)
        self._order.insert(place, number)
        for past in self._history:
            past.away[number] = NOT_HERE
        if self._open is not None:
            self._open = Pairing(
                self._open.round, self._open.boards, self._open.bye, {**self._open.absent, number: "not arrived"}
            )
        return number

    def _next_round(self) -> int:
        return self.round + 1 if self._open is not None else self.round

    # ------------------------------------------------------------------ checks

    def _check_player(self, player: object, where: str) -> None:
        check_player(player, self._players, where)

    def _past(self, round: int) -> Round:
        if not is_whole(round) or not 1 <= round <= len(self._history):
            raise SwissError(f"round {round!r} is not recorded; recorded are 1..{len(self._history)}")
        return self._history[round - 1]

    # ------------------------------------------------------------------ absences

    def _away(self, round: int, absent: Mapping[int, str]) -> dict[int, int]:
        """Return everybody who is not in the field of a round with his code."""
        away: dict[int, int] = {}
        for number, player in self._players.items():
            if round < player.arrives or (player.leaves is not None and round >= player.leaves):
                away[number] = NOT_HERE
        for given, reason in absent.items():
            self._check_player(given, f"round {round}, absent")
            if given in away:
                raise SwissError(
                    f"round {round}: player {given} is {self._reason(given, round, NOT_HERE)}; he cannot ask for a bye"
                )
            if not isinstance(reason, str) or reason not in REASONS:
                raise SwissError(
                    f"round {round}, player {given}: absence {reason!r} is unknown; it is one of {', '.join(REASONS)}"
                )
            away[int(given)] = REASONS[reason]
        return away

    def _expected(self, round: int) -> dict[int, str]:
        """Return the absences that a file announced for a round, of players who are still in the event."""
        gone = self._away(round, {})
        return {player: reason for player, reason in self._planned.get(round, {}).items() if player not in gone}

    def _reason(self, player: int, round: int, code: int) -> str:
        for reason, known in REASONS.items():
            if code == known:
                return reason
        return "not arrived" if round < self._players[player].arrives else "withdrawn"

    # ------------------------------------------------------------------ the core's view

    def _state(self, round: int, away: Mapping[int, int]) -> State:
        """Return a block of one tournament, loaded with the rounds before `round`."""
        arrays = self.arrays(round - 1)
        n = len(self._players)
        virtual = None
        if self._virtual:
            virtual = np.zeros((self.rounds, n), np.int16)
            for number, values in self._virtual.items():
                k = self._order.index(number)
                virtual[: len(values), k] = values[: self.rounds]
            arrays["score"][0, : round - 1] += virtual[: round - 1]
        state = State(
            **arrays,
            rating=np.array([[self._players[p].rating for p in self._order]], np.float64),
            initial_colour=np.array([1 if self.initial_colour == "white" else -1], np.int8),
            worth=self.points.worth,
            virtual=virtual,
            forfeits_count_as_met=self.system.forfeits_count_as_met,
        )
        state.load(round - 1)
        place = {number: k for k, number in enumerate(self._order)}
        for number, code in away.items():
            state.away[0, place[number]] = code
        state.forbid([(place[a], place[b]) for a, b, first, last in self._forbidden if first <= round <= last])
        return state

    def arrays(self, rounds: int | None = None) -> History:
        """Return the history as arrays of one tournament, players in pairing order (see `swisssim.results.Results`).

        Parameters
        ----------
        rounds : int, optional
            Only the first rounds, and of postponed games only the results that were known when the next was paired; all that
            is recorded by default.
        """
        history = self._history[:rounds]
        return history_arrays(history, self._order, rounds=self.rounds, worth=self.points.worth, known=rounds)

    def game_points(self) -> NDArray[np.int16] | None:
        """Return the game points of each team in each recorded round in tenths, ``(1, rounds, teams)``; None without teams."""
        if self._teams is None:
            return None
        return game_point_array(self._history, self._order, rounds=self.rounds, unplayed=self._teams.unplayed)
