"""Matchings against networkx and against brute force; repaired matchings against fresh ones."""

import random
from collections.abc import Callable
from functools import cache

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swisssim._matching.lists import (
    BipartiteGraph,
    Graph,
    WeightedMatching,
    bipartite_matching,
    maximum_matching,
)

Edge = tuple[int, int]
Weights = dict[Edge, int]
Kind = Callable[[random.Random, int], int]

DENSITIES = (0.03, 0.07, 0.12, 0.2, 0.4, 0.8, 0.97)


def random_edges(rng: random.Random, n: int, density: float) -> list[Edge]:
    """Edges of a random graph on shuffled vertex numbers, each pair with the probability `density`."""
    names = rng.sample(range(n), n)
    return [(names[i], names[j]) for i in range(n) for j in range(i) if rng.random() < density]


def checked_size(mate: list[int], edges: list[Edge]) -> int:
    """Return the number of pairs after checking that they are mutual and joined."""
    joined = set(edges) | {(j, i) for i, j in edges}
    for i, j in enumerate(mate):
        assert j == -1 or (mate[j] == i and (i, j) in joined)
    return sum(j > i for i, j in enumerate(mate))


def checked_bipartite_size(mate: list[int], edges: list[Edge]) -> int:
    """The same for two sides: joined, and no right vertex taken twice."""
    pairs = [(i, j) for i, j in enumerate(mate) if j >= 0]
    assert set(pairs) <= set(edges)
    assert len({j for _, j in pairs}) == len(pairs)
    return len(pairs)


def best_size(edges: list[Edge]) -> int:
    return len(nx.max_weight_matching(nx.Graph(edges), maxcardinality=True))


def best_bipartite_size(left: int, edges: list[Edge]) -> int:
    graph = nx.Graph()
    graph.add_nodes_from(range(left))
    graph.add_edges_from((i, left + j) for i, j in edges)
    return len(nx.bipartite.hopcroft_karp_matching(graph, range(left))) // 2


def without(edges: list[Edge], gone: set[int]) -> list[Edge]:
    return [(i, j) for i, j in edges if i not in gone and j not in gone]


@pytest.mark.parametrize("density", DENSITIES)
def test_maximum_matching_has_the_size_that_networkx_finds(density: float) -> None:
    rng = random.Random(f"general {density}")
    for _ in range(250):
        n = rng.randint(0, 26)
        edges = random_edges(rng, n, density)
        assert checked_size(maximum_matching(n, edges), edges) == best_size(edges)


@pytest.mark.parametrize(("n", "density"), [(150, 0.01), (150, 0.02), (130, 0.5), (129, 0.99)])
def test_maximum_matching_on_more_than_two_words(n: int, density: float) -> None:
    rng = random.Random(f"wide {n} {density}")
    for _ in range(3):
        edges = random_edges(rng, n, density)
        assert checked_size(maximum_matching(n, edges), edges) == best_size(edges)


def test_nested_blossoms() -> None:
    """Chains of odd cycles that share a vertex, in every numbering tried: all but one vertex can be matched."""
    rng = random.Random(5)
    for _ in range(200):
        edges: list[Edge] = []
        n = 1
        for _ in range(rng.randint(2, 6)):
            length = rng.choice((2, 4))
            cycle = [rng.randrange(n), *range(n, n + length)]
            edges += zip(cycle, cycle[1:] + cycle[:1], strict=True)
            n += length
        names = rng.sample(range(n), n)
        edges = [(names[i], names[j]) for i, j in edges]
        assert checked_size(maximum_matching(n, edges), edges) == n // 2


@pytest.mark.parametrize("n", [1000, 1501])
def test_nearly_complete_graphs_are_matched_but_for_isolated_vertices(n: int) -> None:
    rng = random.Random(n)
    missing = {(rng.randrange(n), rng.randrange(n)) for _ in range(300)}
    lonely = set(rng.sample(range(n), 3))
    edges = [
        (i, j) for i in range(n) for j in range(i) if (i, j) not in missing and i not in lonely and j not in lonely
    ]
    assert sum(j >= 0 for j in maximum_matching(n, edges)) == (n - 3) // 2 * 2


@pytest.mark.parametrize("density", DENSITIES)
def test_vertices_that_are_not_alive_take_no_part(density: float) -> None:
    rng = random.Random(f"alive {density}")
    for _ in range(60):
        n = rng.randint(1, 24)
        edges = random_edges(rng, n, density)
        gone = {v for v in range(n) if rng.random() < 0.3}
        mate = Graph(n, edges).maximum_matching(alive=set(range(n)) - gone)
        assert checked_size(mate, without(edges, gone)) == best_size(without(edges, gone))


@pytest.mark.parametrize("density", DENSITIES)
def test_augment_repairs_a_matching_after_deletions(density: float) -> None:
    """Vertices go one by one; the widowed mate is the root of one search, and the matching is the largest again."""
    rng = random.Random(f"augment {density}")
    for _ in range(25):
        n = rng.randint(2, 20)
        edges = random_edges(rng, n, density)
        graph = Graph(n, edges)
        mate = graph.maximum_matching()
        gone: set[int] = set()
        for v in rng.sample(range(n), n // 2):
            widow = mate[v]
            gone.add(v)
            if widow < 0:
                continue
            mate[v] = mate[widow] = -1
            mate = graph.augment(mate, widow, alive=set(range(n)) - gone) or mate
            assert checked_size(mate, without(edges, gone)) == best_size(without(edges, gone))


@pytest.mark.parametrize("density", DENSITIES)
def test_even_ends_are_where_one_more_vertex_would_complete_the_matching(density: float) -> None:
    rng = random.Random(f"ends {density}")
    for _ in range(30):
        n = rng.randint(1, 16)
        edges = random_edges(rng, n, density)
        mate = Graph(n, edges).maximum_matching()
        exposed = [v for v in range(n) if mate[v] < 0]
        if not exposed:
            continue
        root = rng.choice(exposed)
        size = (n - len(exposed)) // 2
        present = without(edges, set(exposed) - {root})
        completing = [v for v in range(n) if best_size([*present, (v, n)]) > size and (mate[v] >= 0 or v == root)]
        assert Graph(n, edges).even_ends(mate, root) == completing


def test_growing_from_a_matching_keeps_its_vertices_matched() -> None:
    rng = random.Random(9)
    for _ in range(100):
        n = rng.randint(2, 20)
        edges = random_edges(rng, n, 0.3)
        mate = [-1] * n
        for i, j in edges[: n // 4]:
            if mate[i] < 0 and mate[j] < 0:
                mate[i], mate[j] = j, i
        grown = Graph(n, edges).maximum_matching(mate=mate)
        assert checked_size(grown, edges) == best_size(edges)
        assert all(grown[v] >= 0 for v in range(n) if mate[v] >= 0)


@pytest.mark.parametrize("density", DENSITIES)
def test_bipartite_matching_has_the_size_that_networkx_finds(density: float) -> None:
    rng = random.Random(f"sides {density}")
    for _ in range(100):
        left, right = rng.randint(0, 80), rng.randint(0, 80)
        edges = [(i, j) for i in range(left) for j in range(right) if rng.random() < density / 3]
        assert checked_bipartite_size(bipartite_matching(left, right, edges), edges) == best_bipartite_size(left, edges)


@pytest.mark.parametrize("density", DENSITIES)
def test_bipartite_augment_adds_left_vertices_one_by_one(density: float) -> None:
    rng = random.Random(f"one by one {density}")
    for _ in range(30):
        left, right = rng.randint(1, 20), rng.randint(1, 20)
        edges = [(i, j) for i in range(left) for j in range(right) if rng.random() < density]
        alive_right = {j for j in range(right) if rng.random() < 0.8}
        allowed = [(i, j) for i, j in edges if j in alive_right]
        graph = BipartiteGraph(left, right, edges)
        mate = [-1] * left
        for i in range(left):
            alive = range(i + 1)
            mate = graph.augment(mate, i, alive_left=alive, alive_right=alive_right) or mate
            assert checked_bipartite_size(mate, allowed) == best_bipartite_size(left, [e for e in allowed if e[0] <= i])
            again = graph.maximum_matching(alive_left=alive, alive_right=alive_right)
            assert checked_bipartite_size(again, allowed) == sum(j >= 0 for j in mate)


# ---- weights


def brute_force(n: int, weights: Weights) -> int:
    """Weight of the heaviest matching, by trying the lowest vertex of every set with everyone."""

    @cache
    def best(open_: int) -> int:
        if not open_:
            return 0
        i = (open_ & -open_).bit_length() - 1
        rest = open_ & (open_ - 1)
        partners = [j for j in range(i + 1, n) if rest >> j & 1 and (i, j) in weights]
        return max([best(rest)] + [weights[i, j] + best(rest & ~(1 << j)) for j in partners])

    return best((1 << n) - 1)


def solved_weight(graph: WeightedMatching, weights: Weights) -> int:
    """Solve, check that the pairs are mutual and joined, and return their weight, which must be what the graph says."""
    mate = graph.solve()
    assert mate is not None
    checked_size(mate, list(weights))
    total = sum(weights[i, j] for i, j in enumerate(mate) if j > i)
    assert graph.total() == total
    return total


def build(n: int, words: int, weights: Weights) -> WeightedMatching:
    graph = WeightedMatching(n, words)
    for (i, j), weight in weights.items():
        graph.set_edge(j, i, weight)
    return graph


def few(rng: random.Random, words: int) -> int:
    return rng.randint(0, 3)


def signed(rng: random.Random, words: int) -> int:
    return rng.randint(-5, 10)


def huge(rng: random.Random, words: int) -> int:
    return rng.randrange(-(1 << (64 * words - 12)), 1 << (64 * words - 7))


def levels(rng: random.Random, words: int) -> int:
    """Small digits in every word: ties on top, decisions below."""
    return sum(rng.randint(0, 2) << (64 * k) for k in range(words))


def bits(rng: random.Random, words: int) -> int:
    """A few single bits anywhere, so that sums carry from word to word."""
    return sum(1 << rng.randrange(64 * words - 9) for _ in range(3))


KINDS = (few, signed, huge, levels, bits)


def random_weights(rng: random.Random, n: int, words: int, kind: Kind, density: float) -> Weights:
    return {(i, j): kind(rng, words) for i in range(n) for j in range(i + 1, n) if rng.random() < density}


def change(
    rng: random.Random, graph: WeightedMatching, weights: Weights, v: int, n: int, fresh: Callable[[], int]
) -> None:
    """Change some edges of v in the graph and in the dictionary alike."""
    for u in range(n):
        edge, lot = (min(u, v), max(u, v)), rng.random()
        if u == v:
            continue
        if lot < 0.3:
            weights[edge] = fresh()
            graph.set_edge(v, u, weights[edge])
        elif lot < 0.45:
            weights.pop(edge, None)
            graph.clear_edge(v, u)
        elif lot < 0.6:
            bonus = rng.randint(-2, 0)
            graph.add(v, u, bonus)
            if edge in weights:
                weights[edge] += bonus


def remove_pair(rng: random.Random, graph: WeightedMatching, weights: Weights, n: int) -> None:
    """Remove a vertex and its mate."""
    v = rng.randrange(n)
    mate = graph.solve()
    assert mate is not None
    for u in {v, mate[v]} - {-1}:
        graph.remove(u)
        for edge in [edge for edge in weights if u in edge]:
            del weights[edge]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("words", [1, 2, 3, 5])
def test_weighted_matching_is_the_heaviest_and_stays_so_after_changes(kind: Kind, words: int) -> None:
    rng = random.Random(f"{kind.__name__} {words}")
    for _ in range(25):
        n = rng.randint(2, 10)
        weights = random_weights(rng, n, words, kind, rng.choice((0.3, 0.6, 1)))
        graph = build(n, words, weights)
        assert solved_weight(graph, weights) == brute_force(n, weights)
        for _ in range(6):
            for v in rng.sample(range(n), rng.choice((1, 1, 2))):
                change(rng, graph, weights, v, n, lambda: kind(rng, words) // 2)
            if rng.random() < 0.2:
                remove_pair(rng, graph, weights, n)
            assert solved_weight(graph, weights) == brute_force(n, weights)


@pytest.mark.parametrize("maxcardinality", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_weighted_matching_against_networkx(kind: Kind, maxcardinality: bool) -> None:
    rng = random.Random(f"networkx {kind.__name__} {maxcardinality}")
    for _ in range(12):
        n, words = rng.randint(10, 45), rng.randint(1, 3)
        weights = random_weights(rng, n, words, kind, rng.choice((0.06, 0.12, 0.4, 1)))
        graph = nx.Graph()
        graph.add_weighted_edges_from((i, j, weight) for (i, j), weight in weights.items())
        pairs = nx.max_weight_matching(graph, maxcardinality=maxcardinality)
        expected = sum(weights[min(pair), max(pair)] for pair in pairs)
        edge_digit = maxcardinality << (64 * words + 6)
        lifted = {edge: weight + edge_digit for edge, weight in weights.items()}
        total = solved_weight(build(n, words + maxcardinality, lifted), lifted)
        assert total == expected + edge_digit * len(pairs)


@pytest.mark.parametrize("words", [1, 2, 4, 16])
def test_repaired_matchings_equal_fresh_ones_on_larger_graphs(words: int) -> None:
    """A sequence of decisions: bonuses on one vertex's edges, then only its pair is kept, then both are removed."""
    rng = random.Random(f"decisions {words}")
    n = 40
    weights = {
        (i, j): (1 << (64 * words - 12)) + levels(rng, words) // 4 + (rng.randrange(1000) << 8)
        for i in range(n)
        for j in range(i + 1, n)
        if rng.random() < 0.8
    }
    graph = build(n, words, weights)
    for v in range(0, n, 2):
        for u in range(n):
            edge = (min(u, v), max(u, v))
            if edge in weights:
                bonus = rng.randrange(8)
                weights[edge] += bonus
                graph.add(v, u, bonus)
        total = solved_weight(graph, weights)
        assert total == solved_weight(build(n, words, weights), weights)
        mate = graph.solve()
        assert mate is not None
        for u in set(range(n)) - {v, mate[v]}:
            weights.pop((min(u, v), max(u, v)), None)
            graph.clear_edge(v, u)
        assert solved_weight(graph, weights) == total
        if v % 6 == 0:
            remove_pair(rng, graph, weights, n)
            assert solved_weight(graph, weights) == solved_weight(build(n, words, weights), weights)


def test_changes_that_leave_the_matching_best_keep_it() -> None:
    """Deleting edges outside the matching, or adding to an edge in it, changes no mate."""
    rng = random.Random(11)
    for _ in range(40):
        n = rng.randint(4, 12)
        weights = random_weights(rng, n, 2, huge, 1)
        graph = build(n, 2, weights)
        mate = graph.solve()
        assert mate is not None
        for i, j in weights:
            if mate[i] != j and rng.random() < 0.5:
                graph.clear_edge(i, j)
            elif mate[i] == j:
                graph.add(i, j, rng.randrange(1000))
        assert graph.solve() == mate


def test_a_cancelled_solve_can_be_taken_up_again() -> None:
    rng = random.Random(12)
    weights = random_weights(rng, 30, 1, huge, 1)
    graph = build(30, 1, weights)
    assert graph.solve(cancel=True) is None
    assert solved_weight(graph, weights) == solved_weight(build(30, 1, weights), weights)


@st.composite
def weighted_graphs(draw: st.DrawFn) -> tuple[int, int, Weights]:
    n, words = draw(st.integers(1, 9)), draw(st.integers(1, 4))
    bound = 2 ** (64 * words - 7)
    number = st.one_of(st.integers(-bound, bound - 1), st.integers(-3, 3), st.sampled_from([bound - 1, -bound, 2**56]))
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    return n, words, draw(st.dictionaries(st.sampled_from(pairs), number)) if pairs else {}


@given(weighted_graphs(), st.data())
@settings(deadline=None, max_examples=150)
def test_any_weights_that_fit_are_exact(case: tuple[int, int, Weights], data: st.DataObject) -> None:
    n, words, weights = case
    graph = WeightedMatching(n, words)
    for (i, j), weight in weights.items():
        graph.set_edge(i, j, weight)
        assert graph.weight(j, i) == weight
    mate = graph.solve()
    assert mate is not None
    assert sum(weights[i, j] for i, j in enumerate(mate) if j > i) == brute_force(n, weights)
    for edge in data.draw(st.lists(st.sampled_from(sorted(weights)), unique=True)) if weights else []:
        del weights[edge]
        graph.clear_edge(*edge)
        assert graph.weight(*edge) is None
    mate = graph.solve()
    assert mate is not None
    assert sum(weights[i, j] for i, j in enumerate(mate) if j > i) == brute_force(n, weights)


# ---- input that makes no sense


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: maximum_matching(-1, []), "n is -1"),
        (lambda: maximum_matching(3, [(0, 3)]), "edge end 3 is not a vertex; vertices are 0..2"),
        (lambda: maximum_matching(3, [(1, 1)]), r"edge \(1, 1\) joins a vertex to itself"),
        (lambda: bipartite_matching(2, -3, []), "right is -3"),
        (lambda: bipartite_matching(2, 1, [(1, 1)]), "right edge end 1"),
        (lambda: Graph(3, [(0, 1)]).maximum_matching(mate=[2, -1, 0]), "vertex 0 cannot begin with mate 2"),
        (lambda: Graph(3, [(0, 1)]).maximum_matching(mate=[-1]), "mate has 1 entries"),
        (lambda: Graph(3, [(0, 1)]).maximum_matching(alive=[5]), "alive vertex 5"),
        (lambda: Graph(2, [(0, 1)]).augment([1, 0], 0), "root 0 is matched or not alive"),
        (lambda: Graph(3, [(0, 1), (1, 2)]).even_ends([-1, -1, -1], 0), "not a largest matching"),
        (lambda: BipartiteGraph(2, 1, [(0, 0), (1, 0)]).maximum_matching(mate=[0, 0]), "left vertex 1"),
        (lambda: BipartiteGraph(1, 1, [(0, 0)]).augment([0], 0), "root 0 is matched"),
        (lambda: WeightedMatching(-1), "n is -1"),
        (lambda: WeightedMatching(3, 0), "words is 0"),
        (lambda: WeightedMatching(3, 1).set_edge(0, 1, 2**57), "does not fit 1 words"),
        (lambda: WeightedMatching(3, 1).set_edge(1, 1, 0), "joins a vertex to itself"),
        (lambda: WeightedMatching(3, 1).remove(3), "vertex 3 is not a vertex"),
    ],
)
def test_senseless_input_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
