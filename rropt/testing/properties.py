"""The properties that a result must have, each a function of a row that raises ``BrokenContract`` if it falls.

``PROPERTIES`` lists them by name. A property that says nothing about a row raises ``NotApplicable`` with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from rropt.checker import check_text
from rropt.core.certificates import Certificate
from rropt.core.errors import RroptError, UnsupportedProblemError
from rropt.core.exact import as_text
from rropt.core.exact.display import decimal_text
from rropt.core.exact.texts import fraction_of
from rropt.core.mappings import ReadOnlyMapping
from rropt.mechanisms import Mechanism
from rropt.privacy.region import Region
from rropt.testing.contract import ContractRow, KnownBracket
from rropt.testing.failures import BrokenContract, NotApplicable
from rropt.testing.node_checker import node_verdicts
from rropt.testing.restatements import moved_rows, relabelled

_ROUNDED = Fraction(1, 10**20)  # relative: values with logarithms are rounded to 40 digits or more
_LEVEL_DIGITS = 60  # of a rational level just above an irrational one
_SHORT = 40  # bits of the parts of a number that is printed as a fraction
_LIE = Fraction(1, 1000)  # by how much a false claim misses the optimum, relative


def _number(x: Fraction) -> str:
    is_short = max(x.numerator.bit_length(), x.denominator.bit_length()) <= _SHORT
    return str(x) if is_short else decimal_text(x, 17)


def _ends(lower: Fraction, upper: Fraction) -> str:
    return _number(lower) if lower == upper else f"[{_number(lower)}, {_number(upper)}]"


def _size(*numbers: Fraction) -> Fraction:
    return max(map(abs, numbers))


def require_bracket(row: ContractRow) -> None:
    """The bracket contains the known optimum, and it is as narrow as the row promises."""
    for known in row.brackets(row.result):
        _require_inside(known, "the bracket", row.gap)


def _require_inside(known: KnownBracket, what: str, gap: Fraction | None) -> None:
    where = f" of {known.label}" if known.label else ""
    told = f"{what}{where} {_ends(known.lower, known.upper)}"
    if known.lower > known.upper:
        raise BrokenContract(f"{told} has lower > upper")
    if (
        known.least is not None
        and known.most is not None
        and not known.lower <= known.most >= known.least <= known.upper
    ):
        raise BrokenContract(f"{told} does not contain the known optimum {_ends(known.least, known.most)}")
    if gap is not None and known.upper - known.lower > gap * (_size(known.lower, known.upper) or 1):
        raise BrokenContract(f"{told} is wider than {_number(gap)} of the optimum")


def require_value(row: ContractRow) -> None:
    """The value that is stated for the mechanism is its value by the definition of the objective."""
    pairs = list(row.attained(row.result))
    if not pairs:
        raise NotApplicable("the value of this mechanism is not computed by its definition")
    for stated, value, is_better in pairs:  # a value with a root may be stated as a bound
        if row.certified and any(isinstance(number, float) for number in (stated, value)):
            raise BrokenContract(f"the value {float(value)} is a float: return an integer or a fraction")
        room = max(_ROUNDED, row.gap if is_better or not row.certified else _ROUNDED)
        if abs(stated - value) > room * (_size(stated, value) or 1):
            raise BrokenContract(f"the stated value is {_number(stated)}; by the definition it is {_number(value)}")


def require_designs(row: ContractRow) -> None:
    """The optimal designs are those that are known."""
    known = list(getattr(row, "designs", ()))
    if not known:
        raise NotApplicable("no optimal design is given: name all in `designs`")
    found = [mechanism for _, mechanism in row.members(row.result)]
    if [mechanism.matrix for mechanism in found] != [mechanism.matrix for mechanism in known]:
        told = "; ".join(str([list(map(str, line)) for line in mechanism.matrix]) for mechanism in found)
        raise BrokenContract(f"the optimal designs are others: found {told:.300}")


def require_certificate(row: ContractRow) -> None:
    """The checker accepts the certificate, and its claim is the bracket of the result."""
    certificates = list(row.certificates(row.result))
    if not row.certified:
        for certificate in certificates:
            if certificate.check(row.budget) or getattr(row.result, "is_certified", False):
                raise BrokenContract("the row has no certificate (`certified=False`), but the checker accepts one")
        return
    if not certificates:
        raise BrokenContract("the result has no certificate")
    for certificate in certificates:
        verdict = certificate.check(row.budget)
        if not verdict:
            raise BrokenContract(f"the certificate is {verdict}")
    known = list(row.brackets(row.result))
    if len(known) == len(certificates) == 1 and not _stated(row):
        claimed = _claimed(certificates[0])
        own = (known[0].lower, known[0].upper)
        if claimed is not None and own not in (claimed, (-claimed[1], -claimed[0])):  # a maximum as a least value
            raise BrokenContract(f"the certificate claims {_ends(*claimed)}, and the result {_ends(*own)}")


def _stated(row: ContractRow) -> str:
    """Return what the certificate states, if it is another problem with the same answer."""
    return str(getattr(getattr(row.result, "found", None), "stated", ""))


def _claimed(certificate: Certificate) -> tuple[Fraction, Fraction] | None:
    claim = certificate.claim
    if not isinstance(claim, dict) or not {"lower", "upper"} <= set(claim) or "inf" in claim.values():
        return None
    return fraction_of(claim["lower"]), fraction_of(claim["upper"])


def false_claims(certificate: Certificate, members: list[tuple[Region, Mechanism]]) -> Iterator[tuple[str, str]]:
    """Yield certificates with a false claim: a bracket beside the optimum, and a mechanism that is not private.

    Args:
        certificate: an accepted certificate.
        members: the regions and mechanisms of its result.
    """
    document, ends = certificate.to_dict(), _claimed(certificate)
    if ends is None:
        return
    lower, upper = ends
    step = _LIE * (_size(lower, upper) or 1)
    lies = {"a bracket above the optimum": (upper + step, upper + 2 * step)}
    lies["a bracket below the optimum"] = (lower - 2 * step, lower - step)
    for label, (low, high) in lies.items():
        claim = {**document["claim"], "lower": as_text(low), "upper": as_text(high)}
        yield label, json.dumps({**document, "claim": claim})
    named = document["claim"].get("mechanism")
    if isinstance(named, dict) and set(named) == {"matrix"} and members:
        region, mechanism = members[0]
        m, k = mechanism.shape
        truth = [[str(int(i == min(j, m - 1))) for j in range(k)] for i in range(m)]
        if len(named["matrix"]) == m and not region.contains(Mechanism(truth)):
            claim = {**document["claim"], "mechanism": {"matrix": truth}}
            yield "a mechanism outside the region", json.dumps({**document, "claim": claim})


def require_no_false_claims(row: ContractRow) -> None:
    """The checker rejects the same proof with a claim that is false."""
    if not row.certified:
        raise NotApplicable("there is no certificate")
    lies = [lie for each in row.certificates(row.result) for lie in false_claims(each, list(row.members(row.result)))]
    if not lies:
        raise NotApplicable("the claim has no finite bracket")
    for label, text in lies:
        if check_text(text):
            raise BrokenContract(f"the checker accepts {label}")


def require_javascript(row: ContractRow) -> None:
    """The checker in JavaScript gives the same verdicts, on the certificates and on false claims."""
    if not row.certified:
        raise NotApplicable("there is no certificate")
    certificates = list(row.certificates(row.result))
    told = [("the certificate", each.text, True) for each in certificates]
    members = list(row.members(row.result))
    told += [(label, text, False) for each in certificates for label, text in false_claims(each, members)]
    for (label, _, accepted), verdict in zip(told, node_verdicts([text for _, text, _ in told]), strict=True):
        if verdict.startswith("accepted") is not accepted:
            raise BrokenContract(f"the checker in JavaScript on {label}: {verdict[:200]}")


def require_private(row: ContractRow) -> None:
    """Each mechanism is one, and the region contains it, by its own test and by the definition of privacy."""
    members = list(row.members(row.result))
    if not members:
        raise NotApplicable("the result has no mechanism")
    for region, mechanism in members:
        if mechanism.inputs != region.inputs or region.outputs not in (0, mechanism.outputs):
            raise BrokenContract(f"the mechanism has the shape {mechanism.shape}, which the region has not")
        if not region.contains(mechanism):
            raise BrokenContract(f"the region {region} does not contain the mechanism")
        if mechanism.inputs**2 * mechanism.outputs <= _MOST_TERMS:
            rows = [list(row) for row in mechanism.matrix]
            _require_private_rows(rows, region)
            _require_one_shape(rows, region)


_MOST_TERMS = 20_000  # of the excesses of all pairs of columns, which are compared one by one


def _require_one_shape(rows: list[list[Fraction]], region: Region) -> None:
    """Test that the region contains no mechanism with one more category, or one more output if it has given outputs."""
    longer = [Mechanism([[*row, row[-1]] for row in rows])]
    if region.outputs:
        half = [p / 2 for p in rows[-1]]
        longer.append(Mechanism([*rows[:-1], half, half]))
    for other in longer:
        try:
            is_member = region.contains(other)
        except RroptError:
            continue
        if is_member:
            raise BrokenContract(
                f"the region {region} contains a mechanism of the shape {other.shape}; test `fits` first"
            )


def _require_private_rows(rows: list[list[Fraction]], region: Region) -> None:
    """Compare all pairs of columns, by ``sum_i max(0, p_ij - gamma p_il) <= delta`` and by nothing else."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    for j, column in enumerate(columns):
        if min(column) < 0 or sum(column) != 1:
            raise BrokenContract(f"column {j} of the mechanism is no distribution: its sum is {sum(column)}")
    if region.bounds is not None:
        for entries in zip(*region.bounds, rows, strict=True):
            if any(not least <= p <= most for least, most, p in zip(*entries, strict=True)):
                raise BrokenContract("an entry of the mechanism is outside its bounds")
    inner = region.unbounded
    if not (inner.has_rays or inner.form):
        return
    for part in inner.bracket(_LEVEL_DIGITS).listed:
        pairs = part.pairs or [(j, other) for j in range(len(columns)) for other in range(len(columns)) if j != other]
        for j, other in pairs:
            gamma = part.above.gamma
            excess = sum(max(p - gamma * q, Fraction(0)) for p, q in zip(columns[j], columns[other], strict=True))
            if excess > part.above.delta:
                raise BrokenContract(
                    f"the columns of categories {j} and {other} exceed delta: {_number(excess)} against "
                    f"{_number(part.above.delta)} at gamma = {_number(gamma)}"
                )


def require_no_better_rival(row: ContractRow) -> None:
    """No other mechanism that the region contains is better than the proved bound."""
    seen = 0
    for value, is_better in row.rivals(row.result):
        seen += 1
        if is_better:
            raise BrokenContract(
                f"a mechanism of the region has the value {_number(value)}, better than the bound "
                f"{_ends(row.result.lower, row.result.upper)}: the bound, the region or the objective is wrong"
            )
    if not seen:
        raise NotApplicable("no other mechanism of the region is compared")


def require_routes(row: ContractRow) -> None:
    """The bracket of each route contains the optimum."""
    routes = row.routes(row.result)
    if not routes:
        raise NotApplicable("the result has no routes")
    for known in row.brackets(row.result):
        if not known.label:
            for name, route in routes.items():
                if hasattr(route, "lower"):
                    ends = known._replace(lower=route.lower, upper=route.upper)
                    _require_inside(ends, f"the bracket of the route {name}", None)


def require_twins(row: ContractRow) -> None:
    """The same problem in SymPy and in CVXPY has the same value, where it is posed there."""
    twins = getattr(row.result, "twins", None)
    if twins is None:
        raise NotApplicable("the result is not posed twice")
    if not row.twins and all(twin.value is None for twin in (twins.sympy, twins.cvxpy)):
        raise NotApplicable(f"the result is posed in neither: {twins}")
    for twin in (twins.sympy, twins.cvxpy):
        if "the comparison failed" in twin.why:
            raise BrokenContract(f"{twin.by}: {twin.why}")
        if twin.by in row.twins and not twin.agrees:
            raise BrokenContract(f"the twin does not agree: {twin}")


def _require_restatement(row: ContractRow, how: str) -> None:
    try:
        other = row.restated(how)
        known = list(other.brackets(other.result))
    except UnsupportedProblemError as error:  # the words of the suite may lead to a way with smaller limits
        if how in getattr(row, "equal", {}):
            raise
        raise NotApplicable(f"the {how} problem is refused: {error}") from error
    for each in known:
        _require_inside(each, f"the bracket of the {how} problem", max(row.gap, ContractRow.gap))  # of another way
    for mine, theirs in zip(row.brackets(row.result), known, strict=True):
        if max(mine.lower, theirs.lower) > min(mine.upper, theirs.upper):
            raise BrokenContract(
                f"the {how} problem has the optimum {_ends(theirs.lower, theirs.upper)}, and the problem "
                f"{_ends(mine.lower, mine.upper)}"
            )


def require_relabelled(row: ContractRow) -> None:
    """The problem with exchanged categories has the same optimum; its region contains the exchanged mechanisms."""
    for region, mechanism in row.members(row.result):
        if mechanism.inputs**2 * mechanism.outputs <= _MOST_TERMS:
            _require_relabelled_columns(region, [list(row) for row in mechanism.matrix])
    _require_restatement(row, "relabelled")


def _require_relabelled_columns(region: Region, rows: list[list[Fraction]]) -> None:
    """Test that the relabelled region contains a relabelled mechanism if the region contains it, and no other one.

    The second mechanism has two columns exchanged; an asymmetric region may not contain it.
    """
    order = [*range(1, region.inputs), 0]
    try:
        other = relabelled(region, order)
    except NotApplicable:
        return
    for one in (rows, [[row[1], row[0], *row[2:]] for row in rows]):
        before = region.contains(Mechanism(one))
        if other.contains(Mechanism(moved_rows(one, order))) != before:
            raise BrokenContract(
                f"the region {region} {'contains' if before else 'does not contain'} a mechanism, and the relabelled "
                "region judges the relabelled mechanism in another way"
            )


def require_duplicated(row: ContractRow) -> None:
    """The problem with a part written twice has the same optimum."""
    _require_restatement(row, "duplicated")


def require_split(row: ContractRow) -> None:
    """The problem with a category split into two has the same optimum."""
    _require_restatement(row, "split")


def require_json(row: ContractRow) -> None:
    """What is written as JSON is read again as the same object; a record with another number is refused."""
    for label, before, after in row.reread(row.result):
        if type(before) is not type(after) or before != after:
            raise BrokenContract(f"the {label} that is read from its JSON is another one: {after!s:.200}")
        if _record(before) != _record(after):
            raise BrokenContract(f"the {label} that is read from its JSON is written in another way")
        if label == "problem":
            if hash(before) != hash(after):
                raise BrokenContract("the problem that is read from its JSON has another hash")
            if _has_numbers(_record(before)):
                raise BrokenContract("the JSON of the problem contains a number: write exact numbers as strings")
    for certificate in row.certificates(row.result):
        if row.certified and not Certificate.from_dict(json.loads(certificate.to_json())).check(row.budget):
            raise BrokenContract("the certificate that is read from its JSON is rejected")
    for label, call in row.changed_records(row.result):
        if _refusal(label, call) is None:
            raise BrokenContract(f"{label} is read without an error")


def _has_numbers(data: Any) -> bool:
    if isinstance(data, dict | list):
        return any(map(_has_numbers, data.values() if isinstance(data, dict) else data))
    return isinstance(data, int | float) and not isinstance(data, bool)


def _record(thing: Any) -> Any:
    """Return the JSON of an object, without twins, which are left to the first access."""
    record = json.loads(thing.to_json())
    return {key: value for key, value in record.items() if key != "twins"} if isinstance(record, dict) else record


def require_refusals(row: ContractRow) -> None:
    """Wrong input is refused by one line that is an ``RroptError``; never by another error."""
    count = 0
    for label, call in row.refusals():
        count += 1
        _refusal(label, call)
    for label, call in row.refused.items():
        count += 1
        if _refusal(label, call) is None:
            raise BrokenContract(f"{label} is not refused")
    if not count:
        raise NotApplicable("no wrong input is given: name calls in `refused`")


def _refusal(label: str, call: Callable[[], object]) -> str | None:
    """Return the message of a refused call; None if it returns."""
    try:
        call()
    except RroptError as error:
        text = str(error)
        if not text.strip() or "\n" in text:
            raise BrokenContract(f"{label} is not refused in one line: {text!r:.200}") from error
        return text
    except Exception as error:
        raise BrokenContract(
            f"{label} ends with {type(error).__name__} ({error!s:.100}); raise an RroptError with one line"
        ) from error
    return None


PROPERTIES: Mapping[str, Callable[[ContractRow], None]] = ReadOnlyMapping(
    {
        "bracket": require_bracket,
        "value": require_value,
        "designs": require_designs,
        "certificate": require_certificate,
        "false claims": require_no_false_claims,
        "javascript": require_javascript,
        "private": require_private,
        "rivals": require_no_better_rival,
        "routes": require_routes,
        "twins": require_twins,
        "relabelled": require_relabelled,
        "duplicated": require_duplicated,
        "split": require_split,
        "json": require_json,
        "refusals": require_refusals,
    }
)
"""The properties of the contract by name; each is a function of a row."""
