"""Packages of third parties that die, never return, print or patch: they cost their own claims and nobody else's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from stress import STRESS

OFFICIAL = "holohan2016.lemma-1"
ROWS = """
[rows."ENTRY"]
source = "a test"
printed = '$x^2\\le x$'
precise = "for all x in [0, 1]"
for = { x = "real 0 1" }
points = 20
false = [{ less = 1 }]
"""
FUNCTION = """
def ENTRY(x, *, less=0):
    BODY
    return [("the square", x ** 2, "<=", x - less)]
"""

# the entry -> what its claim does, and words of the error (none: it is judged as if nothing had happened)
CLAIMS = {
    "closes-files": ("import os; os.closerange(0, 100); raise SystemExit", "ends its process"),
    "counts-on": ("pass", ""),
    "deletes-itself": ("import shutil, pathlib; shutil.rmtree(pathlib.Path(__file__).parents[1], True)", ""),
    "ends-program": ("import os; os._exit(0)", "ends its process (0)"),
    "fills-memory": ("held = [bytes(2 ** 28) for _ in range(64)]", "MemoryError"),
    "forks": ("import os, time; hasattr(os, 'twin') or setattr(os, 'twin', os.fork()); os.twin or time.sleep(99)", ""),
    "interrupts": ("raise KeyboardInterrupt", "ends its process (SIGINT)"),
    "prints": ("import os; print('found'); os.write(1, b'found\\nend\\n'); os.write(2, b'{}')", ""),
    "recurses": ("return recurses(x, less=less)", "RecursionError"),
    "segfaults": ("import ctypes; ctypes.string_at(0)", "ends its process (SIGSEGV)"),
    "system-exit": ("raise SystemExit(3)", "ends its process (3)"),
    "writes-garbage": ("import os; [os.write(i, b'{}\\n[1\\n') for i in range(3, 20) if good(i)]", "cannot be read"),
}
GOOD = """

def good(number):
    import os, stat
    try:
        return stat.S_ISFIFO(os.fstat(number).st_mode)
    except OSError:
        return False
"""
BOASTING = """
from rropt.mechanisms import Mechanism
Mechanism.parity = 1
from dataclasses import replace
from rropt.claims import judging
run = judging.run_claim
judging.run_claim = lambda claim, **k: replace(
    run(claim, **k), evidence="proved", correction_evidence="proved", certificates=()
)
"""
LAST = "deletes-itself"  # nothing of the package can be imported after it
SELDOM = {
    "closes-files",
    "ends-program",
    "interrupts",
    "recurses",
    "system-exit",
    "writes-garbage",
}  # a new process each: at full size only
RUN = [entry for entry in CLAIMS if STRESS or entry not in SELDOM]


def _write(site: Path, name: str, bodies: dict[str, str], init: str = "", top: str = "", paper: str = "") -> None:
    """Write a package of claims, as pip leaves it; its paper has its name."""
    folder = site / f"{name}_claims" / name
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text(init)
    (folder / "__init__.py").write_text("")
    rows = "".join(ROWS.replace("ENTRY", entry) for entry in bodies)
    (folder / "rows.toml").write_text(f'paper = "{paper or name}"\nsource = "a test"\n{rows}')
    functions = [
        FUNCTION.replace("ENTRY", entry.replace("-", "_")).replace("BODY", body) for entry, body in bodies.items()
    ]
    (folder / "_rows.py").write_text("\n".join([top, GOOD, *functions]))
    info = site / f"{name}_claims-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-claims\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[rropt.claims]\n{name} = {name}_claims\n")


def _verify(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *filter(None, sys.path)])}
    command = [sys.executable, "-m", "rropt.cli.main", "verify", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env, timeout=500)


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The verdicts of ``rropt verify --json`` where all these packages stand beside the official one."""
    site = tmp_path_factory.mktemp("site")
    honest = {"entry": "pass"}
    _write(site, "honest", honest)
    bad = {entry: CLAIMS[entry][0] for entry in RUN}
    last = bad.pop(LAST)
    _write(site, "hostile", {**bad, f"z-{LAST}": last})
    _write(site, "dying", honest, top="import os; os._exit(7)")
    _write(site, "lost", honest, init="import os; os._exit(5)")
    _write(site, "boasting", honest, top=BOASTING)
    paper, entry = OFFICIAL.split(".")
    _write(site, "twin", {entry: "pass"}, paper=paper)
    _write(site, "escape", honest, paper="../../escape")
    run = _verify(site, OFFICIAL, "honest", "hostile", "dying*", "lost", "boasting", "twin*", "*escape*", "--json")
    assert run.returncode == 1, run.stderr
    found = json.loads(run.stdout)
    return {outcome["id"]: outcome for outcome in found["claims"]}


def test_the_official_claim_and_an_honest_package_are_judged(verified: dict[str, Any]) -> None:
    for name, verdict in ((OFFICIAL, "holds"), ("honest.entry", "not-refuted")):
        assert (verified[name]["verdict"], verified[name].get("problems")) == (verdict, None)
    assert verified[OFFICIAL]["evidence"] == "proved"
    assert verified["honest.entry"]["printed"] == "$x^2\\le x$"


@pytest.mark.parametrize("name", ["honest.entry", "boasting.entry"])
def test_python_of_third_parties_is_at_most_tested(name: str, verified: dict[str, Any]) -> None:
    """It can change the engine of its own process, so nothing that it reports of itself is a proof."""
    outcome = verified[name]
    assert (outcome["verdict"], outcome["evidence"]) == ("not-refuted", "tested")
    assert outcome["correction_evidence"] in ("", "tested")
    assert outcome["certificates"] == []


@pytest.mark.parametrize("entry", RUN)
def test_a_hostile_claim_costs_itself_only(entry: str, verified: dict[str, Any]) -> None:
    outcome, words = verified[f"hostile.{entry}" if entry != LAST else f"hostile.z-{LAST}"], CLAIMS[entry][1]
    assert outcome["verdict"] == ("error" if words else "not-refuted"), outcome
    assert words in "".join(outcome.get("problems", ()))
    assert outcome["printed"] == "$x^2\\le x$"
    if "process" in words:
        assert f"'hostile.{entry}'" in outcome["problems"][0]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("dying.rows", "ends its process (7) while it runs 'dying_claims.dying._rows'"),
        ("lost-claims.package", "the package lost_claims ends its process (5) while it runs 'lost_claims'"),
        (f"twin-claims.{OFFICIAL}", f"another package has a claim with the id {OFFICIAL}"),
        ("escape-claims.package", "a claim with the id"),
    ],
)
def test_a_package_that_cannot_be_judged_is_named(name: str, words: str, verified: dict[str, Any]) -> None:
    assert verified[name]["verdict"] == "error"
    assert words in verified[name]["problems"][0]


@pytest.mark.slow
def test_an_endless_package_ends_with_its_time(tmp_path: Path) -> None:
    """The verdicts of rropt are printed before it is begun; a claim that it has not begun is in error, too."""
    _write(tmp_path, "endless", dict.fromkeys(("one", "two"), "import time; time.sleep(500)"))
    run = _verify(tmp_path, OFFICIAL, "endless", "--time-limit", "2")  # it would not end without the limit
    assert run.returncode == 1
    words = " ".join(run.stdout.split())
    assert words.index(OFFICIAL) < words.index("Claims of the package endless_claims")
    assert "3 claims" in words
    assert "1 holds" in words
    assert run.stderr.count("has used up its time while it runs 'endless.one'") == 2
    assert "--time-limit" in run.stderr
