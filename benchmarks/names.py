"""Names that stand twice: modules (packages among them) and public classes of `rropt/`, `fieldwork/` and `proofs/`.

    python benchmarks/names.py [--strict]

One name stands for one thing. A file of `rropt.symbolic` or `rropt.convex` has the name of the file that it poses again
(`rropt.convex.MIRRORS` lists other names), and both rooms use the same names: these are not counted. `REASONS` has
every other name that stays, with its reason. With `--strict` the exit status is 1 if a name stands twice without a
reason, or if a reason is no longer needed.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TWINS = ("rropt/symbolic/", "rropt/convex/")

_COMMAND = "the command of this name, beside what it calls: a module of rropt/cli has the name of its command"
_PAPER = "every paper in proofs/rropt_proofs has its files under the same names"
_TWIN = "of the posing in SymPy, which imports nothing of the engine that it checks, and of the engine"
REASONS = {
    "__main__": "Python's own name of what `python -m` runs",
    "_paper": _PAPER,
    "_range": _PAPER,
    "_rows": _PAPER,
    "every_level": "the statement of the checker, and the result that it certifies",
    "family": "the statement of the checker, and the result that it certifies",
    "laplace": _COMMAND,
    "noncompliance": _COMMAND,
    "plan": _COMMAND,
    "privacy": _COMMAND,
    "levels": _TWIN,
    "programs": _TWIN,
    "twins": "the record of the twins of a result, and the module that calls both posings",
    "Sum": "a sum over outputs in a certificate, and the problem of the largest sum in SymPy",
    "Basis": _TWIN,
    "Line": _TWIN,
    "Level": _TWIN,
    "RationalLevel": _TWIN,
    "Judged": "a design judged by the definition, and a row of the contract that was judged",
    "Estimate": "a row of Estimates, and the estimate of a distribution from counts, which it replaces",
    "Sample": "data with their sampling design, and one of several samples with its mechanism in noncompliance",
    "bundles": "the checker reads, and imports nothing of rropt; the core writes what it reads",
    "design": "the public module that finds designs, and the table of the designs that have names",
    "errors": "the public module, and the file of the core that defines the errors",
    "exact": "the public module, and the room of the core that defines the numbers",
    "blocks": "families of block designs, and blocks of likelihood ratios in the twins",
    "closed_forms": "designs in closed form, and the twins' derivation of formulas: parts of two rooms",
    "rounding": "of the numbers of a design to few digits, and of decimals to the matrix that is meant",
    "layouts": "of the texts in a picture, and of the columns of a table",
    "Layout": "of a picture, and of a table: no code uses both",
    "Area": "a shape of a chart, and the measure of a breach region",
    "Cells": "a shape of a chart, and the cells of exact accounting",
    "Curve": "a shape of a chart, and a curve in a certificate",
    "Rule": "a line of a chart, and a rule of integration",
    "rropt": "the claims of rropt itself, as a paper of the registry",
    "columns": "of a matrix of probabilities, and the columns that a large program of CVXPY generates",
    "rows": "of an answer of a claim, and the rows of a mechanism that suffice for a proof",
    "information": "a statement of the checker, and the KKT systems of the twins: no code uses both",
    "Enclosure": "of a stated value of a paper, and bounds of a design that the twins prove",
    "limits": "the checker imports nothing of rropt, so it has limits of its own: the same notion on both sides",
    "Reading": "of an ambiguous claim, and of a table of respondents",
    "Table": "the named designs by name, and a table of respondents",
    "counts": "sums in a certificate, which the checker reads, and counts of many machines",
    "reading": "how files are read, and the room of fieldwork that reads tables of people",
    "orders": "the twins pose rropt/designs/orders in a room of this name",
    "parity_bound": "the twins pose B(h) under the name of the checker's statement",
}
"""A name that stands twice -> why it stays."""


def _files() -> Iterator[str]:
    """Iterate over the files of the library and of the registry, relative to the repository."""
    for room in ("rropt", "fieldwork/rropt_fieldwork", "proofs/rropt_proofs"):
        for path in sorted((ROOT / room).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix()


def _mirrored() -> set[str]:
    """Return the files of the twins that have the name of what they pose again; two twins of one name count once."""
    found = set()
    for room in TWINS:
        for file in (ROOT / room).rglob("*.py"):
            place = file.relative_to(ROOT / room).as_posix()
            is_second = room != TWINS[0] and (ROOT / TWINS[0] / place).exists()
            if is_second or (ROOT / "rropt" / place).exists() or place in _other_places():
                found.add(room + place)
    return found


def _other_places() -> set[str]:
    """Return the files of the twins whose place differs from that of what they pose again."""
    from rropt.convex import MIRRORS

    return {f"{there}.py" for here, there in MIRRORS.items() if Path(here).name == Path(there).name}


def twice() -> dict[str, list[str]]:
    """Return the names that stand twice or more, with their places: ``file`` of a module, ``file:Class`` of a class."""
    modules, classes = defaultdict(list), defaultdict(list)
    mirrored = _mirrored()
    for file in _files():
        path = Path(file)
        name = path.parent.name if path.name == "__init__.py" else path.stem
        if file not in mirrored:
            modules[name].append(file)
        in_twins = file.startswith(TWINS)
        for found in re.findall(r"^class ([A-Za-z]\w*)", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE):
            seen = classes[found]
            if not (in_twins and any(place.startswith(TWINS) for place in seen)):
                seen.append(f"{file}:{found}")
    return {name: places for names in (modules, classes) for name, places in names.items() if len(places) > 1}


def unexplained() -> dict[str, list[str]]:
    """Return the names that stand twice without a reason."""
    return {name: places for name, places in twice().items() if name not in REASONS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--strict", action="store_true", help="exit status 1 if a name has no reason, or a reason no name"
    )
    args = parser.parse_args()
    found = twice()
    for name, places in found.items():
        print(f"{name}: {', '.join(places)}\n    {REASONS.get(name, 'NO REASON')}")
    idle = sorted(REASONS.keys() - found.keys())
    without = unexplained()
    print(f"{len(found)} names stand twice or more, {len(without)} of them without a reason")
    if idle:
        print(f"reasons that are no longer needed: {', '.join(idle)}")
    if args.strict and (without or idle):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
