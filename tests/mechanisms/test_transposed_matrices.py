"""Each function that reads a matrix reads it with inputs as rows, in every form of a matrix.

A new function with the parameter ``matrix`` needs ``transposed``, and a row here.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from later import later

import rropt.accounting
import rropt.core
import rropt.designs
import rropt.mechanisms
import rropt.privacy
import rropt_fieldwork.audits
from rropt import Mechanism
from rropt.core.errors import InvalidMechanismError, InvalidParameterError
from rropt.designs.optimality_judgements import optimality
from rropt.designs.printed_objectives import printed_optimality
from rropt.designs.repairs import repair
from rropt.mechanisms.imports import load_mechanism, load_raw_matrix
from rropt.mechanisms.raw_matrices import audit
from rropt.privacy.printed_tables import posteriors, printed_privacy, printed_table

pd = later("pandas")
pl = later("polars")
ROWS = [[1 / 3, 1 / 7], [2 / 3, 6 / 7]]  # floats of fractions: the rule for them holds for columns, not for rows
PRINTED = [[0.33, 0.14], [0.67, 0.86]]

READERS: dict[str, tuple[list[list[float]], Callable[..., Any]]] = {
    "Mechanism": (ROWS, Mechanism),
    "Mechanism.rounded": ([[0.33, 0.5], [0.33, 0.25], [0.33, 0.25]], Mechanism.rounded),
    "audit": (ROWS, audit),
    "repair": (ROWS, lambda matrix, **how: repair(matrix, "log(2)", fast=True, **how)),
    "posteriors": (ROWS, lambda matrix, **how: posteriors(matrix, "1/3", **how)),
    "posteriors of a table": (PRINTED, lambda matrix, **how: posteriors(matrix, "1/3", printed=2, **how)),
    "printed_privacy": (PRINTED, lambda matrix, **how: printed_privacy(matrix, 2, epsilon=2, **how)),
    "printed_table": (PRINTED, lambda matrix, **how: printed_table(matrix, 2, **how)),
    "printed_optimality": (PRINTED, lambda matrix, **how: printed_optimality(matrix, 2, epsilon=2, **how)),
}

FORMS: dict[str, Callable[[Any], Any]] = {
    "lists": lambda rows: [list(map(float, row)) for row in rows],
    "tuples": lambda rows: tuple(map(tuple, rows)),
    "array": np.array,
    "Fortran array": lambda rows: np.asfortranarray(rows),
    "pandas": lambda rows: pd.DataFrame(rows),
    "polars": lambda rows: pl.DataFrame(list(map(list, rows)), orient="row"),
}


@few_rows(2)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", READERS)
def test_inputs_as_rows_are_read(name: str, form: str) -> None:
    rows, read = READERS[name]
    exchanged = [list(row) for row in zip(*rows, strict=True)]
    expected, found = read(FORMS[form](rows)), read(FORMS[form](exchanged), transposed=True)
    assert found == expected
    assert str(found) == str(expected)
    if name == "printed_table":  # which only reads
        return
    with pytest.raises((InvalidMechanismError, InvalidParameterError), match="transposed"):
        read(FORMS[form](exchanged))


# Functions below the readers, which get columns as they are.
BELOW = {
    "rropt.core.exact.flint_numbers.fractions_of",
    "rropt.designs.engine.divergence_designs.averaged",
    "rropt.designs.engine.many_levels.solved",
    "rropt.designs.repairs.repair_under_criterion",
    "rropt.mechanisms.columns.exact_entries",
    "rropt.mechanisms.columns.listed_rows",
    "rropt.mechanisms.rounding.exact_matrix",
    "rropt.mechanisms.rounding.rounded_matrix",
}


def test_every_function_of_a_matrix_has_a_row() -> None:
    found = set()
    for room in (rropt.core, rropt.designs, rropt.mechanisms, rropt.privacy, rropt_fieldwork.audits, rropt.accounting):
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            made = importlib.import_module(module.name)
            own = {name: one for name, one in vars(made).items() if getattr(one, "__module__", "") == module.name}
            for name, one in own.items():
                of = inspect.signature(one).parameters if inspect.isfunction(one) and name[0] != "_" else {}
                if "matrix" in of and of["matrix"].annotation == "Any":
                    found.add(f"{module.name}.{name}")
                    assert "transposed" in of or f"{module.name}.{name}" in BELOW, name
    assert {name.rpartition(".")[2] for name in found - BELOW} <= READERS.keys()
    assert found >= BELOW


def test_float32_is_exchanged_in_its_own_precision() -> None:
    single = np.array(ROWS, dtype=np.float32)
    assert Mechanism(single.T, transposed=True) == Mechanism(single) != Mechanism(single.astype(float))


def test_files_of_other_tools(tmp_path: Path) -> None:
    """CSV with points or semicolons, an array, JSON lists: as qif and sdcMicro write them, with inputs as rows."""
    exchanged = [list(row) for row in zip(*ROWS, strict=True)]
    (semicolons := tmp_path / "a.csv").write_text("\n".join(";".join(map(repr, row)) for row in exchanged))
    (commas := tmp_path / "b.csv").write_text("\n".join(",".join(map(repr, row)) for row in exchanged))
    (lists := tmp_path / "c.json").write_text(repr(exchanged))
    (blanks := tmp_path / "d.csv").write_text("\n".join(", ".join(map(repr, row)) for row in exchanged) + "\n\n")
    np.save(array := tmp_path / "e.npy", np.array(exchanged))
    for path in (semicolons, commas, lists, blanks, array):
        assert load_mechanism(path, transposed=True).matrix == Mechanism(ROWS).matrix
        assert load_raw_matrix(path, transposed=True) == audit(ROWS)
        with pytest.raises(InvalidMechanismError, match="transposed"):
            load_mechanism(path)


def test_a_mechanism_is_not_exchanged() -> None:
    with pytest.raises(InvalidParameterError, match="whose rows are outputs"):
        Mechanism(Mechanism("warner:3/4"), transposed=True)
    with pytest.raises(InvalidParameterError, match="named design"):
        posteriors("warner:3/4", "1/2", transposed=True)
    assert optimality(Mechanism([[0.7, 0.3], [0.2, 0.8]], transposed=True), epsilon=2, fast=True).is_private
