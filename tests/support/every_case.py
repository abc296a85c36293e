"""Many cases of one statement as one test: pytest takes 3 ms for a case of its own, and collects it in each worker."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

Test = Callable[..., None]


def every_case(names: str | Sequence[str], cases: Iterable[Any], ids: object = None) -> Callable[[Test], Test]:
    """Call a test with one case after the other, with the same fixtures; the error of a case has a note that names it.

    The first case that fails ends the test. A case that is skipped is left out; the test is skipped if all are.

    Args:
        names: the arguments of a case.
        cases: a value of the one argument, or the values of several, for each case.
        ids: as for ``parametrize``; not used.
    """
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    listed = [(case,) if keys == [names] else tuple(case) for case in cases]
    assert listed

    def around(test: Test) -> Test:
        @functools.wraps(test)
        def of_all(**given: Any) -> None:
            skipped = 0
            for case in listed:
                try:
                    test(**given, **dict(zip(keys, case, strict=True)))
                except pytest.skip.Exception:
                    skipped += 1
                    if skipped == len(listed):
                        raise
                except BaseException as error:
                    told = zip(keys, case, strict=True)
                    error.add_note("in the case " + ", ".join(f"{name} = {value!r:.300}" for name, value in told))
                    raise

        signature = inspect.signature(test)
        others = [parameter for name, parameter in signature.parameters.items() if name not in keys]
        of_all.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return of_all

    return around
