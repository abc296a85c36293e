"""Draw the pictures of ``docs/developers/architecture.md``: ``python docs/site/architecture_pictures.py`` writes them.

The floors are the layers of the import contract in ``pyproject.toml``; the arrows and the ticks are the imports of the
source files. A way through the rooms lists functions; ``passed`` runs it and returns which of them are
called, in this order. ``tests/pages/test_architecture_pictures.py`` draws all again and compares.
"""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
import os
import shlex
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from html import escape
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "rropt"
FOLDER = ROOT / "docs" / "developers" / "pictures"
FRONT = "rropt"
"""The front door, ``rropt/__init__.py``: a room of one file."""

FIELDWORK = "rropt_fieldwork"
"""The other package of the wheel: one box, for nothing of the engine imports it."""

ROOMS = {
    FIELDWORK: ("files, devices, declarations", "columns, sheets, pages, counts"),
    "testing": ("problems with known optima", "which properties hold"),
    "cli": ("command lines, files", "text, JSON, exit status"),
    FRONT: ("nothing", "public names, loaded when first used"),
    "plots": ("solutions, estimates, regions", "pictures: SVG, PNG, PDF"),
    "reports": ("results of commands, claims", "HTML pages, Coq files"),
    "sklearn": ("features, randomized labels", "a classifier of scikit-learn"),
    "twins": ("design problems and solutions", "forms, proofs and contradictions of both posings"),
    "information_twins": ("designs of the information", "forms and bounds that SymPy proves from what CVXPY finds"),
    "result_twins": ("results that are no designs", "forms and proofs from what CVXPY finds"),
    "symbolic": ("problems and results", "the same problems in SymPy"),
    "convex": ("problems and results", "the same problems in CVXPY"),
    "design": ("what a design is for, a level", "the best one of its kind"),
    "plan": ("a mechanism, a goal", "how many respondents it needs"),
    "noncompliance": ("counts of responses", "bounds without trust in the device"),
    "plans": ("a mechanism, a goal", "numbers of respondents"),
    "regression": ("rows, a formula", "coefficients, intervals, predictions"),
    "estimates": ("responses", "estimates, differences, totals"),
    "inference": ("counts, rows, scores", "estimates, variances, intervals, tests"),
    "answers": ("columns, counts, mechanisms", "responses, samples, scores"),
    "accounting": ("mechanisms, levels", "privacy of many responses together"),
    "designs": ("a region, an objective, a distribution", "a solution with bounds and certificate"),
    "privacy": ("levels, criteria", "regions, the bound B(h)"),
    "objectives": ("a mechanism, a distribution", "variances, losses, divergences"),
    "mechanisms": ("matrices, names, parameters", "exact mechanisms, random outputs"),
    "claims": ("statements of papers", "verdicts, proofs"),
    "errors": ("nothing", "the exceptions of all packages"),
    "exact": ("nothing", "exact levels and numbers, by name"),
    "core": ("numbers as text, JSON, files", "exact numbers, linear programs, records"),
    "checker": ("a certificate as text", "accepted or rejected"),
}
"""What enters each room, and what leaves it."""

_INK, _LINE, _FILL, _MUTED = "#1a1a2e", "#5c6b8a", "#eef2f9", "#5a5f6e"


# The imports


def floors() -> list[list[str]]:
    """Return the rooms, floor by floor from the top: fieldwork, the layers, and the front door below ``cli``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = next(each["layers"] for each in project["tool"]["importlinter"]["contracts"] if each["id"] == "layers")
    found = [[room.strip() for room in layer.split("|")] for layer in layers if layer != "__main__"]
    below = found.index(["cli"]) + 1
    return [[FIELDWORK], *found[:below], [FRONT], *found[below:]]


@cache
def imports(folder: Path = LIBRARY) -> Counter[tuple[str, str]]:
    """Return how many files of a room import another room: also imports for types and imports in functions.

    The imports of methods that call a higher room, and those of their types, are left out; the contracts list them.

    Args:
        folder: of the library.
    """
    rooms = {page.parent.name for page in folder.glob("*/__init__.py")}
    height = {room: -place for place, floor in enumerate(floors()) for room in floor}
    found: Counter[tuple[str, str]] = Counter()
    files = [(file, file.relative_to(folder).parts) for file in folder.rglob("*.py")]
    files += [(file, (FIELDWORK, file.name)) for file in (folder.parent / "fieldwork" / FIELDWORK).rglob("*.py")]
    for file, (own, *below) in files:
        if own == "__main__.py":  # the command, which nothing imports
            continue
        own = own if below else FRONT
        names = (name.split(".") for name in _imported(ast.parse(file.read_text(encoding="utf-8"))))
        reached = {FRONT if len(name) == 1 or name[1] not in rooms else name[1] for name in names if name[0] == FRONT}
        found.update((own, room) for room in reached - {own} if height.get(room, 0) <= height.get(own, 0))
    return found


def _imported(page: ast.Module) -> Iterator[str]:
    for node in ast.walk(page):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def arrows(found: Counter[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the imports that no longer way implies (the transitive reduction)."""
    below: dict[str, set[str]] = {room: {b for a, b in found if a == room} for room in ROOMS}

    def reached(room: str) -> set[str]:
        return below[room] | {c for b in below[room] for c in reached(b)}

    return sorted((a, b) for a, b in found if not any(b in reached(c) for c in below[a] - {b}))


# The ways through the rooms


@dataclass(frozen=True, slots=True)
class Station:
    """A function on a way.

    Attributes:
        file: below ``rropt/``, or ``rropt_fieldwork/...``.
        function: its qualified name.
        text: what it does there.
    """

    file: str
    function: str
    text: str

    @property
    def room(self) -> str:
        """The room of the file."""
        return self.file.split("/")[0]


@dataclass(frozen=True, slots=True)
class Way:
    """A way through the rooms: its name, the call as the page has it, and the functions that are passed, in order."""

    name: str
    call: str
    stations: tuple[Station, ...]

    @property
    def rooms(self) -> list[str]:
        """The rooms of its stations, from the top."""
        entered = {station.room for station in self.stations}
        return [room for room in ROOMS if room in entered]

    def run(self) -> object:
        """Run the command, or ``run_claim`` with an example."""
        from rropt.cli.main import main

        command, *words = shlex.split(self.call)
        return main(words) if command == "rropt" else _claim()


def _claim() -> object:
    from rropt.claims import Claim, Condition, Domain, Point, run_claim

    def total(point: Point, least: int = 1) -> list[tuple[str, object, str, object]]:
        return [("sum", point["x"] + point["y"], ">=", Fraction(least))]

    claim = Claim(
        id="example.sum",
        source="this file",
        printed="$x + y >= 1$ if $xy >= 1/2$",
        precise="For 0 <= x, y <= 1.",
        variables={name: Domain.interval(name, 0, 1) for name in "xy"},
        assumptions=(Condition("xy >= 1/2", "x*y >= 1/2"),),
        rows=total,
        mutants=(lambda point: total(point, 2),),
        count=10,
    )
    return run_claim(claim)


WAYS = (
    Way(
        "problem",
        "rropt design binary --epsilon 1/2 --prevalence 1/10 --certificate design.json",
        (
            Station("cli/main.py", "main", "find the command and read its options"),
            Station("cli/design_binary.py", "run", "state the question"),
            Station("core/exact/levels.py", "Epsilon.of", "epsilon: from text to an exact number"),
            Station("privacy/region.py", "PrivacyRegion.__init__", "the region of the private mechanisms"),
            Station("designs/problem.py", "Problem.__init__", "a region, an objective and a distribution"),
            Station("objectives/estimator_variance.py", "EstimatorVariance.require", "the objective fits the region"),
            Station("designs/solving.py", "solve", "solve, compare the routes, certify"),
            Station("designs/way_table.py", "way_of", "choose the row of the table"),
            Station("privacy/region.py", "PrivacyRegion.bracket", "rational levels below and above epsilon"),
            Station("privacy/region.py", "PrivacyRegion.vertices", "the vertices of the region"),
            Station("mechanisms/fisher_information.py", "binary_variance", "the variance at each vertex"),
            Station("mechanisms/mechanism.py", "Mechanism.binary", "the best vertex is a mechanism"),
            Station("designs/writers/binary.py", "certify_binary_bracket", "write the certificate"),
            Station("checker/verdicts.py", "check_text", "read the certificate, from its text alone"),
            Station("checker/binary_bracket.py", "check_binary_bracket", "decide each inequality again"),
            Station("symbolic/designs/problem.py", "solution_twin", "compare with the formula that SymPy derived"),
            Station("convex/designs/problem.py", "solution_twin", "compare with the value of CVXPY"),
            Station("cli/design_results.py", "give_design", "print the solution"),
            Station("core/files/writing.py", "write_files", "write the files, last of all"),
        ),
    ),
    Way(
        "response",
        "rropt estimate survey.csv --column answer --categories no,yes --mechanism warner:3/4",
        (
            Station("cli/main.py", "main", "find the command and read its options"),
            Station("mechanisms/named/design.py", "named_mechanism", "the matrix of the device"),
            Station(
                "rropt_fieldwork/from_tables/table_responses.py", "TableResponses.chosen", "one question, or several?"
            ),
            Station("rropt_fieldwork/reading/readers.py", "asked_of", "open the file by its format; DuckDB reads it"),
            Station("rropt_fieldwork/reading/duckdb_connection.py", "connected", "open the file, without network"),
            Station("rropt_fieldwork/reading/kinds.py", "AnswerCounts.total", "a row becomes one of the counts"),
            Station("answers/response_counts.py", "require_possible", "can the mechanism give these counts?"),
            Station("inference/count_estimates.py", "estimate_of_counts", "the estimate, exact"),
            Station("mechanisms/left_inverse.py", "reference_population", "the estimator of the mechanism"),
            Station("estimates/counted_estimates.py", "estimates_of_counts", "standard error and recommended interval"),
            Station("inference/interval_estimates.py", "intervals_of", "the intervals with their guarantees"),
            Station("core/results/layout.py", "tables_as_text", "the lines that are printed"),
        ),
    ),
    Way(
        "claim",
        "run_claim",
        (
            Station("claims/runner.py", "run_claim", "run the entry of one statement"),
            Station("claims/claim_sweeps.py", "sweep", "compare both sides at exact points"),
            Station("claims/adversarial_search.py", "special_points", "endpoints, and numbers that occur in the code"),
            Station("claims/runner.py", "_mutated_rows", "each false variant must be rejected"),
            Station("claims/symbolic_runs/entrywise.py", "prove_on_symbols", "a proof for all points"),
            Station("claims/symbolic_runs/runs.py", "run_at", "both functions, on symbols"),
            Station("claims/positivity/prover.py", "Prover.prove", "find a proof of the inequality"),
            Station("core/certificates/record.py", "Certificate.check", "hand the proof over as a certificate"),
            Station("checker/verdicts.py", "check_text", "read the certificate, from its text alone"),
            Station("claims/outcomes.py", "Outcome.__post_init__", "the verdict with its evidence"),
        ),
    ),
)
"""The three ways that the page shows."""


def passed(way: Way) -> tuple[list[Station], set[str]]:
    """Run a way.

    Args:
        way: to run, in a temporary folder with a file of five answers.

    Returns:
        The stations that were called in their order, up to the first that was not; and the rooms in which a function
        was called, apart from what modules call when they are imported.
    """
    left, entered, importing = list(way.stations), set[str](), 0

    def profile(frame: FrameType, event: str, _: object) -> None:
        nonlocal importing
        code = frame.f_code
        if event not in {"call", "return"} or not code.co_filename.startswith(_PREFIXES):
            return
        if code.co_name == "<module>":
            importing += 1 if event == "call" else -1
        elif event == "call" and not importing:
            file = code.co_filename.removeprefix(_PREFIXES[0]).removeprefix(_ABOVE).replace(os.sep, "/")
            if "/" in file and code.co_flags & 1 and code.co_name != "__getattr__":  # a function, not a class body
                entered.add(file.split("/")[0])
            if left and (file, code.co_qualname) == (left[0].file, left[0].function):
                del left[0]

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), _quiet():
        Path("survey.csv").write_text("answer\nyes\nno\nno\nyes\nno\n", encoding="utf-8")
        sys.setprofile(profile)
        try:
            way.run()
        finally:
            sys.setprofile(None)
    return list(way.stations[: len(way.stations) - len(left)]), entered


def _folders() -> tuple[str, str]:
    import rropt
    import rropt_fieldwork

    first, second = (str(Path(package.__file__ or "").parent) for package in (rropt, rropt_fieldwork))
    return f"{first}{os.sep}", f"{second}{os.sep}"


_PREFIXES = _folders()
_ABOVE = _PREFIXES[1].removesuffix(f"{FIELDWORK}{os.sep}")


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


# The drawing


def _page(width: float, height: float, title: str, parts: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="13">\n'
        f"<title>{escape(title)}</title>\n"
        f'<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        f'<path d="M0 0 L8 4 L0 8 z" fill="{_LINE}"/></marker></defs>\n'
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>\n'
    )
    return head + "\n".join(parts) + "\n</svg>\n"


def _text(x: float, y: float, text: str, **how: object) -> str:
    """A text; a keyword is an attribute, with a hyphen for each underscore."""
    how = {"fill": _INK} | how
    attributes = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in how.items())
    return f'<text x="{x:g}" y="{y:g}"{attributes}>{escape(text)}</text>'


def _way(points: list[tuple[float, float]], *, tip: bool = True) -> str:
    path = " L".join(f"{x:g} {y:g}" for x, y in points)
    end = ' marker-end="url(#tip)"' * tip
    return f'<path d="M{path}" fill="none" stroke="{_LINE}" stroke-width="1.4"{end}/>'


def rooms_picture(found: Counter[tuple[str, str]]) -> str:
    """Draw the rooms on their floors, with the arrows of ``arrows``."""
    rise, high, wide, left, gap = 78.0, 52.0, 400.0, 20.0, 24.0
    full = 2 * wide + gap
    places: dict[str, tuple[int, float, float]] = {}
    for row, floor in enumerate(floors()):
        start = left + (full - len(floor) * wide - (len(floor) - 1) * gap) / 2
        places |= {room: (row, start + i * (wide + gap), 16 + row * rise) for i, room in enumerate(floor)}
    parts: list[str] = []
    channel = left + full + 22
    for a, b in arrows(found):
        (upper, xa, ya), (lower, xb, yb) = places[a], places[b]
        if lower == upper + 1:
            shift = (xb - xa) / 8
            parts.append(_way([(xa + wide / 2 + shift, ya + high), (xb + wide / 2 - shift, yb - 1)]))
        else:
            ends = [(xa + wide, ya + high / 2), (channel, ya + high / 2), (channel, yb + high / 2)]
            parts.append(_way([*ends, (xb + wide + 1, yb + high / 2)]))
            channel += 16
    for room, (_, x, y) in places.items():
        enters, leaves = ROOMS[room]
        parts += [
            f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="6" fill="{_FILL}" stroke="{_LINE}"/>',
            _text(x + 12, y + 31, room + "/" * (LIBRARY / room).is_dir(), font_weight="bold", font_size=15),
            _text(x + 120, y + 21, f"in: {enters}", font_size=12),
            _text(x + 120, y + 40, f"out: {leaves}", font_size=12),
        ]
    height = 16 + len(floors()) * rise - (rise - high) + 16
    return _page(channel + 8, height, "The packages of rropt and their imports", parts)


def imports_picture(found: Counter[tuple[str, str]]) -> str:
    """Draw the table of the imports: a row for each room that imports, a column for each room that is imported."""
    order = [room for floor in floors() for room in floor]
    cell, high, left, top = 56.0, 30.0, 100.0, 78.0
    parts = []
    for i, room in enumerate(order):
        middle = left + (i + 0.5) * cell
        parts += [
            _text(left - 10, top + (i + 0.5) * high + 4, room, text_anchor="end"),
            _text(middle, top - 10, room, transform=f"rotate(-40 {middle:g} {top - 10:g})"),
        ]
        for j, other in enumerate(order):
            x, y = left + j * cell, top + i * high
            colour = _MUTED if i == j else _FILL if found[room, other] else "white"
            parts.append(
                f'<rect x="{x:g}" y="{y:g}" width="{cell:g}" height="{high:g}" fill="{colour}" stroke="#c9d1e0"/>'
            )
            if found[room, other]:
                parts.append(_text(x + cell / 2, y + 20, "\u2713", text_anchor="middle"))
    title = "Which package imports which"
    return _page(left + len(order) * cell + 60, top + len(order) * high + 12, title, parts)


def way_picture(way: Way) -> str:
    """Draw a way: a column for each room, a line from station to station, and next to it what happens."""
    lane, step, left, top = 78.0, 34.0, 8.0, 44.0
    column = {room: left + (i + 0.5) * lane for i, room in enumerate(way.rooms)}
    words = left + len(column) * lane + 14
    bottom = top + len(way.stations) * step
    parts = []
    for room, x in column.items():
        parts += [
            _text(x, 24, room, text_anchor="middle", font_weight="bold", font_size=12),
            f'<line x1="{x:g}" y1="34" x2="{x:g}" y2="{bottom:g}" stroke="#c9d1e0" stroke-dasharray="3 4"/>',
        ]
    points = [(column[station.room], top + (i + 0.5) * step) for i, station in enumerate(way.stations)]
    parts += [
        _way([(xa, ya + 11), (xb, yb - 11)] if xa == xb else [(xa, ya), (xb, yb - 11)])
        for (xa, ya), (xb, yb) in itertools.pairwise(points)
    ]
    for number, ((x, y), station) in enumerate(zip(points, way.stations, strict=True), start=1):
        parts += [
            f'<circle cx="{x:g}" cy="{y:g}" r="10" fill="{_FILL}" stroke="{_LINE}"/>',
            _text(x, y + 4, str(number), text_anchor="middle", font_size=11),
            _text(words, y - 3, station.text),
            _text(words, y + 11, f"{station.file}: {station.function}", font_size=10, fill=_MUTED),
        ]
    return _page(words + 330, bottom + 12, f"The path of a {way.name} through rropt", parts)


def pictures() -> dict[str, str]:
    """Return all pictures of the page, by the names of their files."""
    found = imports()
    return {
        "rooms.svg": rooms_picture(found),
        "imports.svg": imports_picture(found),
        **{f"way_of_a_{way.name}.svg": way_picture(way) for way in WAYS},
    }


def main() -> int:
    """Write the pictures; refuse to draw a way that is not gone."""
    for way in WAYS:
        stations, entered = passed(way)
        if stations != list(way.stations):
            print(f"way of a {way.name}: not reached: {way.stations[len(stations)]}", file=sys.stderr)
            return 1
        if entered != set(way.rooms):
            print(f"way of a {way.name}: rooms entered: {sorted(entered)}; drawn: {way.rooms}", file=sys.stderr)
            return 1
    for name, text in pictures().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
