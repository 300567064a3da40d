"""Loops of the metrics: histories of whole tournaments in, counts per tournament out (the definitions stand in the question rooms)."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t
from libc.stdlib cimport free, malloc

from swisssim._state cimport code_is_game


def colours(const int16_t[:, :, :] opponent, const int8_t[:, :, :] colour, const int8_t[:, :, :] result,
            const int16_t[:] rounds_paired, const int32_t[::1] quantile, int16_t[:, ::1] difference, int16_t[:, ::1] longest,
            int32_t[:, :, ::1] imbalance, int32_t[:, :, ::1] chances, int32_t[:, :, ::1] misses):
    """Follow every player's colours through the games that were played.

    Writes per player the final whites - blacks and the longest run of one colour; per round and quantile the sum of
    abs(whites - blacks) after the round, the games in which a player had a due colour and those in which he did not get it.
    """
    cdef Py_ssize_t t, i, r, q
    cdef int d, streak, run, here
    imbalance[...] = 0
    chances[...] = 0
    misses[...] = 0
    with nogil:
        for t in range(result.shape[0]):
            for i in range(result.shape[2]):
                d = 0
                streak = 0              # +k after k Whites in a row, -k after k Blacks
                run = 0
                q = quantile[i]
                for r in range(rounds_paired[t]):
                    here = colour[t, r, i]
                    if here != 0 and opponent[t, r, i] >= 0 and code_is_game(result[t, r, i]):
                        if d != 0 or streak != 0:
                            chances[t, r, q] += 1
                            # due: the colour played less; level: the opposite of the last
                            misses[t, r, q] += (here > 0) == ((d if d != 0 else streak) > 0)
                        d += here
                        streak = streak + here if streak * here > 0 else here
                        run = max(run, abs(streak))
                    imbalance[t, r, q] += abs(d)
                difference[t, i] = d
                longest[t, i] = run


def floats(const int16_t[:, :, :] opponent, const int16_t[:, :, :] score, const int16_t[:] rounds_paired,
           const int32_t[::1] quantile, int32_t[:, :, ::1] gaps, int32_t[:, :, :, ::1] counts, int32_t[:, :, ::1] repeated):
    """Count the games between players of different pairing scores.

    Writes ``gaps[tournament, round]``: boards, boards with a float, sum and maximum of the differences in tenths;
    ``counts[tournament, quantile, round]``: players with an opponent, floated down, floated up; and
    ``repeated[tournament, rounds ago - 1]``: players floated down who were floated down one or two rounds ago, the same up.
    """
    cdef Py_ssize_t t, i, r, q
    cdef int j, gap, way, before, earlier
    gaps[...] = 0
    counts[...] = 0
    repeated[...] = 0
    with nogil:
        for t in range(opponent.shape[0]):
            for i in range(opponent.shape[2]):
                before = 0
                earlier = 0
                q = quantile[i]
                for r in range(rounds_paired[t]):
                    j = opponent[t, r, i]
                    way = 0
                    if j >= 0:
                        gap = score[t, r, i] - score[t, r, j]
                        way = (gap > 0) - (gap < 0)     # 1: floated down, -1: floated up
                        counts[t, q, r, 0] += 1
                        if i < j:
                            gap = abs(gap)
                            gaps[t, r, 0] += 1
                            gaps[t, r, 1] += gap > 0
                            gaps[t, r, 2] += gap
                            gaps[t, r, 3] = max(gaps[t, r, 3], gap)
                    if way != 0:
                        counts[t, q, r, 1 if way > 0 else 2] += 1
                        repeated[t, 0, 0 if way > 0 else 1] += way == before
                        repeated[t, 1, 0 if way > 0 else 1] += way == earlier
                    earlier = before
                    before = way


def rating_gaps(const int16_t[:, :, :] opponent, const int16_t[:] rounds_paired, const double[:, :] rating, double[:, ::1] total,
                int32_t[:, ::1] boards):
    """Write per round the sum of the rating differences over the boards, and the number of boards."""
    cdef Py_ssize_t t, i, r, f
    cdef int j
    total[...] = 0
    boards[...] = 0
    with nogil:
        for t in range(opponent.shape[0]):
            f = t if rating.shape[0] > 1 else 0
            for r in range(rounds_paired[t]):
                for i in range(opponent.shape[2]):
                    j = opponent[t, r, i]
                    if j > i:
                        total[t, r] += abs(rating[f, i] - rating[f, j])
                        boards[t, r] += 1


def meetings(const int16_t[:, :, :] opponent, const int8_t[:, :, :] result, const int16_t[:] rounds_paired, const int32_t[:, :] first,
             const int32_t[:, :] second, int16_t[::1] round):
    """Write the first round (1-based) in which two players of each tournament had a game, 0 if they had none."""
    cdef Py_ssize_t t, r, f
    cdef int i
    with nogil:
        for t in range(opponent.shape[0]):
            round[t] = 0
            f = t if first.shape[0] > 1 else 0
            i = first[f, 0]
            for r in range(rounds_paired[t]):
                if opponent[t, r, i] == second[f, 0] and code_is_game(result[t, r, i]):
                    round[t] = <int16_t>(r + 1)
                    break


def bye_meetings(const int16_t[:, :, :] opponent, const int8_t[:, :, :] result, const int16_t[:] rounds_paired, int bye,
                 int32_t[:, ::1] games, int32_t[:, ::1] boards):
    """Write per round the boards between two players who had the code `bye` in earlier rounds, and all boards."""
    cdef Py_ssize_t t, i, r
    cdef int j
    cdef int8_t* had = <int8_t*>malloc(max(opponent.shape[2], 1))
    if had == NULL:
        raise MemoryError("no memory for the byes of one tournament")
    games[...] = 0
    boards[...] = 0
    with nogil:
        for t in range(opponent.shape[0]):
            for i in range(opponent.shape[2]):
                had[i] = 0
            for r in range(rounds_paired[t]):
                for i in range(opponent.shape[2]):
                    j = opponent[t, r, i]
                    if j > i:
                        boards[t, r] += 1
                        games[t, r] += had[i] and had[j]
                for i in range(opponent.shape[2]):
                    had[i] |= result[t, r, i] == bye
    free(had)


# ---- Kendall

cdef int64_t count_swaps(int32_t* values, int32_t* spare, int n) noexcept nogil:
    """Sort the values by merging and return the number of pairs that stood in strictly falling order."""
    cdef int width = 1, start, middle, end, a, b, k
    cdef int64_t swaps = 0
    cdef int32_t* other
    while width < n:
        start = 0
        while start < n:
            middle = min(start + width, n)
            end = min(start + 2 * width, n)
            a = start
            b = middle
            for k in range(start, end):
                if a < middle and (b >= end or values[a] <= values[b]):
                    spare[k] = values[a]
                    a += 1
                else:
                    swaps += middle - a
                    spare[k] = values[b]
                    b += 1
            start = end
        other = values
        values = spare
        spare = other
        width *= 2
    return swaps


cdef int64_t tied_pairs(const int32_t* count, int n) noexcept nogil:
    cdef int k
    cdef int64_t pairs = 0
    for k in range(n):
        pairs += <int64_t>count[k] * (count[k] - 1) // 2
    return pairs


cdef void sort_piece(int32_t* values, int start, int end, int64_t* equal) noexcept nogil:
    """Sort values[start:end] by insertion (few players share a rank of x) and add its equal pairs to `equal`."""
    cdef int k, j
    cdef int32_t value
    for k in range(start + 1, end):
        value = values[k]
        j = k - 1
        while j >= start and values[j] > value:
            values[j + 1] = values[j]
            j -= 1
        values[j + 1] = value
    j = start
    for k in range(start + 1, end):
        if values[k] != values[j]:
            j = k
        else:
            equal[0] += k - j


cdef int64_t discordant(const int32_t* x, const int32_t* y, int n, int32_t* first, int32_t* second, int64_t* tied) noexcept nogil:
    """Return the discordant pairs of two rankings 1..n with ties; `tied` gets the pairs tied in x, in y and in both."""
    cdef int k, i, start, end
    # Count x, then place y in the order of x (counting sort): `second[rank]` is the next free place of that rank.
    for k in range(n + 1):
        first[k] = 0
        second[k] = 0
    for i in range(n):
        first[y[i]] += 1
    tied[1] = tied_pairs(first, n + 1)
    for i in range(n):
        second[x[i]] += 1
    tied[0] = tied_pairs(second, n + 1)
    start = 0
    for k in range(n + 1):
        end = start + second[k]
        second[k] = start
        start = end
    for i in range(n):
        first[second[x[i]]] = y[i]
        second[x[i]] += 1
    # Pairs inside one rank of x are ties, not discordant: sorted, they don't fall. After the loop above second[k] is the end of rank k.
    tied[2] = 0
    start = 0
    for k in range(n + 1):
        end = second[k]
        sort_piece(first, start, end, &tied[2])
        start = end
    return count_swaps(first, second, n)


def kendall(const int32_t[:, ::1] x, const int32_t[:, ::1] y, int64_t[:, ::1] out):
    """Write, per tournament, concordant - discordant pairs, pairs tied in x and pairs tied in y.

    `x` and `y` hold ranks 1..n, shared where players are level; x may have one row for all tournaments.
    """
    cdef Py_ssize_t t, f
    cdef int n = <int>y.shape[1]
    cdef int64_t[3] tied
    cdef int64_t against
    cdef int32_t* memory
    if n == 0:
        out[...] = 0
        return
    memory = <int32_t*>malloc(2 * (<size_t>n + 1) * sizeof(int32_t))
    if memory == NULL:
        raise MemoryError("no memory to compare two rankings")
    with nogil:
        for t in range(y.shape[0]):
            f = t if x.shape[0] > 1 else 0
            against = discordant(&x[f, 0], &y[t, 0], n, memory, memory + n + 1, tied)
            out[t, 0] = <int64_t>n * (n - 1) // 2 - tied[0] - tied[1] + tied[2] - 2 * against
            out[t, 1] = tied[0]
            out[t, 2] = tied[1]
    free(memory)
