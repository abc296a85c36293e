"""Record designs: what commands print, refuse, bound and prove. ``python freeze_designs.py [CASES.json]``.

``frozen_designs.json`` is a list of cases; those of the optional file are added, and every case is recorded anew.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import rropt
from rropt.cli.main import main
from rropt.core.results.twins import PosedTwice
from rropt.designs import solving
from rropt.designs.drawable_designs import is_drawable
from rropt.designs.report_costs import ReportCost
from rropt.mechanisms import Mechanism

FROZEN = Path(__file__).parent / "frozen_designs.json"
_POINT = re.compile(
    r"(?<=least favourable distribution).*?(?= guaranteed)"
)  # several may be: only the bound is promised
# short numbers too that depend on floats of the machine: gaps, differences, and how many cells a search halved
_MATRIX = re.compile(r"\nmechanism \(rows|\n.*; --exact prints the matrix")  # or the line in its place
_NUMBER = re.compile(r"~?-?\d[\de./-]{5,}|(?<=gap )\S+\b|(?<=differs by )\S+|\d+(?= cells)")


def _run(command: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(shlex.split(command))
        except SystemExit as leaving:
            status = int(leaving.code or 0)
    return status, out.getvalue(), err.getvalue()


def recorded(case: dict[str, Any]) -> dict[str, Any]:
    """Return a case with its results: long numbers are left out of the words, and so is the matrix."""
    command, files = case["command"], case.get("files", {})
    before, ways, way_of = Path.cwd(), list[str](), solving.way_of

    def seen(problem: Any) -> Any:
        ways.append(way_of(problem).name)
        return way_of(problem)

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, content in files.items():
                Path(name).write_text(json.dumps(content))
            with (
                mock.patch.object(solving, "way_of", seen),
                mock.patch.object(PosedTwice, "compared_twice", lambda given: given),
                mock.patch.object(ReportCost, "lines", return_value=[]),  # it has tests of its own
            ):
                status, out, err = _run(command)
            found = json.loads(_run(f"{command} --json")[1]) if not status else {}
        finally:
            os.chdir(before)
    words = _POINT.sub(" #", " ".join(_NUMBER.sub("#", _MATRIX.split(out)[0]).split()))
    made = {"command": command, "files": files, "status": status, "words": words, "refusal": " ".join(err.split())}
    if found.get("mechanism"):
        made["short numbers"] = is_drawable(Mechanism.from_dict(found["mechanism"]))
    if ways:
        made["way"] = ways[0]
    if found.get("routes"):
        made["routes"] = " ".join(found["routes"])
    ends = {name: found[name] for name in ("lower", "upper") if name in found}
    proof = found.get("certificate") or found.get("minimax", {}).get("certificate")
    if proof:
        made["checker"] = str(rropt.check(proof))
    return {key: value for key, value in (made | ends).items() if value not in ("", {})}


if __name__ == "__main__":
    cases = [case for file in [FROZEN, *map(Path, sys.argv[1:])] for case in json.loads(file.read_text())]
    FROZEN.write_text("[\n" + ",\n".join(json.dumps(recorded(case)) for case in cases) + "\n]\n")
