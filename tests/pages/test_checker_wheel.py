"""The checker as a distribution of its own: the wheel `rropt-checker`, alone and beside `rropt`, in either order."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from functools import cache
from pathlib import Path

import pytest

import rropt.checker

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "packaging" / "rropt-checker"
PAGE = "rropt/reports/javascript/checker.html"
LARGEST = 500_000  # bytes of the wheel
CERTIFICATE = re.findall(
    r"```json\n(\{\"format\".*?)```",
    (Path(rropt.checker.__file__).parent / "binary_bracket.md").read_text("utf-8"),
    re.DOTALL,
)[0]

pytest.importorskip("hatchling", reason="hatchling builds the wheels: it belongs to the extra `test`")


def run(command: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=120, check=False)


@cache
def wheel(folder: Path, name: str) -> Path:
    """Return the wheel of this repository that has this name, built without a network."""
    where = {"rropt": ROOT, "rropt_checker": SOURCE}[name]
    done = run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], where)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob(f"{name}-*.whl")
    return built


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("wheels")


def environment(folder: Path, *wheels: Path) -> Path:
    """Return the interpreter of a fresh environment with these wheels alone, installed one after the other."""
    done = run([sys.executable, "-m", "venv", "--without-pip", str(folder)], folder.parent)
    assert done.returncode == 0, done.stderr
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    for built in wheels:
        install = [
            "-m",
            "pip",
            "--python",
            str(python),
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            "--no-compile",
            str(built),
        ]
        done = run([sys.executable, *install], folder.parent)
        assert done.returncode == 0, done.stderr
    (folder / "good.json").write_text(CERTIFICATE, encoding="utf-8")
    (folder / "bad.json").write_text(CERTIFICATE.replace('"lower": "', '"lower": "1'), encoding="utf-8")
    return python


def verdicts(python: Path, package: str, *options: str) -> tuple[int, list[str]]:
    """Return status and lines of a checker on a good file and a bad one."""
    command = [str(python), "-I", "-m", package, *options, "good.json", "bad.json"]
    done = run(command, python.parents[1])
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_the_wheel_is_small_and_complete(folder: Path) -> None:
    built = wheel(folder, "rropt_checker")
    assert built.stat().st_size <= LARGEST
    with zipfile.ZipFile(built) as archive:
        names = set(archive.namelist())
        here = Path(rropt.checker.__file__).parent
        files = [path for path in here.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        for path in files:
            assert archive.read(f"rropt_checker/{path.relative_to(here).as_posix()}") == path.read_bytes()
        metadata = archive.read(next(name for name in names if name.endswith("METADATA"))).decode()
    ours = {name for name in names if not name.startswith("rropt_checker-")}
    assert ours == {f"rropt_checker/{path.relative_to(here).as_posix()}" for path in files}
    assert {"rropt_checker/FORMAT.md", "rropt_checker/conformance/cases.jsonl"} <= ours
    assert "Requires-Dist" not in metadata
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"\nVersion: {version}\n" in metadata


@pytest.mark.slow
def test_alone(folder: Path, tmp_path: Path) -> None:
    """Nothing of rropt is there; commands, sentences and the suite work."""
    python = environment(tmp_path / "alone", wheel(folder, "rropt_checker"))
    assert run([str(python), "-I", "-c", "import rropt"], tmp_path).returncode == 1
    status, lines = verdicts(python, "rropt_checker")
    assert status == 1
    assert re.fullmatch(r"good\.json: accepted: The .*\.", lines[0])
    assert lines[1].startswith("bad.json: rejected: ")
    script = python.with_name("rropt-checker.exe" if os.name == "nt" else "rropt-checker")
    done = run([str(script), "good.json", "bad.json"], python.parents[1])
    assert (done.returncode, done.stdout.splitlines()) == (status, lines)
    assert verdicts(python, "rropt_checker", "--quiet")[1][0] == "good.json: accepted"
    loaded = "import sys, rropt_checker.conformance; print(*sys.modules)"
    names = run([str(python), "-I", "-c", loaded], tmp_path).stdout.split()
    assert {name.split(".")[0] for name in names} <= {*sys.stdlib_module_names, "rropt_checker", "__main__"}
    suite = [
        "-m",
        "rropt_checker.conformance",
        "--statements",
        "garbling,infeasible",
        str(python),
        "-m",
        "rropt_checker",
    ]
    done = run([str(python), *suite], tmp_path)
    assert done.returncode == 0, done.stdout
    usage = run([str(python), "-m", "rropt_checker"], tmp_path)
    assert usage.stdout.startswith("usage: python -m rropt_checker ")


def test_rropt_alone_has_its_checker(folder: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "library", wheel(folder, "rropt"))
    assert run([str(python), "-I", "-c", "import rropt_checker"], tmp_path).returncode == 1
    assert verdicts(python, "rropt.checker")[0] == 1
    requires = "import importlib.metadata as m; print(m.requires('rropt'))"
    assert "rropt-checker" not in run([str(python), "-I", "-c", requires], tmp_path).stdout


MADE_BY_A_WHEEL = """
import sys
sys.path.insert(0, sys.argv[1])
from rropt.reports import browser_checker
assert browser_checker.sources().parent.name == "reports", browser_checker.sources()
print(browser_checker.script(), end="")
"""


def test_the_wheel_has_the_checker_in_javascript(folder: Path, tmp_path: Path) -> None:
    """Reports of an installed wheel contain the same script as those of a checkout, and so does the page in it."""
    from rropt.reports.browser_checker import drop_page, script

    with zipfile.ZipFile(wheel(folder, "rropt")) as archive:
        archive.extractall(tmp_path)
    assert (tmp_path / PAGE).read_text("utf-8") == drop_page()
    done = run([sys.executable, "-c", MADE_BY_A_WHEEL, str(tmp_path)], tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == script()


@pytest.mark.slow
def test_a_wheel_of_the_source_distribution_is_the_wheel_of_the_checkout(folder: Path, tmp_path: Path) -> None:
    """It has the same files, with the page that a build hook makes; the checkout has no such file."""
    done = run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)], ROOT)
    assert done.returncode == 0, done.stderr
    (archive,) = tmp_path.glob("rropt-*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    source = archive.with_name(archive.name.removesuffix(".tar.gz"))
    assert not [*source.rglob("checker.html")]
    done = run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)], source)
    assert done.returncode == 0, done.stderr
    (second,) = tmp_path.glob("rropt-*.whl")
    with zipfile.ZipFile(wheel(folder, "rropt")) as ours, zipfile.ZipFile(second) as theirs:
        files = [{one.filename: one.CRC for one in each.infolist()} for each in (ours, theirs)]
    assert files[0] == files[1]
    assert PAGE in files[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "order",
    [("rropt", "rropt_checker"), pytest.param(("rropt_checker", "rropt"), marks=pytest.mark.slow)],
)
def test_both_in_either_order(order: tuple[str, str], folder: Path, tmp_path: Path) -> None:
    """They give the same verdicts in the same words, and one can be removed without the other."""
    python = environment(tmp_path / "both", *(wheel(folder, name) for name in order))
    for options in ((), ("--quiet",), ("--full",)):
        assert verdicts(python, "rropt.checker", *options) == verdicts(python, "rropt_checker", *options)
    first = order[0].replace("_", "-")
    removed = run([sys.executable, "-m", "pip", "--python", str(python), "uninstall", "--quiet", "-y", first], tmp_path)
    assert removed.returncode == 0, removed.stderr
    left = {"rropt": "rropt.checker", "rropt_checker": "rropt_checker"}[order[1]]
    assert verdicts(python, left)[0] == 1
