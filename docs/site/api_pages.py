"""Write the reference of the Python library from its docstrings: one page for each package, complete for every name."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from textwrap import dedent
from types import ModuleType
from typing import Any, TypeVar

from command_pages import markdown

from rropt.core.results.twins import PosedTwice
from rropt.designs.orders.sufficiency import PosedAsGarblings
from rropt.mechanisms.named_designs import NamedDesigns

PACKAGES = (
    "",
    "design",
    "designs",
    "plan",
    "mechanisms",
    "privacy",
    "objectives",
    "accounting",
    "answers",
    "inference",
    "estimates",
    "plans",
    "noncompliance",
    "reports",
    "plots",
    "symbolic",
    "convex",
    "claims",
    "testing",
    "errors",
    "exact",
    "checker",
    "rropt_fieldwork",
)
"""Names of the packages that ``dir(rropt)`` shows, the front page first, and the package of fieldwork."""

_ABOUT = {
    "": "The names that `import rropt` offers. [Python by example](../python.md) shows them in use.",
    "errors": "The errors that the library raises. All of them are `RroptError`.",
    "exact": "Exact numbers: privacy levels, their brackets, and how they are written.",
    "checker": "The independent checker of certificates. It uses Python's standard library only.",
}
_DATA = {
    "__version__": "The version of rropt.",
    "DESIGNS": "The named designs by their names, as `rropt design list` prints them.",
    "FAMILIES": "The families of binary designs to which `PrivacyRegion` can restrict a region.",
    "INTERVAL_KINDS": "The kinds of confidence intervals by their names, each with its guarantee.",
    "MIRRORS": "Files that define a problem, and the file that poses it where its name differs.",
    "LABELS": "The labels of the inequalities of a binary region, in the order of `binary_inequalities`.",
    "OBJECTIVES": "The classes of objectives by their kinds.",
    "PROPERTIES": "The properties of the contract by their names; each is a function of a row.",
    "SIMPLE": "How an estimate names a simple random sample.",
    "Point": "A point at which a claim is tested: the value of each variable by its name.",
}
_MIXINS = (NamedDesigns, PosedTwice, PosedAsGarblings)
"""Bases without a page of their own; their members stand with each class."""
_SECTION = re.compile(r"^(Args|Attributes|Returns|Yields|Raises|Warns|References|Example):$")
_HIDDEN = {"from_dict", "to_dict"}  # of every result; docs/reference/json.md explains their keys


def public_names(package: str) -> list[str]:
    """Return the public names of a package of ``PACKAGES`` (``""``: of rropt itself), without packages."""
    module = module_of(package)
    listed = getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]
    names = [name for name in listed if not isinstance(getattr(module, name), ModuleType | TypeVar)]
    if package in ("errors", "exact", "checker"):  # modules without a list: what they define
        names = [name for name in names if _is_own(getattr(module, name), module)]
    return sorted(names)


def _is_own(value: object, module: ModuleType) -> bool:
    return str(getattr(value, "__module__", "")).startswith(module.__name__)


def module_of(package: str) -> ModuleType:
    """Return a package by its name in ``PACKAGES``."""
    import rropt

    return import_module(package or "rropt") if package in ("", "rropt_fieldwork") else getattr(rropt, package)


def api_pages() -> dict[str, str]:
    """Return the pages by their paths below ``reference/api``."""
    writer = _Writer()
    pages = {f"{_file(package)}.md": writer.page(package) for package in PACKAGES}
    lines = [
        f"* [`{_full(package)}`]({_file(package)}.md): {len(public_names(package))} names. {_about(package)}"
        for package in PACKAGES
    ]
    index = (
        "# Python API\n\nEvery public name, from its docstring. Start with [Python by example](../python.md), which "
        "shows the common names in use.\n\n" + "\n".join(lines) + "\n"
    )
    return {"index.md": index, **pages}


def _file(package: str) -> str:
    return package or "rropt"


def _full(package: str) -> str:
    return package if package == "rropt_fieldwork" else f"rropt.{package}" if package else "rropt"


def _about(package: str) -> str:
    if package in _ABOUT:
        return _ABOUT[package]
    text = (inspect.getdoc(module_of(package)) or "").partition("\n\n")[0]
    return _inline(" ".join(text.split()))


@dataclass
class _Writer:
    """Writes pages; a name that is on an earlier page gets a link to it.

    Attributes:
        seen: where each function and class stands, by its identity.
    """

    seen: dict[int, tuple[str, str]] = field(default_factory=dict)

    def page(self, package: str) -> str:
        """Return the page of a package."""
        full, module = _full(package), module_of(package)
        parts = [f"# `{full}`\n\n{_about(package)}\n"]
        for name in public_names(package):
            value = getattr(module, name)
            parts.append(f"## {markdown(name)}\n\n{self._entry(full, name, value)}")
        return "\n".join(parts)

    def _entry(self, full: str, name: str, value: Any) -> str:
        if inspect.isclass(value) or inspect.isroutine(value):
            if id(value) in self.seen:
                place, title = self.seen[id(value)]
                return f"The same as {{py:obj}}`{title}` ([page]({place}.md)).\n"
            self.seen[id(value)] = (full.rpartition(".")[2], f"{full}.{name}")
        if inspect.isclass(value):
            return _class(f"{full}.{name}", value)
        if inspect.isroutine(value):
            return _directive("function", f"{full}.{name}{signature(value)}", docstring(inspect.getdoc(value)))
        return _directive("data", f"{full}.{name}", _DATA[name])


def _class(title: str, value: type) -> str:
    kind = "exception" if issubclass(value, BaseException) else "class"
    shown = "" if kind == "exception" or _is_abstract(value) else signature(value)
    members = []
    own = {name: each for base in _MIXINS if base in value.__bases__ for name, each in vars(base).items()}
    own |= vars(value)
    for name, member in sorted(own.items()):
        if name.startswith("_") or name in _HIDDEN or name in getattr(value, "__dataclass_fields__", ()):
            continue
        if isinstance(member, property | cached_property):
            if inspect.isfunction(member.fget if isinstance(member, property) else member.func):  # else as of a part
                members.append(_directive("property", name, docstring(inspect.getdoc(member)), marks=3))
        elif isinstance(member, classmethod | staticmethod) or inspect.isroutine(member):
            members.append(_method(name, member, getattr(value, name)))
    return _directive(kind, f"{title}{shown}", "\n\n".join([docstring(inspect.getdoc(value)), *members]), marks=4)


def _method(name: str, member: Any, function: Any) -> str:
    """Return the entry of a method."""
    words = "\n:classmethod:" * isinstance(member, classmethod)
    words += "\n:staticmethod:" * isinstance(member, staticmethod)
    first = next(iter(inspect.signature(function).parameters), "")
    shown = signature(function, skip=first == "self")
    return _directive("method", name + shown, docstring(inspect.getdoc(function)), words=words, marks=3)


def _is_abstract(value: type) -> bool:
    return inspect.isabstract(value) or getattr(value, "_is_protocol", False)


def _directive(kind: str, title: str, text: str, *, words: str = "", marks: int = 3) -> str:
    fence = ":" * marks
    return f"{fence}{{py:{kind}}} {title}{words}\n\n{text}\n{fence}\n"


def signature(value: Any, *, skip: bool = False) -> str:
    """Return the signature of a function or class in one line, without modules and quotation marks."""
    try:
        found = inspect.signature(value)
    except (ValueError, TypeError):
        return "()"
    parameters = list(found.parameters.values())[1 if skip else 0 :]
    clean = [_plain(each) for each in parameters]
    made = found.replace(parameters=clean, return_annotation=inspect.Signature.empty)
    returns = "" if found.return_annotation is inspect.Signature.empty else f" -> {_type(found.return_annotation)}"
    if inspect.isclass(value):
        returns = ""
    return str(made) + returns


class _Default:
    """A default value as text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _plain(parameter: inspect.Parameter) -> inspect.Parameter:
    annotation = parameter.annotation
    if annotation is not inspect.Parameter.empty:
        parameter = parameter.replace(annotation=_Default(_type(annotation)))
    if parameter.default is not inspect.Parameter.empty:
        text = repr(parameter.default)
        text = "..." if "<" in text or "object at" in text or len(text) > 60 else text
        parameter = parameter.replace(default=_Default(text))
    return parameter


def _type(annotation: Any) -> str:
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = re.sub(r"\b(?:[a-z_]\w*\.)+(?=[A-Z])", "", text)
    return text.replace("'", "").replace('"', "") if "Literal" not in text else text


def docstring(text: str | None) -> str:
    """Return a docstring as Markdown: its sections as lists, its examples as code, code between backquotes."""
    if not text:
        return ""
    return "\n\n".join(_parts(text))


def _parts(text: str) -> Iterator[str]:
    lines = text.splitlines()
    i = 0
    while i < len(lines):
        if not lines[i].strip():
            i += 1
            continue
        if found := _SECTION.match(lines[i]):
            i, body = _indented(lines, i + 1)
            if any(line.startswith(">>>") for line in body):
                yield "```pycon\n" + "\n".join(body) + "\n```"
            else:
                yield f"**{found[1]}**\n\n{_entries(body, is_prose=found[1] in ('Returns', 'Yields', 'References'))}"
            continue
        if lines[i].startswith(">>>"):
            start = i
            while i < len(lines) and lines[i].strip():
                i += 1
            yield "```pycon\n" + "\n".join(lines[start:i]) + "\n```"
            continue
        if lines[i].startswith("    "):
            i, body = _indented(lines, i)
            is_code = any(line.startswith(">>>") for line in body)
            yield f"```{'pycon' if is_code else 'text'}\n" + "\n".join(body).rstrip() + "\n```"
            continue
        start = i
        while i < len(lines) and lines[i].strip() and not _SECTION.match(lines[i]) and not lines[i].startswith(">>>"):
            i += 1
        yield _paragraph(lines[start:i])


def _indented(lines: list[str], i: int) -> tuple[int, list[str]]:
    start = i
    while i < len(lines) and (not lines[i].strip() or lines[i].startswith(" ")):
        i += 1
    return i, dedent("\n".join(lines[start:i])).strip("\n").splitlines()


def _paragraph(lines: list[str]) -> str:
    if any(line.startswith(("* ", "- ")) for line in lines):
        items: list[str] = []
        for line in lines:
            if line.startswith(("* ", "- ")) or not items:
                items.append(line)
            else:
                items[-1] += f" {line.strip()}"
        return "\n".join(
            f"* {_inline(item[2:])}" if item.startswith(("* ", "- ")) else f"{_inline(item)}\n" for item in items
        )
    if any(re.match(r"\||={3,}|-{3,}", line) or line.startswith("  ") for line in lines):  # set by hand
        return "```text\n" + "\n".join(lines) + "\n```"
    return _inline(" ".join(lines))


def _entries(body: list[str], *, is_prose: bool) -> str:
    """Return ``name: text`` entries as a list; in prose, an entry ends where a line ends with a full stop."""
    entries: list[str] = []
    for line in body:
        if entries and (line.startswith(" ") or (is_prose and not entries[-1].endswith("."))):
            entries[-1] += f" {line.strip()}"
        elif line.strip():
            entries.append(line.strip())
    found = []
    for entry in entries:
        name = None if is_prose else re.match(r"([*\w][\w*., ()\[\]]{0,120}?): ", entry)
        found.append(f"* `{name[1]}`: {_inline(entry[name.end() :])}" if name else f"* {_inline(entry)}")
    return "\n".join(found)


def _inline(text: str) -> str:
    """Return words as Markdown: double backquotes and roles as code."""
    text = re.sub(r":\w+(?::\w+)?:`~?([^`]+)`", r"``\1``", text)
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    text = re.sub(r"`([^`<>]+) <[^`]*>`_", r"\1", text)
    return markdown(text)
