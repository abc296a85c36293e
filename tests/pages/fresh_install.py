"""The wheel in a fresh environment: the commands of the engine without extras, then all of the pages with fieldwork.

``.ci/run`` runs this script; ``make install-test`` does it by hand. It builds the wheel, installs it with what
``pyproject.toml`` declares and nothing else, looks that no package of an extra came along, and runs the commands of the
engine. Then it adds the extra fieldwork, and runs the cases of ``readme_commands.py``: those of the README by the
shell, the others in forks of one process (``typist.py``), unless they redirect what they print. What only an extra
brings is found here and nowhere else: the tests run in an environment with all extras.

Exit status 1 where a case fails; each failure is printed with its command.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
import venv
from importlib.metadata import distributions
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from readme_commands import (
    BINARY_FILES,
    CASES,
    ENGINE,
    ENGINE_FILES,
    ENGINE_RECORDS,
    FILES,
    FURTHER,
    PYTHON_CASES,
    README,
    ROOT,
    SOURCES,
    Case,
    blocks,
    commands,
    outputs,
    python_blocks,
)

_SECONDS = 300  # a command that hangs ends the script; nothing is measured


class _Environment:
    """A fresh environment that holds the wheel and what it declares.

    Attributes:
        python: its interpreter.
        failures: one text for each case that failed.
        cases: how many were run.
    """

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True, upgrade_deps=True, symlinks=True)  # pip 23 takes twice the time of pip 26
        self.folder = folder
        self.python = folder / "bin" / "python"
        self.failures: list[str] = []
        self.cases = 0
        hidden = ("PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV")
        self.variables = {name: value for name, value in os.environ.items() if name not in hidden}
        self.variables |= {"PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
        self.variables |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        self.typist: subprocess.Popen[str] | None = None

    def pip(self, *words: str) -> str:
        """Run pip; a failure ends the script, for nothing can be tested then."""
        done = self._run([str(self.folder / "bin" / "pip"), *words])
        if done.returncode:
            raise SystemExit(f"pip {' '.join(words)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def _run(self, command: str | list[str], folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            shell=isinstance(command, str),
            cwd=folder or self.folder,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )

    def _typed(self, command: str, folder: Path) -> tuple[int, str, str]:
        """Run a command of ``rropt`` in a fork of the typist; return its exit status, output and errors."""
        if self.typist is None:
            self.typist = subprocess.Popen(
                [str(self.python), str(Path(__file__).parent / "typist.py")],
                env=self.variables,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        said = self.folder / "said"
        ask = {"words": shlex.split(command)[1:], "folder": str(folder), "said": str(said)}
        print(json.dumps(ask), file=self.typist.stdin, flush=True)
        status = int(self.typist.stdout.readline())
        return status, said.read_text(encoding="utf-8"), Path(f"{said}.error").read_text(encoding="utf-8")

    def leave(self) -> None:
        """End the typist; the next command starts another."""
        if self.typist is not None:
            self.typist.communicate()
            self.typist = None

    def case(self, name: str, command: str | list[str], folder: Path, case: Case, typed: bool = False) -> None:
        """Run one case, by the typist where ``typed`` says so, and note how it failed."""
        self.cases += 1
        if typed and isinstance(command, str) and not set("|&<>$") & set(command):
            status, printed, errors = self._typed(command, folder)
        else:
            done = self._run(command, folder)
            status, printed, errors = done.returncode, done.stdout, done.stderr
        said = printed + errors
        wrong = []
        if status != case.status:
            wrong.append(f"exit status {status}, not {case.status}")
        if case.says not in said:
            wrong.append(f"does not print {case.says!r}")
        if case.status == 2 and len(errors.strip().splitlines()) != 1:
            wrong.append("bad input is not reported in one line")
        asked = outputs(name) if status == case.status == 0 else []
        wrong += [f"does not write {file}" for file in asked if not _is_written(folder / file)]
        if wrong:
            self.failures.append(f"$ {name}\n{'; '.join(wrong)}\n{said.strip()}")


def _is_written(path: Path) -> bool:
    """Return whether a file, or a folder, is there and not empty."""
    return any(path.iterdir()) if path.is_dir() else path.is_file() and path.stat().st_size > 0


def _declared() -> tuple[set[str], set[str]]:
    """Return the names of the core's packages, and those that only an extra names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name = re.compile(r"[\w.-]+")
    core = {name.match(text)[0].lower() for text in project["dependencies"]}
    extras = {name.match(text)[0].lower() for group in project["optional-dependencies"].values() for text in group}
    return core, extras - core - {project["name"], "joblib"}  # joblib comes with OSQP, a solver that CVXPY brings


def _install(environment: _Environment, folder: Path) -> None:
    environment.pip("wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT))
    (wheel,) = folder.glob("rropt-*.whl")
    # bytecode is made when a module is first imported: most of SymPy and CVXPY never is
    environment.pip("install", "--quiet", "--no-compile", str(wheel))
    environment.pip("check")
    (site,) = environment.folder.glob("lib/python*/site-packages")
    installed = {each.name.lower() for each in distributions(path=[str(site)])}
    core, extras = _declared()
    if not core <= installed or extras & installed:
        raise SystemExit(f"not the core alone: {sorted(core - installed)} absent, {sorted(extras & installed)} present")
    size = sum(
        file.stat().st_size for file in environment.folder.rglob("*") if not file.is_symlink() and file.is_file()
    )
    print(
        f"installed without extras: {len(installed - {'pip', 'setuptools'})} packages, {size / 1e6:.0f} MB", flush=True
    )


def _run_page(environment: _Environment, page: Path, place: Path) -> None:
    """Run the Python and the commands of a page in one folder, in their order."""
    text, files = page.read_text(encoding="utf-8"), FILES.get(page.name, {})
    for file, content in files.items():
        (place / file).write_text(content, encoding="utf-8")
    if "survey.csv" in files:
        environment.case("the files", [str(environment.python), "-c", BINARY_FILES], place, Case())
    if page.name in PYTHON_CASES:
        typed = "\n".join(python_blocks(text))
        environment.case(
            f"the Python of {page.name}", [str(environment.python), "-c", typed], place, PYTHON_CASES[page.name]
        )
    for block in blocks(text):
        if "cat >" in block:  # a recipe for the shell: run as a whole
            (command,) = commands(block)
            environment.case(command, "set -e\n" + block, place, CASES.get(command, Case()))
            continue
        for command in commands(block):
            case = CASES.get(command, Case())
            environment.case(command, case.run or command, place, case, typed=page != README)
    for command, case in FURTHER.items() if "survey.csv" in files else ():
        environment.case(command, command, place, case, typed=True)


def _run_engine(environment: _Environment, place: Path) -> None:
    """Run the commands of the engine, and see that those of files of people name their extra."""
    for file, content in ENGINE_FILES.items():
        (place / file).write_text(content, encoding="utf-8")
    environment.case("the records", [str(environment.python), "-c", ENGINE_RECORDS], place, Case())
    for call, extra in ENGINE.items():
        case = Case(status=2, says=f"rropt[{extra}]") if extra else Case()
        environment.case(f"rropt {call}", f"rropt {call}", place, case, typed=True)
    environment.case("rropt", "rropt design list", place, Case())  # a process of its own
    environment.leave()  # it holds what is installed so far


def main() -> int:
    """Install the wheel, run all cases, and return the exit status."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = _Environment(folder / "venv")
        _install(environment, folder)

        nowhere = folder / "elsewhere"
        nowhere.mkdir()
        survey = str(ROOT / "examples" / "nigeria_survey.py")
        environment.case(
            "examples/nigeria_survey.py", [str(environment.python), survey], nowhere, Case(says="accepted")
        )
        _run_engine(environment, nowhere)
        (wheel,) = folder.glob("rropt-*.whl")
        environment.pip("install", "--quiet", "--no-compile", f"rropt[fieldwork] @ {wheel.as_uri()}")
        for page in SOURCES:
            place = folder / page.stem
            (place / "pictures").mkdir(parents=True)  # beside a page, as in docs
            _run_page(environment, page, place)
        environment.leave()
    print(*environment.failures, sep="\n\n")
    print(f"{environment.cases - len(environment.failures)} of {environment.cases} cases of the pages passed")
    return 1 if environment.failures else 0


if __name__ == "__main__":
    sys.exit(main())
