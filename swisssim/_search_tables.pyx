"""The searches on tables, for Python: who may be paired with whom, and in which order each position tries the others.

The rooms describe their candidates by functions; a table can describe any order at all, which is what the tests need.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

import numpy as np

from swisssim._bits cimport test_bit
from swisssim._search cimport can_pair, first_assignment, first_bye, first_pairing
from swisssim._state cimport PAIRED, State


# Who may be paired with whom, and in which order each position tries the others.
cdef struct Table:
    int m
    const uint8_t* allowed
    const int32_t* order


cdef bint allowed_in_table(State s, void* room, int i, int j) noexcept nogil:
    cdef Table* table = <Table*>room
    return table.allowed[<size_t>i * table.m + j]


cdef int next_in_table(State s, void* room, const uint64_t* open, int m, int leader, int32_t* cursor) noexcept nogil:
    cdef const int32_t* order = (<Table*>room).order + <size_t>leader * m
    cursor[0] += 1
    while cursor[0] < m:
        if order[cursor[0]] != leader and test_bit(open, order[cursor[0]]):
            return order[cursor[0]]
        cursor[0] += 1
    return -1


def pairing_by_table(State s, const uint8_t[:, ::1] allowed, const int32_t[:, ::1] order):
    """Return the first complete pairing of positions as (status, [(leader, partner), ...]).

    Parameters
    ----------
    s : State
        A block without history; gives scratch memory, node budget and trace.
    allowed : ndarray of uint8, (m, m)
        Symmetric; 1 where two positions may be paired.
    order : ndarray of int32, (m, m)
        Row i: the candidates of position i in order of trial, itself included (it is passed over).
    """
    cdef int m = allowed.shape[0], status
    cdef int32_t[::1] partner = np.full(m + 1, -1, np.int32)
    cdef int32_t[::1] sequence = np.zeros(m + 1, np.int32)
    cdef Table table
    if m == 0:
        return PAIRED, []
    table.m, table.allowed, table.order = m, &allowed[0, 0], &order[0, 0]
    with nogil:
        s.select(0, 1)
        s.prepare()
        status = first_pairing(s, &table, m, allowed_in_table, next_in_table, &partner[0], &sequence[0], 0, NULL)
    return status, [(sequence[k], partner[sequence[k]]) for k in range(m // 2)] if status == PAIRED else []


def can_pair_by_table(State s, const uint8_t[:, ::1] allowed):
    """Return the status of the question whether all positions can be paired; see `pairing_by_table`."""
    cdef int status
    cdef Table table
    if allowed.shape[0] == 0:
        return PAIRED
    table.m, table.allowed, table.order = allowed.shape[0], &allowed[0, 0], NULL
    with nogil:
        s.select(0, 1)
        s.prepare()
        status = can_pair(s, &table, table.m, allowed_in_table)
    return status


def bye_by_table(State s, const uint8_t[:, ::1] allowed, const int32_t[::1] candidates):
    """Return (status, place in `candidates`) of the first without whom all the others can be paired; see `pairing_by_table`."""
    cdef int status, chosen
    cdef Table table
    table.m, table.allowed, table.order = allowed.shape[0], &allowed[0, 0], NULL
    with nogil:
        s.select(0, 1)
        s.prepare()
        status = first_bye(s, &table, table.m, allowed_in_table, &candidates[0], candidates.shape[0], &chosen, 0, NULL)
    return status, chosen


def assignment_by_table(State s, const uint64_t[:, ::1] rows):
    """Return the first complete assignment as (status, [lower position of each upper one]).

    Parameters
    ----------
    s : State
        Gives scratch memory and node budget.
    rows : ndarray of uint64, (m, (m + 63) // 64)
        Bit v of row u is set where the upper position u may take the lower position v.
    """
    cdef int m = rows.shape[0], status
    cdef int32_t[::1] partner = np.full(m + 1, -1, np.int32)
    if m == 0:
        return PAIRED, []
    with nogil:
        s.select(0, 1)
        s.prepare()
        status = first_assignment(s, m, &rows[0, 0], &partner[0])
    return status, [partner[u] for u in range(m)] if status == PAIRED else []
