"""The cost of one report of a design: family, probabilities, outputs, bits; losses of GRR and of shorter reports."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

from rropt.core.exact import as_text, decimal_text
from rropt.core.exact.display import both_texts
from rropt.core.visible import size_text, with_noun
from rropt.designs.block_designs import limit_of_formulas, shorter_blocks, value_of_blocks
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.mechanisms.client_tables import family_of
from rropt.mechanisms.families import AllSubsets, BlockMechanism, Direct, RevealedBlocks, as_memberships

_LOSSES = (Fraction(1, 1000), Fraction(1, 100), Fraction(1, 10))  # relative: the shortest report within the first one
_LONGEST = 12  # characters of an exact probability that is printed
_LONG = 64  # bits of a report from which on it is stated in bytes
_MOST_READ = 100  # categories of a matrix that is compared with k-ary randomized response
_NEAR = Fraction(1, 10**6)  # relative: how far a design at an irrational level rounds its probabilities
_DIGITS = 12  # of the level at which k-ary randomized response is compared
_MOST_ENTRIES = 10**4  # of a matrix whose probabilities are compared
_MOST_COMPARED = 20  # categories up to which the objective of any k-ary randomized response is computed
_MOST_CATEGORIES = 10**5  # for which shorter reports are looked for


class ShorterReport(NamedTuple):
    """A design with shorter reports, as ``outputs="2^B"`` returns it.

    Attributes:
        family: the family in words.
        bits: the length of a report in bits.
        loss: how much worse the objective is, relative to its value.
    """

    family: str
    bits: int
    loss: Fraction


class ReportCost(NamedTuple):
    """What one report of a design costs.

    Attributes:
        family: the family in words; a matrix without a family is ``a matrix``.
        outputs: the number of outputs.
        bits: the length of a report in bits.
        shorter: a design with shorter reports; ``None`` if none is known whose objective is at most 10 % worse.
        entries: the probabilities of an output that contains the true category, and of another; at an irrational level
            those of one output, as rounding differs. ``None`` if the design is no family of sets of one size.
        direct_loss: how much worse the objective of k-ary randomized response at the same epsilon is, relative to the
            value; ``None`` for that design itself, and where it is not computed.
    """

    family: str
    outputs: int
    bits: int
    shorter: ShorterReport | None
    entries: tuple[Fraction, Fraction] | None = None
    direct_loss: Fraction | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form; exact numbers are texts."""
        shorter = None
        if self.shorter is not None:
            shorter = {"family": self.shorter.family, "bits": self.shorter.bits, "loss": as_text(self.shorter.loss)}
        return {
            "family": self.family,
            "outputs": as_text(Fraction(self.outputs)),
            "bits": self.bits,
            "shorter": shorter,
            "entries": None if self.entries is None else [as_text(x) for x in self.entries],
            "direct_loss": None if self.direct_loss is None else as_text(self.direct_loss),
        }

    def lines(self, title: str, *, is_smaller: bool) -> list[tuple[str, str]]:
        """Return the cost as label and value; ``title`` names the objective, and ``is_smaller`` how it gets worse."""
        bits, whole = with_noun(self.bits, "bit"), with_noun(-(-self.bits // 8), "byte")
        size = f"{bits} ({whole})" if self.bits > _LONG else bits
        found = [("a report", f"{self.family}: {with_noun(size_text(self.outputs), 'output')}, {size}")]
        if self.entries is not None:
            own, other = (both_texts(x) if len(str(x)) <= _LONGEST else f"~{decimal_text(x, 6)}" for x in self.entries)
            true = "the true category" if self.family == Direct.title else "each set with the true category"
            found.append(("probabilities", f"{true} {own}; each other {other}"))
        if self.direct_loss is not None:
            worse = "smaller" if is_smaller else "larger"
            text = "as good" if not self.direct_loss else f"{title} {_percent(self.direct_loss)} % {worse}"
            found.append(("GRR at this epsilon", text))
        if self.shorter is not None:
            family, few, loss = self.shorter
            percent = _percent(loss)
            worse = "smaller" if is_smaller else "larger"
            known = whole if self.bits > _LONG else bits
            text = f"{family}, {with_noun(few, 'bit')} instead of {known}: {title} {percent} % {worse}"
            found.append((f"with --outputs 2^{few}", text))
        return found


@lru_cache(maxsize=4)  # a command prints it and writes it
def report_cost(problem: Problem, mechanism: Mechanism, value: Fraction) -> ReportCost:
    """Return what a report of the design of a problem costs, and what ``outputs="2^B"`` would lose.

    Args:
        problem: the problem.
        mechanism: its design.
        value: the objective of the design.
    """
    own = getattr(mechanism, "output_bits", None)
    bits = own if isinstance(own, int) else (mechanism.outputs - 1).bit_length()
    family, sets = _family(mechanism), _sets(mechanism)
    if sets is not None and family.startswith("a matrix"):
        family = Direct.title if sets.size == 1 else f"{AllSubsets.title} (sets of {sets.size})"
    entries = None if sets is None else (sets.own, sets.other)
    direct_loss = None if family == Direct.title else _direct_loss(problem, value)
    return ReportCost(family, mechanism.outputs, bits, _shorter(problem, value, bits), entries, direct_loss)


def _percent(loss: Fraction) -> str:
    """Return a loss in percent: two digits, or all digits before the point."""
    if loss < Fraction(1, 10**5):
        return "less than 0.001"
    return decimal_text(100 * loss, max(2, len(str(round(100 * loss)))))


class _Sets(NamedTuple):
    """All sets of one size as outputs, up to the rounding of their probabilities."""

    size: int
    own: Fraction
    other: Fraction


def _sets(mechanism: Mechanism) -> _Sets | None:
    """Return the sets that a mechanism outputs, with the probabilities of one of them; ``None`` if it outputs others.

    Rows with one entry, which say nothing, are left out: they are what the rounding of the others leaves.
    """
    k = mechanism.inputs
    if isinstance(mechanism, BlockMechanism):
        if not isinstance(mechanism.blocks, Direct | AllSubsets):
            return None
        size = getattr(mechanism.blocks, "size", 1)
        return _Sets(size, mechanism.hit / comb(k - 1, size - 1), (1 - mechanism.hit) / comb(k - 1, size))
    if isinstance(mechanism, OrbitMechanism):
        rows = [orbit[0] for orbit in mechanism.orbits if len(orbit[0]) > 1]
        if len(mechanism.groups) > 1 or len(rows) != 1 or len(rows[0]) != 2:
            return None
        (other, _), (own, size) = sorted(rows[0])
        return _Sets(size, own, other) if other > 0 else None
    if k * mechanism.outputs > _MOST_ENTRIES:
        return None
    listed = [row for row in mechanism.matrix if len(set(row)) > 1]
    if not listed or not all(min(row) > 0 for row in listed):
        return None
    own, other = max(listed[0]), min(listed[0])
    large = [frozenset(j for j, x in enumerate(row) if _is_near(x, own)) for row in listed]
    is_two = all(_is_near(x, own) or _is_near(x, other) for row in listed for x in row)
    size = len(large[0])
    if not is_two or len({*large}) < len(listed) or len(listed) != comb(k, size) or {*map(len, large)} != {size}:
        return None
    return _Sets(size, own, other)


def _is_near(x: Fraction, y: Fraction) -> bool:
    return abs(x - y) <= _NEAR * y


def _direct_loss(problem: Problem, value: Fraction) -> Fraction | None:
    """Return how much worse k-ary randomized response is at the level of a problem; ``None`` where it has no meaning.

    It is compared where it is a competitor: one level of epsilon for all pairs, delta = 0, no bounds, k outputs.
    """
    region, objective = problem.region, problem.objective
    if not region.has_one_level or problem.populations is not None or value <= 0 or objective.is_logarithm:
        return None
    k, level = region.inputs, region.bracket(_DIGITS).below
    if level.delta or level.gamma <= 1 or k <= 2 or 0 < region.outputs < k:
        return None
    if k <= _MOST_COMPARED:
        p = level.gamma / (level.gamma + k - 1)
        direct = Mechanism([[p if i == j else (1 - p) / (k - 1) for j in range(k)] for i in range(k)])
        reached = objective.value(direct, problem.population)
    elif k > _MOST_CATEGORIES or len(set(problem.population)) > 1 or limit_of_formulas(problem) is not None:
        return None
    else:
        reached = value_of_blocks(problem, Direct(k), level.gamma)
    loss = reached / value - 1 if objective.sense == "minimise" else 1 - reached / value
    return loss if loss >= 0 else None


def _family(mechanism: Mechanism) -> str:
    if isinstance(mechanism, RevealedBlocks):
        if mechanism.revealed == 1:
            return "the truth"
        return f"{_family(mechanism.block_mechanism)}, or the truth"
    if type(mechanism) is Mechanism:
        rows, k = mechanism.matrix, mechanism.inputs
        if len(rows) != k or k > _MOST_READ:
            return "a matrix"
        truths = {rows[j][j] for j in range(k)}
        others = {x for i, row in enumerate(rows) for j, x in enumerate(row) if i != j}
        is_kary = len(truths) == len(others) == 1 and max(truths) > min(others) > 0
        return Direct.title if is_kary else "a matrix"
    made = family_of(mechanism) if mechanism.inputs <= _MOST_READ else as_memberships(mechanism)
    blocks = getattr(made if made is not None else mechanism, "blocks", None)
    if isinstance(blocks, AllSubsets):
        return f"{blocks.title} (sets of {blocks.size})"
    if blocks is not None:
        return str(blocks.title)
    if isinstance(mechanism, OrbitMechanism):
        return f"a matrix with {with_noun(len(mechanism.orbits), 'orbit')} of rows"
    return "a matrix"


def _shorter(problem: Problem, value: Fraction, bits: int) -> ShorterReport | None:
    """Return the shortest report with a small loss among the families of blocks."""
    k = problem.region.inputs
    if not (2 < k <= _MOST_CATEGORIES and (k - 1).bit_length() < bits) or value <= 0:
        return None
    if problem.objective.is_logarithm:  # a percentage of it says nothing about the precision
        return None
    if problem.populations is not None or len(set(problem.population)) > 1 or limit_of_formulas(problem) is not None:
        return None
    level = problem.region.bracket(2).below
    if level.delta or level.gamma <= 1:
        return None
    found = shorter_blocks(problem, value, _LOSSES)
    if found is None or found[0].output_bits >= bits:
        return None
    return ShorterReport(found[0].title, found[0].output_bits, found[1])
