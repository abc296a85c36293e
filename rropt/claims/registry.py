"""Registries of claims: packages that are listed in the entry-point group ``rropt.claims``.

The library contains no list of registries, so third parties can add their own. The entry point of a registry names a
package of modules, each with an object ``CLAIM``. A file that cannot be imported becomes an entry in error and does not
end the run. A file without a claim is reported. A folder has the name of its paper and a file the name of its entry, so
one claim can be run without importing the others; if the names do not match, all modules are imported. The conventions
that the entries of a paper share are stated once, in the ``PAPER`` of the folder.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from rropt.claims.claim import Claim
from rropt.claims.guard import EngineChangedError, guarded, without_exit
from rropt.core.errors import InvalidParameterError, shown

GROUP = "rropt.claims"

Entries = dict[str, tuple[Claim, ModuleType]]


def claims_of(package: ModuleType, wanted: str = "") -> Iterator[tuple[Claim, ModuleType]]:
    """Iterate over the claims of a package: the object ``CLAIM`` of every module below it.

    Args:
        package: the package.
        wanted: an id or a paper; only modules with matching names are imported. By default all modules.
    """
    paper, _, entry = _normal(wanted).partition(".")
    names = []
    for name, _ in _files(package.__path__, package.__name__):
        folder, last = name.split(".")[-2:]
        is_wanted = _normal(folder) == paper and (not entry or _normal(last) == entry.replace(".", "_"))
        if not last.startswith("_") and (is_wanted or not wanted):
            names.append(name)
    broken = _imported([name for name in names if name not in sys.modules], package.__name__)
    for name in names:
        error, module = broken.get(name), sys.modules.get(name)
        if error is not None or module is None:
            reason = "it removes itself" if error is None else f"{type(error).__name__}: {error}"
            yield _broken(name, f"cannot be imported: {reason}"), package
            continue
        claim = getattr(module, "CLAIM", None)
        if isinstance(claim, Claim):
            yield claim, module
        elif claim is not None:
            yield _broken(name, f"holds a CLAIM that is no Claim: received {shown(claim)}"), package


def _imported(names: Sequence[str], package: str) -> dict[str, Exception]:
    """Import modules of a package of claims; return the error of each module that fails.

    The library is checked for changes once, after the last module, since the check takes as long as an import.
    """
    errors: dict[str, Exception] = {}
    if not names:
        return errors  # no code runs, so the guard is not needed
    try:
        with guarded(package, package.partition(".")[0], package_names()):
            for name in names:
                try:
                    with without_exit(name):
                        import_module(name)
                except Exception as error:  # an error in user code affects only its own entry
                    errors[name] = error
    except EngineChangedError as error:
        return dict.fromkeys(names, error)
    return errors


def package_names() -> list[str]:
    """Return the names of the packages that register claims, without importing them."""
    return sorted({entry.module.partition(".")[0] for entry in entry_points(group=GROUP)})


def registered_claims(wanted: str = "", *, package: str = "") -> Entries:
    """Return all claims of all installed registries by id, with the module that defines each.

    Args:
        wanted: an id or a paper; only its modules are imported. By default all.
        package: the only package to import; by default all.

    Raises:
        InvalidParameterError: two claims have the same id.
    """
    found: Entries = {}
    for one in _packages(package):
        if isinstance(one, Claim):
            found[one.id] = (one, import_module(__name__))
            continue
        for claim, module in claims_of(one, wanted):
            if claim.id in found:
                raise InvalidParameterError(f"two claims have the id {claim.id}: in {module.__name__} and another file")
            found[claim.id] = (claim, module)
    return dict(sorted(found.items()))


def find_claims(patterns: Iterable[str], *, package: str = "") -> Entries:
    """Return the claims that match a paper, an id or a shell glob; by default all.

    Args:
        patterns: papers, ids or globs.
        package: the only package that is searched; a pattern may then match nothing. By default all packages.

    Raises:
        InvalidParameterError: a pattern matches nothing, or no registry is installed.
    """
    wanted = list(patterns)
    if not all(isinstance(pattern, str) for pattern in wanted):
        raise InvalidParameterError(
            f"a pattern is not text: received {shown(wanted)}; allowed are ids, papers and globs"
        )
    everything: Entries = {}
    chosen: Entries = {}
    for pattern in wanted:
        matching = (
            {} if re.search(r"[*?\[]", pattern) else _matching(registered_claims(pattern, package=package), pattern)
        )
        if not matching:
            everything = everything or _all(package)
            matching = _matching(everything, pattern)
        if not matching and not package:
            papers = sorted({claim.paper for claim, _ in everything.values()})
            raise InvalidParameterError(
                f"no claim matches {shown(pattern)}: papers are {', '.join(papers)}; "
                "allowed are a paper, an id or a glob such as 'ziani.*'"
            )
        chosen |= matching
    return dict(sorted(chosen.items())) if wanted else _all(package)


def skipped_files(package: str = "") -> list[str]:
    """Return messages about the files of the registries that contain no claim.

    Names of helper files begin with an underscore. Such a file is reported only if it contains a claim and its package
    does not list it in ``NOT_CLAIMS``.
    """
    named = []
    for one in _packages(package):
        if isinstance(one, Claim):
            continue
        exempt = getattr(one, "NOT_CLAIMS", ())
        for name, file in _files(one.__path__, one.__name__):
            last = name.rpartition(".")[2]
            text = file.read_text(encoding="utf-8", errors="replace")
            has_claim = re.search(r"^CLAIM\b", text, re.MULTILINE) or hasattr(sys.modules.get(name), "CLAIM")
            if last.startswith("_") and has_claim and last not in exempt:
                named.append(f"{name} is skipped: its name begins with an underscore")
            elif not last.startswith("_") and not has_claim:
                named.append(f"{name} is skipped: it has no object CLAIM")
        for root in map(Path, one.__path__):
            loose = sorted({file.parent for file in root.rglob("*.py")} - {root})
            named += [
                f"{one.__name__}/{folder.relative_to(root)} is skipped: the folder has no __init__.py"
                for folder in loose
                if not (folder / "__init__.py").exists()
            ]
    return named


def _matching(entries: Entries, pattern: str) -> Entries:
    return {
        name: value
        for name, value in entries.items()
        if pattern in (name, value[0].paper) or fnmatchcase(name, pattern)
    }


def _all(package: str = "") -> Entries:
    everything = registered_claims(package=package)
    if not everything and not package:
        raise InvalidParameterError(
            "no claims are registered: install rropt itself (pip install .), which brings its registry along"
        )
    return everything


def _packages(only: str = "") -> Iterator[ModuleType | Claim]:
    """Iterate over the registered packages; a package that cannot be imported becomes an entry in error."""
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if only and entry.module.partition(".")[0] != only:
            continue
        try:
            package = None if entry.attr else sys.modules.get(entry.module)
            if package is None:  # otherwise no code runs, so the guard is not needed
                with guarded(entry.value, entry.module.partition(".")[0], package_names()):
                    package = entry.load()
            yield package
        except Exception as error:
            yield _broken(f"{entry.name}.package", f"cannot be imported: {type(error).__name__}: {error}")


def _files(folders: Iterable[str], package: str) -> Iterator[tuple[str, Path]]:
    """Iterate over the names and files of the modules below some folders, without importing them."""
    for folder in folders:
        for path in sorted(Path(folder).iterdir()):
            if (path / "__init__.py").exists():
                yield from _files([str(path)], f"{package}.{path.name}")
            elif path.suffix == ".py" and path.name != "__init__.py":
                yield f"{package}.{path.stem}", path


def _normal(name: str) -> str:
    paper, dot, entry = name.lower().partition(".")
    return re.sub(r"-", "_", paper) + dot + re.sub(r"[-.]", "_", entry)


def _broken(name: str, told: str) -> Claim:
    """Return an entry in error for a file without a usable claim, with the reason."""
    reason = f"the file {name} {told}"

    def fails(_: Any) -> NoReturn:
        raise InvalidParameterError(reason)

    last = ".".join(name.lower().split(".")[-2:]).replace("_", "-")
    return Claim(last, name, reason, reason, theory=fails, computed=fails, mutant=fails)


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper and its conventions. Its text form is the citation of its entries.

    Attributes:
        id: the part of a claim's id before the first dot.
        name: the citation that entries use.
        title: the title as printed on the paper.
        conventions: pairs of a subject and the convention on it: the domains of the parameters, the degenerate privacy
            levels, the notation. An entry with another convention states it in ``precise``.
        extracted: whether the printed statements were extracted from a file; a page then asks readers to compare them
            with the paper.
    """

    id: str
    name: str
    title: str
    conventions: tuple[tuple[str, str], ...]
    extracted: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return self.name

    def to_dict(self) -> dict[str, Any]:
        """Return the name, the title and the conventions, as text."""
        return {"name": self.name, "title": self.title, "conventions": dict(self.conventions)}


def papers_of(claims: Mapping[str, tuple[Claim, ModuleType]]) -> dict[str, Paper]:
    """Return the papers of claims by id: the object ``PAPER`` of the package that contains each claim's module.

    A package may have no ``PAPER``; its claims are then complete without conventions.

    Raises:
        InvalidParameterError: the id of a package's paper differs from that of its claims.
    """
    found: dict[str, Paper] = {}
    for claim, module in claims.values():
        paper = getattr(import_module(module.__package__ or module.__name__), "PAPER", None)
        if isinstance(paper, Paper):
            if paper.id != claim.paper:
                raise InvalidParameterError(
                    f"the paper of {claim.id} has another id: received {paper.id}; give its PAPER the id {claim.paper}"
                )
            found[paper.id] = paper
    return found
