"""Groups of equal proportions: a mechanism whose rows are rearranged inside the groups loses nothing; duals go by
counts."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point
from rropt.mechanisms import Mechanism
from rropt.mechanisms.information import information_inverse
from rropt_proofs.rropt import PAPER
from rropt_proofs.rropt._designs import Matrix, dot, matrix, numbers, population, private
from rropt_proofs.rropt._orbits import rearrangements

Case = dict[str, Any]


def _made(group: tuple[int, ...], share: Any, rows: Matrix, dual: Any) -> Case | None:
    """Return the case with the efficient estimate of the proportions, if there is one."""
    pi, order = [share[g] for g in group], range(len(group))
    inverse = information_inverse(Mechanism(rows), pi)
    if inverse is None:
        return None
    means = [dot(row, pi) for row in rows]
    estimates = tuple(tuple(dot(line, row) / s for line in inverse) for row, s in zip(rows, means, strict=True))
    a, blocks, bits, gamma = dual
    return {
        "group": group,
        "share": tuple(share),
        "P": rows,
        "A": estimates,
        "unit": tuple(tuple(Fraction(i == j) for j in order) for i in order),
        "a": a,
        "B": blocks,
        "bits": bits,
        "gamma": gamma,
    }


def _case(group: str, share: str, rows: str, bits: str, a: str, blocks: str) -> Case:
    dual = (numbers(a), matrix(blocks), numbers(bits), Fraction(2))
    found = _made(tuple(map(int, group.split())), numbers(share), matrix(rows), dual)
    assert found is not None
    return found


def _draw(rng: random.Random) -> Case:
    while True:
        k = rng.randint(2, 3)
        group = tuple(sorted(rng.randint(0, 1) for _ in range(k)))
        group = group if group[0] == 0 else (0,) * k
        weights = population(rng, max(group) + 1)
        share = tuple(w / group.count(g) for g, w in enumerate(weights))
        gamma = 1 + Fraction(rng.randint(1, 30), 10)
        g = len(share)
        blocks = tuple(tuple(Fraction(rng.randint(-4, 4), 2) for _ in range(g)) for _ in range(g))
        own = tuple(Fraction(rng.randint(-4, 4), 2) for _ in range(g))
        bits = tuple(Fraction(rng.randint(0, 1)) for _ in range(k))
        found = _made(group, share, private(rng, k, 2, gamma), (own, blocks, bits, gamma))
        if found is not None:
            return found


def _pattern(found: Case) -> list[Fraction]:
    return [1 + (found["gamma"] - 1) * bit for bit in found["bits"]]


def _tails(found: Case) -> list[Fraction]:
    """Return t_g, the sum of the entries of the pattern times the block of their group and g."""
    entries = list(zip(_pattern(found), found["group"], strict=True))
    return [sum((s * found["B"][f][g] for s, f in entries), Fraction(0)) for g in range(len(found["share"]))]


def theory(point: Point) -> dict[str, Any]:
    """Unbiased, as before; with the same moment; and the square of a pattern by its counts."""
    found, j, x = (point[name] for name in ("case", "j", "l"))
    pi = [found["share"][g] for g in found["group"]]
    square = Fraction(0)
    for g, (a, t) in enumerate(zip(found["a"], _tails(found), strict=True)):
        count = sum((bit for bit, own in zip(found["bits"], found["group"], strict=True) if own == g), Fraction(0))
        square += count * (found["gamma"] * a + t) ** 2 + (found["group"].count(g) - count) * (a + t) ** 2
    return {
        "column": Fraction(1),
        "mean": Fraction(j == x),
        "second moment": sum(
            (dot(own, own) * dot(row, pi) for own, row in zip(found["A"], found["P"], strict=True)), Fraction(0)
        ),
        "square of a pattern": square,
    }


def computed(point: Point) -> dict[str, Any]:
    """Of the mechanism that rearranges at random, answer by answer; and of the whole matrix W."""
    found, j, x = (point[name] for name in ("case", "j", "l"))
    pi = [found["share"][g] for g in found["group"]]
    ways, order = rearrangements(found["group"]), range(len(pi))
    column = mean = moment = Fraction(0)
    for row, own in zip(found["P"], found["A"], strict=True):
        for way in ways:
            chances, estimate = [row[way[i]] / len(ways) for i in order], [own[way[i]] for i in order]
            column += chances[j]
            mean += chances[j] * estimate[x]
            moment += dot(estimate, estimate) * dot(chances, pi)
    group = found["group"]
    whole = [[found["B"][group[i]][group[h]] + (found["a"][group[i]] if i == h else 0) for h in order] for i in order]
    products = [dot(_pattern(found), line) for line in zip(*whole, strict=True)]
    return {"column": column, "mean": mean, "second moment": moment, "square of a pattern": dot(products, products)}


def mutant(point: Point) -> dict[str, Any]:
    """A tenth less for the mechanism that rearranges."""
    said = theory(point)
    return {**said, "second moment": said["second moment"] * Fraction(9, 10)}


CLAIM = Claim(
    id="rropt.orbits",
    source=f"{PAPER}, groups of equal shares",
    place=(9, 5),
    printed=r"Let the $k$ categories stand in groups of equal shares, and let $G$ be the permutations that keep the "
    r"groups. For every $\varepsilon$-private mechanism $P$ and every unbiased estimate $a_i$ of the shares, the "
    r"mechanism that draws $\sigma\in G$, with the answers $(i,\sigma)$ of chances $p_{i\sigma(j)}/|G|$ and the "
    r"estimates $a_{i\sigma(l)}$, keeps $\varepsilon$, is unbiased, and has the same trace of the covariance. So a "
    r"design of orbits is A-optimal among all mechanisms. For $W=\operatorname{diag}(a_g)+(B_{gh})$, constant on the "
    r"blocks of groups, and a pattern with $c_g$ of $n_g$ entries $\gamma$ in group $g$, $|SW|^2=\sum_gc_g(\gamma "
    r"a_g+t_g)^2+(n_g-c_g)(a_g+t_g)^2$, with $t_g=\sum_f(n_f+(\gamma-1)c_f)B_{fg}$: a dual is decided by "
    r"$\prod(n_g+1)$ counts.",
    precise="For any k, groups, and number of answers; the rows (i, sigma) have the entries of the row i, so its "
    "ratios. Each sigma adds up the same cells: sum_i p_i,sigma(j) a_i,sigma(l) is 1 if j = l, as sigma is one to "
    "one, else 0; the squares of the estimate and p_i . pi do not change, as pi is the same inside a group. The "
    "efficient estimate of the orbits is not worse than this one, so that the least trace over designs of orbits is "
    "that over all mechanisms; a row is a mixture of patterns (`rropt.patterns`), whose orbits are designs by "
    "counts. alpha . S and S . pi are sums by counts too, so that the inequality of a dual (`rropt.cones`, with all "
    "patterns as rays and beta = 0) holds for all patterns if it does for one of each count.",
    variables={
        "case": Domain(
            "groups, their shares, a mechanism, its unbiased estimates, and blocks with a pattern",
            (
                _case("0 0", "1/2", "3/4 1/4;1/4 3/4", "1 0", "1", "-1"),
                _case("0 0 1", "1/4 1/2", "1/2 1/4 1/4;1/4 1/2 1/4;1/4 1/4 1/2", "1 1 0", "1 2", "1 -1;1/2 2"),
                _case(
                    "0 0 1 1",
                    "1/3 1/6",
                    "4/7 1/7 1/7 1/7;1/7 4/7 1/7 1/7;1/7 1/7 4/7 1/7;1/7 1/7 1/7 4/7",
                    "1 0 1 1",
                    "2 -1",
                    "0 1;3 -1/2",
                ),
            ),
            _draw,
            entries={("bits",): "x*x == x"},
            whole_groups=lambda found: [
                [("P", i, j) for i in range(len(found["P"]))] for j in range(len(found["group"]))
            ],
        ),
        "j": Domain.whole("a category", 0, 2),
        "l": Domain.whole("another one", 0, 2),
    },
    assumptions=(
        Condition("j and l are categories", lambda point: max(point["j"], point["l"]) < len(point["case"]["group"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=20,
    notes="Averaging over a group under which the problem stays the same is the usual argument of invariant designs "
    "(Kiefer; Pukelsheim, Optimal design of experiments, 1993, chapter 13). For private mechanisms: Ye and Barg, "
    "Optimal schemes for discrete distribution estimation under locally differential privacy (IEEE Trans. Inf. "
    "Theory 64, 2018), at equal shares; Nam, Park and Lee, Optimal privacy-utility trade-offs in LDP: functional and "
    "geometric perspectives (arXiv 2605.02319, 2026), for groups that act transitively. Several groups of equal "
    "shares were not found in the literature. Rule 14 of the checker goes by counts.",
)
