"""Exact privacy of a third-party matrix at a level, and comparison of deployed numbers with a certified mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

from rropt.core.errors import FileFormatError, UnsupportedProblemError
from rropt.core.exact import Bracket, Delta, Epsilon, ExactReal, both_texts
from rropt.core.exact.display import decimal_outwards, extended_text
from rropt.core.results import Result, own_part, read_result, written
from rropt.mechanisms.hockey_stick import NO_EXCESS, Excess
from rropt.mechanisms.levels_of_questions import question_levels
from rropt.mechanisms.matrix_privacy import worst_excess
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.product import ProductMechanism
from rropt.mechanisms.profiles import PrivacyProfile
from rropt.mechanisms.raw_matrices import MatrixAudit, audit

_LISTED = 12  # outputs of a set, or entries, that a summary lists


@dataclass(frozen=True, slots=True)
class AskedLevel:
    """A level at which delta is requested, with the delta that is allowed there; ``None``: no level is checked."""

    epsilon: Epsilon
    delta: Delta | None


@dataclass(frozen=True, slots=True)
class Finding(Result):
    """The exact privacy of an audited matrix at a level.

    Attributes:
        audit: the audited matrix.
        epsilon: the level at which delta is computed; ``None``: the limit for large epsilon.
        asked: the delta that is allowed at the level; ``None``: no level is checked.
        delta: the smallest delta at the level.
        worst: the two inputs and the outputs that attain it.
        meets: whether the matrix satisfies (epsilon, asked), decided exactly; ``None``: no level is checked.
        judged: whether a criterion is checked; the pair of inputs that is distinguished best is then reported too.
    """

    audit: MatrixAudit
    epsilon: Epsilon | None
    asked: Delta | None
    delta: Fraction | ExactReal
    worst: Excess
    meets: bool | None = None
    judged: bool = field(default=False, compare=False)

    ANSWER = ("epsilon=audit.epsilon", "at=epsilon", "delta", "meets")

    @classmethod
    def at(
        cls, audit: MatrixAudit, epsilon: Epsilon | None, asked: Delta | None = None, *, judged: bool = False
    ) -> Finding:
        """Compute the findings at a level; ``None``: the limit for large epsilon."""
        gamma = None if epsilon is None else epsilon.exact_gamma()
        if gamma is None and audit.parity is not None:  # no row contains both a zero and a positive entry
            worst = NO_EXCESS
        else:
            worst = worst_excess(audit.normalised.matrix, gamma)
        delta = worst.at(gamma)
        meets = None
        if asked is not None and gamma is not None:
            meets = not asked.exact() < delta
            if asked.rational == 0:  # pure epsilon-privacy: the ratios of the entries as given must satisfy it too
                meets = meets and audit.parity is not None and not gamma < audit.parity
        return cls(audit, epsilon, asked, delta, worst, meets, judged)

    @classmethod
    def recompute(
        cls, matrix: tuple[tuple[Fraction, ...], ...], level: AskedLevel | None, meets: bool | None = None
    ) -> Finding:
        """Recompute the findings from a matrix, a level and the stored answer."""
        epsilon, asked = (None, None) if level is None else (level.epsilon, level.delta)
        judged = meets is None and asked is not None
        return cls.at(audit(matrix), epsilon, None if judged else asked, judged=judged)

    def to_dict(self) -> dict[str, Any]:
        """Return the record: the matrix, its parity, epsilon and delta, the level and whether it is satisfied.

        It also names the two inputs that are distinguished best.
        """
        audited = self.audit.to_dict()
        record = {name: audited.pop(name) for name in ("matrix", "parity", "epsilon")}
        place, worst, decimals = self.audit.worst, self.worst, audited.pop("decimals", {})
        odds = place and {"answer": place[0], "inputs": list(place[1:]), "ratio": record["parity"]}
        told = {"answers": list(worst.outputs), "inputs": list(worst.pair), "value": str(self.delta)}
        delta = "0" if self.judged else None  # a criterion is met iff the parity is at most B(h): with delta = 0
        level = {"epsilon": str(self.epsilon), "delta": delta if self.asked is None else str(self.asked)}
        return {
            **record,
            "delta": str(self.delta),
            "level": None if self.epsilon is None else level,
            "meets": self.meets,
            "worst": {"odds": odds, "delta": told if worst.outputs else None},
            "audit": audited,
            "decimals": {name: near for name, near in decimals.items() if name in record},
        }

    def lines(self) -> list[tuple[str, str]]:
        """Return the labelled lines of the summary."""
        where = "also at every larger epsilon" if self.epsilon is None else f"at epsilon = {self.epsilon}"
        rows = [*self.audit.lines()[:2], ("delta", f"{both_texts(self.delta)} {where}")]
        if self.asked is not None:
            rows.insert(0, _meets_line(self.epsilon, self.asked, "yes" if self.meets else "no"))
        worst = self._worst() if self.judged or self.asked is not None else []
        return [*rows, *worst, *self.audit.defects()]

    def _worst(self) -> list[tuple[str, str]]:
        """Return lines on the two inputs that are distinguished best: by one output, and at the level by a set."""
        rows, place, worst = [], self.audit.worst, self.worst
        if place is not None:
            ratio = both_texts(self.audit.parity)
            rows.append(("worst output", f"{place[0]}: input {place[1]} against input {place[2]}, odds ratio {ratio}"))
        if worst.outputs:
            answers = ", ".join(map(str, worst.outputs[:_LISTED])) + ", ..." * (len(worst.outputs) > _LISTED)
            pair = f"input {worst.pair[0]} against input {worst.pair[1]}"
            rows.append(("delta comes from", f"outputs {{{answers}}}: {pair}; excess {both_texts(self.delta)}"))
        return rows


@dataclass(frozen=True, slots=True)
class LargeFinding(Result):
    """The privacy of a mechanism that is too large to be written as a matrix, computed from its structure.

    Attributes:
        mechanism: a mechanism in any form.
        epsilon: the level at which delta is computed; infinite: the result is valid for every larger level too.
        asked: the delta that is allowed at the level; ``None``: no level is checked.
        delta: lower and upper bound of the smallest delta at the level.
        profile: delta at every level, if it is requested.
    """

    mechanism: Mechanism
    epsilon: Epsilon
    asked: Delta | None
    delta: Bracket
    profile: PrivacyProfile | None

    @classmethod
    def at(
        cls, mechanism: Mechanism, epsilon: Epsilon | None, asked: Delta | None = None, *, profile: bool = False
    ) -> LargeFinding:
        """Compute the findings at a level; ``None``: the limit for large epsilon."""
        level = Epsilon("infinite") if epsilon is None else epsilon
        return cls(mechanism, level, asked, mechanism.delta_bracket(level), mechanism.profile() if profile else None)

    @classmethod
    def recompute(cls, mechanism: Mechanism, level: AskedLevel, profile: list[Any] | None) -> LargeFinding:
        """Recompute the findings from a mechanism, a level and whether a profile is stored."""
        return cls.at(mechanism, level.epsilon, level.delta, profile=profile is not None)

    @property
    def meets(self) -> bool | None:
        """Whether the level is satisfied; ``None``: no level is checked, or the bounds of delta do not decide it."""
        if self.asked is None:
            return None
        parity = self.mechanism.parity()
        if self.asked.rational == 0:
            return parity is not None and not self.epsilon.exact_gamma() < parity
        if not self.asked.exact() < self.delta.upper:
            return True
        return False if self.asked.exact() < self.delta.lower else None

    @property
    def exact_delta(self) -> Fraction | ExactReal | None:
        """The smallest delta at the level, if it is computed exactly."""
        try:
            return self.mechanism.delta(self.epsilon)
        except UnsupportedProblemError:
            return None

    def to_dict(self) -> dict[str, Any]:
        """Return the record: parity, epsilon, delta, the checked level, and the levels of the single questions."""
        exact = self.exact_delta
        delta = self.delta.written() if exact is None else str(exact)
        parity = extended_text(self.mechanism.parity())
        record: dict[str, Any] = {"parity": parity, "epsilon": str(self.mechanism.epsilon), "delta": delta}
        level = {"epsilon": str(self.epsilon), "delta": None if self.asked is None else str(self.asked)}
        record |= {"mechanism": self.mechanism.to_dict(), "level": level, "meets": self.meets}
        if isinstance(self.mechanism, ProductMechanism):
            record["questions"] = question_levels(self.mechanism).to_dict()
        record["shape"] = list(self.mechanism.shape_texts)
        return record | ({"profile": None} if self.profile is None else self.profile.to_dict())

    def lines(self) -> list[tuple[str, str]]:
        """Return the labelled lines of the summary."""
        where = "also at every larger epsilon" if self.epsilon.is_infinite else f"at epsilon = {self.epsilon}"
        low, high = decimal_outwards(self.delta.lower, up=False), decimal_outwards(self.delta.upper, up=True)
        told = f"between {low} and {high}" if (exact := self.exact_delta) is None else both_texts(exact)
        epsilon = self.mechanism.epsilon
        rows = [
            ("parity (gamma)", both_texts(self.mechanism.parity())),
            ("epsilon", "infinite" if epsilon.is_infinite else both_texts(epsilon)),
            ("delta", f"{told} {where}"),
        ]
        if self.asked is not None:
            answer = {None: "not decided by the enclosure", True: "yes", False: "no"}[self.meets]
            rows.insert(0, _meets_line(self.epsilon, self.asked, answer))
        if isinstance(self.mechanism, ProductMechanism):
            rows += question_levels(self.mechanism).lines()
        return rows if self.profile is None else [*rows, *self.profile.lines()]


def _meets_line(epsilon: object, delta: object, answer: str) -> tuple[str, str]:
    """Return the summary line that states whether a mechanism satisfies a level."""
    return "meets the level", f"{answer}: epsilon = {epsilon}, delta = {delta}"


@dataclass(frozen=True, slots=True)
class OtherEntry:
    """An entry of a deployed matrix that equals neither the certified number nor the double nearest to it."""

    output: int
    input: int
    certified: Fraction
    deployed: Fraction


@dataclass(frozen=True, slots=True)
class Deployed(Result):
    """Deployed numbers, compared with a certified mechanism; true as a condition iff every entry agrees.

    Attributes:
        finding: the exact privacy of the deployed numbers at the certified level.
        others: the entries that equal neither the certified number nor the double nearest to it.
        groups: the certified column that each column repeats, if the certificate is of merged categories; else empty.
    """

    finding: Finding
    others: tuple[OtherEntry, ...]
    groups: tuple[int, ...] = ()

    ANSWER = ("lines",)

    def __bool__(self) -> bool:
        return not self.others

    def to_dict(self) -> dict[str, Any]:
        """Return the record: whether all entries are as certified, the entries that differ, and the exact privacy."""
        record = {"as_certified": not self.others, "others": written(self.others)[0], "groups": list(self.groups)}
        return {**record, **self.finding.to_dict()}

    @classmethod
    def from_dict(cls, data: Any) -> Deployed:
        """Build an equal object from the output of ``to_dict``."""
        data = own_part(cls, data)
        given = dict(data) if isinstance(data, Mapping) else {}
        as_certified, others = given.pop("as_certified", None), given.pop("others", None)
        groups = given.pop("groups", [])
        made: Deployed = read_result(cls, {"finding": given, "others": others, "groups": groups})
        entries = made.finding.audit.entries
        known = {(i, j): x for i, row in enumerate(entries) for j, x in enumerate(row)}
        is_other = any(known.get((x.output, x.input)) != x.deployed for x in made.others)
        if as_certified is not bool(made) or is_other or len(made.groups) not in (0, len(entries[0])):
            raise FileFormatError("the deployed numbers contradict their matrix: write the file again")
        return made

    def lines(self) -> list[tuple[str, str]]:
        """Return the labelled lines of the summary."""
        number = prod(self.finding.audit.shape)
        answer = f"no: {len(self.others)} of {number} differ" if self.others else "yes"
        listed = [
            (
                f"entry ({x.output}, {x.input})",
                f"{both_texts(x.deployed)} where {both_texts(x.certified)} is certified, nearest double "
                f"{float(x.certified)!r}",
            )
            for x in self.others[:_LISTED]
        ]
        first = ("each entry as certified, or its nearest double", answer)
        return [first, *self._group_lines(), *listed, *self.finding.lines()]

    def _group_lines(self) -> list[tuple[str, str]]:
        if not self.groups:
            return []
        count = max(self.groups) + 1
        told = f"{len(self.groups)} columns repeat the {count} certified ones"
        shown_groups = [self._members(group) for group in range(min(count, _LISTED))]
        more = [f"and {count - _LISTED} more groups"] if count > _LISTED else []
        listed = "; ".join([*shown_groups, *more])
        return [("merged categories", f"{told}. The certificate does not state which categories a group has. {listed}")]

    def _members(self, group: int) -> str:
        members = [j for j, each in enumerate(self.groups) if each == group]
        more = f", ... ({len(members)} in all)" if len(members) > _LISTED else ""
        return f"group {group}: {', '.join(map(str, members[:_LISTED]))}{more}"


def deployed(audit: MatrixAudit, certificate: Mapping[str, Any]) -> Deployed:
    """Compare deployed numbers with the mechanism of an accepted certificate.

    A certificate of merged categories states the problem of the groups. Then each deployed column is compared with the
    certified column that it repeats.

    Args:
        audit: the audited numbers.
        certificate: ``Certificate.to_dict()``.

    Raises:
        UnsupportedProblemError: the claim of the certificate contains no mechanism.
        InvalidMechanismError: the shapes differ.
    """
    claim, problem = certificate["claim"], certificate["problem"]
    if "mechanism" not in claim:
        raise UnsupportedProblemError(
            f"`mechanism` needs the certificate of a design: received {certificate['statement']}, of no mechanism"
        )
    certified = Mechanism.from_dict(claim["mechanism"]).matrix
    groups = audit.repeated_columns(certified)
    extended = tuple(tuple(row[g] for g in groups) for row in certified) if groups else certified
    others = tuple(OtherEntry(*entry) for entry in audit.entries_other_than(extended))
    level = _one_level(problem)
    if level is None:
        return Deployed(Finding.at(audit, None), others, groups)
    ends = Epsilon.from_dict(level["epsilon"]), Delta.from_dict(level.get("delta", "0"))
    return Deployed(Finding.at(audit, *ends), others, groups)


def _one_level(problem: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the epsilon and delta that a problem states for all pairs; ``None`` if it states no such level."""
    if "levels" not in problem:  # a split of a privacy budget
        return problem
    first, *others = problem["levels"] or [{"pairs": ""}]
    return None if others or first["pairs"] != "all" or "up" in first["epsilon"] else first
