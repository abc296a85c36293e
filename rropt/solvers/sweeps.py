"""Designs at every combination of parameters, as rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from rropt.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError, shown
from rropt.exact import Delta, Epsilon, rational
from rropt.mechanisms.columns import listed
from rropt.problem import Problem, binary_problem
from rropt.solvers.design_class import solve

_MOST_ROWS = 100_000


def sweep(
    make: Callable[..., Problem] = binary_problem, *, exact: bool = False, **parameters: Any
) -> list[dict[str, Any]]:
    """Solve a problem at every combination of parameters, the last one varying fastest, and return rows.

    ``pandas.DataFrame(sweep(...))`` and ``polars.DataFrame(sweep(...))`` are tables.

    Args:
        make: from keywords to a problem; by default ``rropt.binary_problem``.
        exact: numbers as exact ones; else as floats.
        parameters: its keywords, each one value or a list, an array or a series of values.

    Returns:
        One dictionary for each combination: the parameters by name, ``value``, ``lower``, ``upper`` (as of a
        ``Solution``), of binary designs ``p00`` and ``p11``, of others ``mechanism``; ``remark``, empty or why there
        is no design (the numbers are then ``None``).

    Raises:
        InvalidParameterError: a parameter that the problem does not take, or outside its domain.

    >>> for row in sweep(epsilon=["log(2)", "log(3)"], prevalence=["1/10", "1/2"], exact=True):
    ...     print(*(str(row[key]) for key in ("epsilon", "prevalence", "value", "p00")))
    log(2) 1/10 209/100 2/3
    log(2) 1/2 9/4 2/3
    log(3) 1/10 21/25 3/4
    log(3) 1/2 1 3/4
    """
    lists = {name: _values(value) for name, value in parameters.items()}
    count = 1
    for name, values in lists.items():
        if not values:
            raise InvalidParameterError(f"{name} is an empty list: received {shown(parameters[name])}; give a value")
        count *= len(values)
    if count > _MOST_ROWS:
        raise InvalidParameterError(f"the sweep is too large: received {count} combinations; at most {_MOST_ROWS}")
    return [dict(_row(make, dict(zip(lists, point, strict=True)), exact)) for point in product(*lists.values())]


def _values(value: Any) -> list[Any]:
    items = listed(value, flat=True)
    return [value] if items is None else items


def _row(make: Callable[..., Problem], point: dict[str, Any], exact: bool) -> Iterator[tuple[str, Any]]:
    def told(x: Any) -> Any:
        return x if exact or x is None or isinstance(x, str) else float(x)

    try:
        problem = make(**point)
    except InfeasibleError as error:
        problem, remark = None, str(error)
    except TypeError:
        raise InvalidParameterError(
            f"the problem does not take these parameters: received {shown(', '.join(point))}; allowed are the keywords "
            f"of {getattr(make, '__name__', 'make')}"
        ) from None
    for name, value in point.items():
        yield name, told(_number(name, value))
    solution = None
    try:
        solution = None if problem is None else solve(problem)
    except (InfeasibleError, UnsupportedProblemError) as error:
        remark = str(error)
    yield from (
        (name, None if solution is None else told(getattr(solution, name))) for name in ("value", "lower", "upper")
    )
    mechanism = None if solution is None else solution.mechanism
    if make is binary_problem or (mechanism is not None and mechanism.is_binary):
        yield from ((name, None if mechanism is None else told(getattr(mechanism, name))) for name in ("p00", "p11"))
    else:
        yield "mechanism", mechanism
    yield "remark", remark if solution is None else "; ".join(solution.remarks())


def _number(name: str, value: Any) -> Any:
    """Return a parameter as an exact number; what is none as it is."""
    try:
        return Epsilon.of(value) if name == "epsilon" else Delta.of(value) if name == "delta" else rational(value)
    except InvalidParameterError:
        return value
