"""Registries of claims: packages that are listed in the entry-point group ``rropt.claims``.

The library contains no list of registries, so third parties can add their own. The entry point of a registry names a
package with a folder for each paper: cards in ``cards.toml``, and rows in ``rows.toml`` with ``_rows.py``. A file that
cannot be read becomes an entry in error and does not end the run. A folder has the name of its paper, so its claims can
be run without reading the others; if no name matches, all are read. The conventions that the entries of a paper share
are stated once, in the ``PAPER`` of the folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from rropt.claims.card_entries import claim_of
from rropt.claims.cards.card_files import read_cards
from rropt.claims.claim import Claim
from rropt.claims.rows import read_rows
from rropt.core.errors import InvalidParameterError, shown

GROUP = "rropt.claims"
OFFICIAL = "rropt_proofs"  # the package of claims that is a part of rropt; all others are of third parties

CARDS = "cards.toml"  # the file of the cards of a folder
ROWS = "*rows.toml"  # the files of its claims in rows; the functions of rows.toml are in _rows.py

Entries = dict[str, tuple[Claim, ModuleType]]
Load = Callable[[str], ModuleType]


def claims_of(package: ModuleType, wanted: str = "", load: Load = import_module) -> Iterator[tuple[Claim, ModuleType]]:
    """Iterate over the claims of a package, its cards and its rows, each with the package of its folder.

    Args:
        package: the package.
        wanted: an id or a paper; only the folder of the paper is read. By default all.
        load: a function that imports a module, given by its name.
    """
    paper, _, entry = _normal(wanted).partition(".")
    for name, file in (x for kind in (CARDS, ROWS) for x in _files(package.__path__, package.__name__, kind)):
        folder = name.rpartition(".")[0]
        if wanted and _normal(folder.rpartition(".")[2]) != paper:
            continue
        try:
            module, text = load(folder), file.read_text(encoding="utf-8")
            if file.name == CARDS:
                read = read_cards(text, str(file), is_official=package.__name__ == OFFICIAL)
                claims = [claim_of(card) for card in read.values()]
            else:
                claims = read_rows(text, str(file), load(f"{folder}._{file.stem}"))
        except Exception as error:  # an error in such a file affects only its own entries
            yield broken_entry(name, f"cannot be read: {type(error).__name__}: {error}"), package
            continue
        yield from ((claim, module) for claim in claims if not entry or _normal(claim.id) == _normal(wanted))


def is_file(pattern: str) -> bool:
    """Return whether a pattern is the path of a file of cards, which needs no installation."""
    return isinstance(pattern, str) and pattern.endswith(".toml")


def cards_of(path: str) -> Entries:
    """Return the cards of a file by id; their module is this one, which has no paper.

    Raises:
        InvalidParameterError: the file is missing, or is no file of cards.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise InvalidParameterError(
            f"the file of cards {shown(path)} cannot be read: {why}; give the name of a file that can be read"
        ) from None
    read = read_cards(text, path, is_official=False)
    return {name: (claim_of(card), import_module(__name__)) for name, card in read.items()}


def package_names() -> list[str]:
    """Return the names of the packages that register claims, without importing them."""
    return sorted({entry.module.partition(".")[0] for entry in entry_points(group=GROUP)})


def third_parties() -> list[str]:
    """Return the names of the installed packages of claims that are not a part of rropt, without importing them."""
    return [name for name in package_names() if name != OFFICIAL]


def registered_claims(wanted: str = "", *, package: str = "", load: Load = import_module) -> Entries:
    """Return all claims of all installed registries by id, with the module that defines each.

    The packages are imported into this process, without protection from what they do; ``rropt verify`` runs those of
    third parties in other processes.

    Args:
        wanted: an id or a paper; only its modules are imported. By default all.
        package: the only package to import; by default all.
        load: a function that imports a module, given by its name.

    Raises:
        InvalidParameterError: two claims have the same id.
    """
    found: Entries = {}
    for one in _packages(package, load):
        if isinstance(one, Claim):
            found[one.id] = (one, import_module(__name__))
            continue
        for claim, module in claims_of(one, wanted, load):
            if claim.id in found:
                raise InvalidParameterError(f"two claims have the id {claim.id}: in {module.__name__} and another file")
            found[claim.id] = (claim, module)
    return dict(sorted(found.items()))


def find_claims(patterns: Iterable[str], *, package: str = "", load: Load = import_module) -> Entries:
    """Return the claims that match a paper, an id or a shell glob; by default all.

    Args:
        patterns: papers, ids or globs.
        package: the only package that is searched; a pattern may then match nothing. By default all packages.
        load: a function that imports a module, given by its name.

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
        is_glob = re.search(r"[*?\[]", pattern)
        matching = {} if is_glob else _matching(registered_claims(pattern, package=package, load=load), pattern)
        if not matching:
            everything = everything or _all(package, load)
            matching = _matching(everything, pattern)
        if not matching and not package:
            raise no_match(pattern, [claim for claim, _ in everything.values()])
        unread = {} if matching else {name: one for name, one in everything.items() if _is_unread(one[0], pattern)}
        chosen |= matching or unread
    return dict(sorted(chosen.items())) if wanted else _all(package, load)


def _is_unread(claim: Claim, pattern: str) -> bool:
    """Return whether an entry stands for a file that cannot be read (``broken_entry``), of the paper of a pattern."""
    is_broken = claim.printed.startswith(f"the file {claim.source} ")
    return is_broken and fnmatchcase(claim.paper, _normal(pattern).partition(".")[0])


def no_match(pattern: str, claims: Iterable[Claim]) -> InvalidParameterError:
    """Return the error that a pattern matches none of these claims, because files of its paper cannot be read if so."""
    claims = list(claims)
    unread = [claim.printed for claim in claims if _is_unread(claim, pattern)]
    if unread:
        return InvalidParameterError(f"no claim matches {shown(pattern)}: {'; '.join(unread)}; mend the file")
    papers = sorted({claim.paper for claim in claims})
    return InvalidParameterError(
        f"no claim matches {shown(pattern)}: papers are {', '.join(papers)}; "
        "allowed are a paper, an id or a glob such as 'ziani.*'"
    )


def skipped_files(package: str = "") -> list[str]:
    """Return messages on folders without ``__init__.py`` and packages without a file of claims; neither is read."""
    named = []
    for one in _packages(package, import_module):
        if isinstance(one, Claim):
            continue
        for root in map(Path, one.__path__):
            folders = sorted({file.parent for kind in (CARDS, ROWS) for file in root.rglob(kind)})
            named += [
                f"{one.__name__}/{folder.relative_to(root)} is skipped: the folder has no __init__.py"
                for folder in folders
                if not (folder / "__init__.py").exists()
            ]
            named += [] if folders else [f"{one.__name__} is skipped: it has no {CARDS} and no rows.toml"]
    return named


def matches(pattern: str, claim: Claim) -> bool:
    """Return whether a pattern is the id or the paper of a claim, or a glob that matches its id."""
    return pattern in (claim.id, claim.paper) or fnmatchcase(claim.id, pattern)


def _matching(entries: Entries, pattern: str) -> Entries:
    return {name: value for name, value in entries.items() if matches(pattern, value[0])}


def _all(package: str, load: Load) -> Entries:
    everything = registered_claims(package=package, load=load)
    if not everything and not package:
        raise InvalidParameterError(
            "no claims are registered: install rropt itself (pip install .), which brings its registry along"
        )
    return everything


def _packages(only: str, load: Load) -> Iterator[ModuleType | Claim]:
    """Iterate over the registered packages; a package that cannot be imported becomes an entry in error."""
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if only and entry.module.partition(".")[0] != only:
            continue
        try:
            yield load(entry.module)
        except Exception as error:
            yield broken_entry(f"{entry.name}.package", f"cannot be imported: {type(error).__name__}: {error}")


def _files(folders: Iterable[str], package: str, only: str) -> Iterator[tuple[str, Path]]:
    """Iterate over the names and files of one kind in the packages below some folders; nothing is imported."""
    for folder in folders:
        for path in sorted(Path(folder).iterdir()):
            if (path / "__init__.py").exists():
                yield from _files([str(path)], f"{package}.{path.name}", only)
            elif path.match(only):
                yield f"{package}.{path.stem}", path


def _normal(name: str) -> str:
    paper, dot, entry = name.lower().partition(".")
    return re.sub(r"-", "_", paper) + dot + re.sub(r"[-.]", "_", entry)


def broken_entry(name: str, told: str) -> Claim:
    """Return an entry in error for a file without a usable claim, with the reason."""
    reason = f"the file {name} {told}"

    def fails(_: Any) -> NoReturn:
        raise InvalidParameterError(reason)

    last = ".".join(name.lower().split(".")[-2:]).replace("_", "-")
    return Claim(last, name, reason, reason, fails)


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
