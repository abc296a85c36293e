"""Run the contract: as cases for pytest, or as a report without it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rropt.core.errors import InvalidParameterError, one_of, shown
from rropt.testing.contract import ContractRow
from rropt.testing.failures import BrokenContract, NotApplicable
from rropt.testing.properties import PROPERTIES


@dataclass(frozen=True, slots=True)
class ContractCase:
    """One property of one row; call it to test it.

    Attributes:
        row: the row.
        name: the name of the property, a key of ``PROPERTIES``.
    """

    row: ContractRow
    name: str

    def __call__(self) -> None:
        """Test the property.

        Raises:
            BrokenContract: the row breaks the property; the message has the row, the property, what fell, and the
                source of the optimum.
            NotApplicable: the property says nothing about the row. pytest counts the case as skipped.
        """
        __tracebackhide__ = True  # pytest then ends its traceback at the test
        where = f"row {self.row.name!r}, property {self.name!r}"
        try:
            PROPERTIES[self.name](self.row)
        except BrokenContract as error:
            raise BrokenContract(f"{where}: {error} (optimum: {self.row.source})") from error
        except NotApplicable as reason:
            raise NotApplicable(f"{where}: {reason}") from None
        except Exception as error:
            raise BrokenContract(
                f"{where}: {type(error).__name__}: {error!s:.300} (optimum: {self.row.source})"
            ) from error

    def __str__(self) -> str:
        return f"{self.row.name}-{self.name}"


def cases(
    rows: Iterable[ContractRow], properties: Iterable[str] | None = None, *, leave_out: Iterable[str] = ()
) -> list[ContractCase]:
    """Return one case for each row and property, for ``pytest.mark.parametrize("case", cases(rows), ids=str)``.

    Args:
        rows: the rows; each has a name of its own.
        properties: the names of the properties, keys of ``PROPERTIES``; by default all.
        leave_out: names of properties that are left out.

    Raises:
        InvalidParameterError: a property is unknown, two rows have the same name, or an argument is no row.

    >>> from rropt.designs import Problem
    >>> from rropt.testing.contract import DesignRow
    >>> problem = Problem.binary("1/3", epsilon="log(5)")
    >>> row = DesignRow("die of Nigeria", problem, "77/144", "Holohan, Leith and Mason (2016), Theorem 2")
    >>> for case in cases([row], ["bracket", "certificate"]):
    ...     case()
    ...     print(case)
    die of Nigeria-bracket
    die of Nigeria-certificate
    """
    listed = list(rows)
    for row in listed:
        if not isinstance(row, ContractRow):
            raise InvalidParameterError(f"there is no row: received {shown(row)}; give a DesignRow or a ResultRow")
    names = [row.name for row in listed]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidParameterError(f"two rows have the same name: received {shown(twice)}; give each its own name")
    wanted = list(PROPERTIES if properties is None else properties)
    omitted = list(leave_out)
    for name in (*wanted, *omitted):
        one_of(name, PROPERTIES, "the property")
    return [ContractCase(row, name) for row in listed for name in wanted if name not in omitted]


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of all cases; true if no property is broken.

    Attributes:
        passed: the cases that hold.
        broken: the messages of the broken ones.
        not_applicable: why the others say nothing.
    """

    passed: tuple[str, ...]
    broken: tuple[str, ...]
    not_applicable: tuple[str, ...]

    def __bool__(self) -> bool:
        return not self.broken

    def require(self) -> None:
        """Raise the messages of all broken properties.

        Raises:
            BrokenContract: a property is broken.
        """
        __tracebackhide__ = True
        if self.broken:
            raise BrokenContract("\n".join(self.broken))

    def lines(self) -> Iterator[str]:
        """Yield the broken properties, those that say nothing, and the numbers of both and of the others."""
        yield from (f"broken: {text}" for text in self.broken)
        yield from (f"not applicable: {text}" for text in self.not_applicable)
        counts = (len(each) for each in (self.passed, self.broken, self.not_applicable))
        yield "{} properties hold, {} are broken, {} are not applicable".format(*counts)

    def __str__(self) -> str:
        return "\n".join(self.lines())


def judge(
    rows: ContractRow | Iterable[ContractRow],
    properties: Sequence[str] | None = None,
    *,
    leave_out: Iterable[str] = (),
) -> Judged:
    """Test rows without pytest; a broken property does not end the run.

    Args:
        rows: a row, or several.
        properties, leave_out: the names of the properties, as for ``cases``.

    Returns:
        A ``Judged``; print it, or call its ``require()``.

    >>> from rropt.designs import Problem
    >>> from rropt.testing.contract import DesignRow
    >>> problem = Problem.binary("1/3", epsilon="log(5)")
    >>> print(judge(DesignRow("a wrong optimum", problem, "1/2", "nobody"), ["bracket", "private"]))
    broken: row 'a wrong optimum', property 'bracket': the bracket 77/144 does not contain the known optimum 1/2 \
(optimum: nobody)
    1 properties hold, 1 are broken, 0 are not applicable
    """
    passed, broken, silent = list[str](), list[str](), list[str]()
    for case in cases([rows] if isinstance(rows, ContractRow) else rows, properties, leave_out=leave_out):
        try:
            case()
        except BrokenContract as error:
            broken.append(str(error))
        except NotApplicable as reason:
            silent.append(str(reason))
        else:
            passed.append(str(case))
    return Judged(tuple(passed), tuple(broken), tuple(silent))
