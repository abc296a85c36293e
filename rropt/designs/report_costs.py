"""What one report of a design costs: its family, its outputs and bits, and what a shorter report would lose."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from rropt.core.exact import as_text, decimal_text
from rropt.core.visible import size_text, with_noun
from rropt.designs.block_designs import limit_of_formulas, shorter_blocks
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.mechanisms.client_tables import family_of
from rropt.mechanisms.families import AllSubsets, Direct, RevealedBlocks, as_memberships

_LOSSES = (Fraction(1, 1000), Fraction(1, 100), Fraction(1, 10))  # relative: the shortest report within the first one
_LONG = 64  # bits of a report from which on it is stated in bytes
_MOST_READ = 100  # categories of a matrix that is compared with k-ary randomized response
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
    """

    family: str
    outputs: int
    bits: int
    shorter: ShorterReport | None

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
        }

    def lines(self, title: str, *, is_smaller: bool) -> list[tuple[str, str]]:
        """Return the cost as label and value; ``title`` names the objective, and ``is_smaller`` how it gets worse."""
        bits, whole = with_noun(self.bits, "bit"), with_noun(-(-self.bits // 8), "byte")
        size = f"{bits} ({whole})" if self.bits > _LONG else bits
        found = [("a report", f"{self.family}: {with_noun(size_text(self.outputs), 'output')}, {size}")]
        if self.shorter is not None:
            family, few, loss = self.shorter
            percent = "less than 0.001" if loss < Fraction(1, 10**5) else decimal_text(100 * loss, 2)
            worse = "smaller" if is_smaller else "larger"
            known = whole if self.bits > _LONG else bits
            text = f"{family}, {with_noun(few, 'bit')} instead of {known}: {title} {percent} % {worse}"
            found.append((f"with --outputs 2^{few}", text))
        return found


def report_cost(problem: Problem, mechanism: Mechanism, value: Fraction) -> ReportCost:
    """Return what a report of the design of a problem costs, and what ``outputs="2^B"`` would lose.

    Args:
        problem: the problem.
        mechanism: its design.
        value: the objective of the design.
    """
    own = getattr(mechanism, "output_bits", None)
    bits = own if isinstance(own, int) else (mechanism.outputs - 1).bit_length()
    return ReportCost(_family(mechanism), mechanism.outputs, bits, _shorter(problem, value, bits))


def _family(mechanism: Mechanism) -> str:
    if isinstance(mechanism, RevealedBlocks):
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
    for most in _LOSSES:
        found = shorter_blocks(problem, value, most)
        if found is not None:
            blocks, loss = found
            return ShorterReport(blocks.title, blocks.output_bits, loss) if blocks.output_bits < bits else None
    return None
