"""Few modules write files: a walk through the source of everything else finds no call that could."""

from __future__ import annotations

import ast
import re

import pytest
from every_case import every_case
from package_modules import FOLDERS, modules, place

ROOT = FOLDERS[0]
WRITERS = {ROOT / "core" / "files" / name for name in ("writing.py", "resuming.py")}
# the runner of the conformance suite: standard library only, into a folder that is asked for or a temporary one
WRITERS |= {ROOT / "checker" / "conformance" / name for name in ("__main__.py", "suite_runner.py")}
# a process that judges a package of third parties answers on a pipe of its own
WRITERS |= {ROOT / "claims" / "judging.py"}

# methods that write, make, move or remove whatever they are called on; `replace` is one of text too
METHODS = {
    *("write_text", "write_bytes", "touch", "mkdir", "makedirs", "rename", "unlink", "rmdir", "chmod", "symlink_to"),
    *("hardlink_to", "tofile", "savetxt", "savez", "mkstemp", "mkdtemp", "NamedTemporaryFile", "fdopen", "truncate"),
    *("to_csv_file", "copyfile", "copy2", "move", "rmtree", "umask", "mknod", "mkfifo", "remove_file", "dump"),
}
ALLOWED_DUMPS = {"ast"}  # ast.dump returns text
OTHERS = ("open", "savefig", "save", "truncate", "replace", "remove", "rename")  # their owner or arguments decide
CALL = re.compile(rf"\b(?:{'|'.join(METHODS.union(OTHERS))})\s*\(")


def writes(source: str) -> list[str]:
    """Return the calls that may write to a file."""
    found: list[str] = []
    if not CALL.search(source):  # to parse a file takes long
        return found
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and _may_write(node):
            found.append(ast.unparse(node))
    return found


def _may_write(call: ast.Call) -> bool:
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    owner = getattr(function.value, "id", "") if isinstance(function, ast.Attribute) else None
    if name == "open":
        if owner == "os":  # nothing but the null device, in the place of a closed pipe
            flags = ast.unparse(call.args[1])
            is_read = "O_RDONLY" in flags and not any(f"O_{word}" in flags for word in ("WRONLY", "RDWR", "CREAT"))
            return ast.unparse(call.args[0]) != "os.devnull" and not is_read
        first = 1 if owner in (None, "io", "archive") else 0  # Path.open has the mode first
        modes = [*call.args[first : first + 1], *(k.value for k in call.keywords if k.arg == "mode")]
        return any(not isinstance(mode, ast.Constant) or set(str(mode.value)) & set("wax+") for mode in modes)
    if name == "savefig":  # into a buffer only
        return ast.unparse(call.args[0]) != "buffer"
    if name == "save":  # numpy's; plots and certificates have their own, which go through the writer
        return owner in ("np", "numpy")
    if name == "truncate" and isinstance(function, ast.Attribute):  # of a polynomial that was shifted, too
        return not (isinstance(function.value, ast.Call) and ast.unparse(function.value.func).endswith(".right_shift"))
    if name in ("replace", "remove", "rename"):
        return owner in ("os", "shutil") or (name != "remove" and len(call.args) == 1 and not call.keywords)
    return owner is not None and name in METHODS and owner not in ALLOWED_DUMPS


@every_case(
    "source",
    [
        "open(path, 'w')",
        "open(path, mode='ab')",
        "open(path, how)",
        "Path(path).open('w')",
        "Path(path).open(mode='r+')",
        "os.open(path, os.O_WRONLY)",
        "os.fdopen(handle, 'wb')",
        "Path(path).write_text('x')",
        "Path(path).mkdir()",
        "temporary.replace(file)",
        "os.replace(a, b)",
        "figure.savefig(path)",
        "numpy.save(path, x)",
        "json.dump(x, stream)",
        "tempfile.mkstemp()",
        "os.umask(0)",
    ],
)
def test_the_walk_sees(source: str) -> None:
    assert writes(source)


@pytest.mark.parametrize(
    "source", ["open(p, 'rb')", "Path(p).open('rb')", "text.replace(a, b)", "open(p)", "json.dumps(x)"]
)
def test_the_walk_lets_pass(source: str) -> None:
    assert not writes(source)


def test_few_modules_write() -> None:
    files = [path for path in modules() if path not in WRITERS]
    found = {place(path): calls for path in files if (calls := writes(path.read_text("utf-8")))}
    assert found == {}
    assert all(writes(path.read_text("utf-8")) for path in WRITERS)
    assert len(files) > 250, "points: modules read"
