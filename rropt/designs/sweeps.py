"""Solve for designs at every combination of parameters; return the rows of a table."""

from __future__ import annotations

import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from fractions import Fraction
from functools import partial
from inspect import signature
from itertools import product
from typing import TYPE_CHECKING, Any, SupportsFloat, cast

from rropt.core.argument_checks import clear_calls, require_flags, require_given
from rropt.core.errors import (
    InfeasibleError,
    InvalidParameterError,
    MissingExtraError,
    RroptWarning,
    UnsupportedProblemError,
    required,
    shown,
)
from rropt.core.exact import Delta, Epsilon, decimal_text, rational
from rropt.core.exact.levels import is_span
from rropt.core.exact.numbers import nearest_float, whole_where
from rropt.core.results import html_tables, remarks_of
from rropt.core.results.markup import required_pandas
from rropt.core.results.result_frames import Cell, columns_of
from rropt.designs.problem import Problem
from rropt.designs.solution import Solution
from rropt.designs.solving import every_level_of, solve
from rropt.mechanisms.columns import listed
from rropt.privacy import span

if TYPE_CHECKING:
    from rropt.designs.parametric.closed_levels import ClosedLevels
    from rropt.designs.parametric.every_level import EveryLevel

_MOST_ROWS = 100_000
_MOST_JOBS = 4096
_IDLE = 20  # seconds after which idle worker processes of a killed run end


class SweptRows(list[dict[str, Any]]):
    """The rows of a sweep: a list of dictionaries."""

    def _repr_html_(self) -> str:
        rows = [tuple(_shown(value) for value in row.values()) for row in self]
        header = tuple(name.replace("_", " ") for name in self[0]) if self else ()
        return html_tables([("", header, [tuple(row) for row in rows])])

    def to_frame(self) -> Any:
        """Return the rows as a data frame of pandas; exact numbers are the nearest floats.

            Raises:
                MissingExtraError: pandas is not installed.

            >>> from rropt import design
        >>> frame = sweep(design.binary, epsilon=["log(2)", "log(3)"], prevalence="1/10").to_frame()
            >>> frame["value"].tolist()
            [2.09, 0.84]
        """
        rows = [{name: _cell(value) for name, value in row.items()} for row in self]
        return required_pandas().DataFrame(columns_of(rows))


def _shown(value: Any) -> str:
    """Return a cell of the table in a notebook."""
    return "" if value is None else decimal_text(value) if isinstance(value, float) else str(value)


def _cell(value: Any) -> Cell:
    """Return a cell of a data frame: a number as a float, a level such as log(2) as its number, else a text."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return nearest_float(value) if isinstance(value, Fraction | Epsilon | Delta) else str(value)


@clear_calls
def sweep(
    make: Callable[..., Any],
    *arguments: Any,
    exact: bool = False,
    jobs: int | None = None,
    fast: bool = False,
    **parameters: Any,
) -> SweptRows:
    """Solve a design problem for every combination of parameters (the last varies fastest).

    ``sweep(...).to_frame()`` is a data frame of pandas; ``polars.DataFrame(sweep(...))`` makes one of polars.

    Args:
        make: the design, ``rropt.design.binary`` or ``rropt.design.kary``; or another function from keyword arguments
            to a ``Problem`` or a ``Solution``.
        arguments: the arguments of ``make`` that are given by their places; they are the same in all rows.
        exact: whether to return exact numbers instead of floats; a number beyond the range of floats is exact anyway.
        jobs: the number of processes; -1 is one for each processor. With joblib installed (the extra ``cluster``) they
            are joblib's, which take every function, and ``None`` uses the setting of ``joblib.parallel_config``,
            which may be a cluster, or else one process. The rows do not depend on it.
        fast: whether to run one route only, and to leave out the comparison with SymPy and CVXPY, as for ``solve``.
        parameters: the keyword arguments of ``make``; each is one value, or a list, array or series of values.

    Returns:
        A list of dictionaries, one for each combination. Keys are the names of the parameters, and ``value``,
        ``lower``, ``upper`` as in a ``Solution`` (of the squared loss with any outputs, the loss). Binary designs have
        ``p00`` and ``p11``, other designs ``mechanism``.
        For every level at once (``epsilon="all"``) the value is a text with the formula of each piece, and the others
        are ``None``.
        If there is no design, these are ``None`` and ``remark`` gives the reason. Otherwise ``remark`` contains the
        warnings about the design, or is empty.

    Raises:
        InvalidParameterError: the design does not take a parameter, or a parameter is outside its domain.

    >>> from rropt import design
    >>> for row in sweep(design.binary, epsilon=["log(2)", "log(3)"], prevalence=["1/10", "1/2"], exact=True):
    ...     print(*(str(row[key]) for key in ("epsilon", "prevalence", "value", "p00")))
    log(2) 1/10 209/100 2/3
    log(2) 1/2 9/4 2/3
    log(3) 1/10 21/25 3/4
    log(3) 1/2 1 3/4
    """
    require_flags(exact=exact, fast=fast)
    require_given(jobs=jobs)
    if not callable(make):
        raise InvalidParameterError(
            f"a sweep needs a design: received {shown(make)}; give rropt.design.binary, rropt.design.kary, or a "
            "function that returns a Problem"
        )
    fixed = partial(make, *arguments) if arguments else make
    points = grid(parameters)
    rows = in_parallel(partial(_placed_row, fixed, exact, fast), list(enumerate(points)), jobs)
    return SweptRows(row for _, row in sorted(rows, key=lambda placed: placed[0]))


def grid(parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return every combination of the parameter values; the last parameter varies fastest.

    Raises:
        InvalidParameterError: a list is empty, or there are more than 100 000 combinations.
    """
    lists = {name: _values(value) for name, value in parameters.items()}
    count = 1
    for name, values in lists.items():
        if not values:
            raise InvalidParameterError(f"{name} is an empty list: received {shown(parameters[name])}; give a value")
        count *= len(values)
    if count > _MOST_ROWS:
        raise InvalidParameterError(f"the sweep is too large: received {count} combinations; at most {_MOST_ROWS}")
    return [dict(zip(lists, point, strict=True)) for point in product(*lists.values())]


def in_parallel(function: Callable[[Any], Any], items: Iterable[Any], jobs: int | None) -> Iterator[Any]:
    """Apply a function to each item, in one process or in several; yield the results in order of completion.

    joblib starts the processes where it is installed (the extra ``cluster``): it takes functions of every kind, and
    workers on other machines. Without it they are those of Python, which take functions that can be pickled.
    """
    if jobs is not None:  # negative numbers count from all processors: -1 is all of them
        jobs = whole_where(jobs, 1 if jobs == 0 else -_MOST_JOBS, _MOST_JOBS, name="`jobs`")
    if jobs is None and sys.modules.get("joblib") is None:  # nobody has set joblib.parallel_config
        jobs = 1
    if jobs == 1:
        yield from map(function, items)
        return
    try:
        from joblib import Parallel, delayed
    except ImportError:
        yield from _in_processes(function, list(items), cast(int, jobs))
        return
    yield from Parallel(n_jobs=jobs, return_as="generator_unordered")(delayed(function)(item) for item in items)


def _in_processes(function: Callable[[Any], Any], items: Sequence[Any], jobs: int) -> Iterator[Any]:
    """Apply a function to each item in processes of Python's own pool."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    try:
        pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError):
        raise MissingExtraError(
            "`jobs` needs a function that other processes can import: received one that is defined elsewhere, such as "
            "a lambda; pip install 'rropt[cluster]' takes it, or define it in a module"
        ) from None
    most = jobs if jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + jobs)
    with ProcessPoolExecutor(min(most, max(1, len(items))), mp_context=get_context("spawn")) as pool:
        started = [pool.submit(function, item) for item in items]
        try:
            for done in as_completed(started):
                yield done.result()
        finally:
            for each in started:
                each.cancel()


def solved(
    make: Callable[..., Any], point: Mapping[str, Any], *, fast: bool = False
) -> tuple[Solution | EveryLevel | ClosedLevels | None, str]:
    """Return the solution of the design at a point (``None`` if it has none), and its remark."""
    known = signature(make)
    try:
        known.bind(**point)
    except TypeError:
        allowed = [name for name in known.parameters if name not in ("fast", "routes")]
        name = getattr(make, "__name__", "the function")
        if unknown := [each for each in point if each not in known.parameters]:
            raise InvalidParameterError(
                f"the design does not take these parameters: received {shown(', '.join(unknown))}; allowed are the "
                f"keywords of {name}: {', '.join(allowed)}"
            ) from None
        missing = [each for each, one in known.parameters.items() if one.default is one.empty and each not in point]
        raise InvalidParameterError(
            f"the design needs more parameters: received {', '.join(map(shown, point)) or 'none'}; {name} needs "
            f"{', '.join(missing)} too"
        ) from None
    try:
        if is_span(point.get("epsilon")):
            return _at_every_level(make, dict(point), fast), ""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RroptWarning)  # the remark contains the warning
            found = make(**point, **({"fast": fast} if "fast" in known.parameters else {}))
            solution = solve(found, fast=fast) if isinstance(found, Problem) else found
    except (InfeasibleError, UnsupportedProblemError) as error:
        return None, str(error)
    return required(solution, Solution, "what the design returns", "a Solution or a Problem"), _remark(solution)


def _remark(solution: Solution) -> str:
    return "; ".join(remarks_of(solution))


def _at_every_level(make: Callable[..., Any], point: dict[str, Any], fast: bool) -> EveryLevel | ClosedLevels:
    """Return the optimum of the problem of a design as a function of the level."""
    inner, arguments = (make.func, make.args) if isinstance(make, partial) else (make, ())
    level = span(point.pop("epsilon"), point.pop("delta", 0))
    posed = getattr(Problem, getattr(inner, "__name__", ""), inner)  # of design.binary: Problem.binary
    return every_level_of(posed(*arguments, **point, level=level), fast=fast)


def curve_text(found: EveryLevel | ClosedLevels) -> str:
    """Return the formulas of the optimum for every level, each with its interval."""
    return "; ".join(f"{piece.where}: {piece.value}" for piece in found.pieces)


def _placed_row(
    make: Callable[..., Problem], exact: bool, fast: bool, placed: tuple[int, dict[str, Any]]
) -> tuple[int, dict[str, Any]]:
    return placed[0], dict(_row(make, placed[1], exact, fast))


def _values(value: Any) -> list[Any]:
    items = listed(value, flat=True)
    return [value] if items is None else items


def _row(make: Callable[..., Problem], point: dict[str, Any], exact: bool, fast: bool) -> Iterator[tuple[str, Any]]:
    def told(x: Any) -> Any:  # a population or levels are lists
        near = None if exact or not isinstance(x, SupportsFloat) else nearest_float(x)
        return x if near is None else near

    found, remark = solved(make, point, fast=fast)
    solution = found if isinstance(found, Solution) else None
    curve = None if found is None or isinstance(found, Solution) else curve_text(found)
    for name, value in point.items():
        yield name, told(_number(name, value))
    ends = {} if solution is None else solution.asked_ends()
    for name in ("value", "lower", "upper"):
        yield name, (curve if name == "value" else None) if solution is None else told(ends[name])
    mechanism = None if solution is None else solution.mechanism
    is_binary = "prevalence" in point if mechanism is None else mechanism.is_binary
    if is_binary:
        for name in ("p00", "p11"):
            yield name, None if mechanism is None else told(getattr(mechanism, name))
    else:
        yield "mechanism", mechanism
    yield "remark", remark


def _number(name: str, value: Any) -> Any:
    """Convert a parameter to an exact number; return any other value unchanged."""
    try:
        return Epsilon.of(value) if name == "epsilon" else Delta.of(value) if name == "delta" else rational(value)
    except InvalidParameterError:
        return value


def _idle_processes_end() -> AbstractContextManager[object]:
    """Return the setting of joblib with which the processes of a killed run end; nothing without joblib."""
    try:
        import joblib
    except ImportError:
        return nullcontext()
    return cast("AbstractContextManager[object]", joblib.parallel_config("loky", idle_worker_timeout=_IDLE))


@contextmanager
def workers(jobs: int, backend: str = "processes", cluster: str | None = None) -> Iterator[int]:
    """Select joblib's backend within a ``with`` block, and yield ``jobs`` for ``sweep`` and ``sweep_to_file``.

    Args:
        jobs: the number of processes, or of workers of a Dask cluster that is started here.
        backend: ``"processes"`` on this machine, or ``"dask"``.
        cluster: the address of the scheduler of an existing Dask cluster.

    Raises:
        InvalidParameterError: a cluster is given without Dask, or the address has no scheduler.
        MissingExtraError: Dask is not installed.
    """
    if cluster is not None and backend != "dask":
        raise InvalidParameterError(
            "`cluster` needs the Dask backend: received it without `backend=dask`; add that, or leave it out"
        )
    if backend == "processes":
        with _idle_processes_end():
            yield jobs
        return
    try:
        import joblib
        from distributed import Client, LocalCluster
    except ImportError:
        raise MissingExtraError(
            "a Dask cluster is requested, and Dask is not installed: pip install 'rropt[cluster]', or give a number of "
            "processes"
        ) from None
    try:
        own = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": None}
        local = LocalCluster(**own) if cluster is None else None
        client = Client(cluster if local is None else local)
    except (OSError, ValueError) as error:
        raise InvalidParameterError(
            f"`cluster` is not the address of the scheduler of a cluster: received {shown(cluster)}: "
            f"{shown(str(error))}; give its address, such as tcp://host:8786"
        ) from None
    with local or nullcontext(), client, joblib.parallel_config("dask"):
        yield -1
