"""Terms of Lean's kernel: a small builder, a printer to Lean's syntax, and a writer of Lean's export format.

A term is built with functions of Python: ``lam("x", T, lambda x: ...)`` makes ``fun (x : T) => ...``. Equal terms are
one object. Both output forms are read off the same terms.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

FORMAT = {  # Lean's export format; the file was not written by Lean, so there is no version of it
    "exporter": {"name": "rropt", "version": "1"},
    "lean": {"githash": "", "version": ""},
    "format": {"version": "3.1.0"},
}
CORE = ("Nat", "Bool", "List", "Eq", "And", "Or", "Exists", "True", "False", "Not", "congrArg")
NAMESPACE = "Rropt"


class IllFormedError(Exception):
    """A term with a variable out of its scope, or with a constant that is not declared."""


@dataclass(frozen=True, eq=False, slots=True)
class Term:
    """A node: its kind, its parts, how many binders it still needs, and whether it has free local variables."""

    kind: str
    parts: tuple[Any, ...]
    loose: int
    local: bool


_NODES: dict[tuple[Any, ...], Term] = {}
_LOCALS = [0]


def _node(kind: str, *parts: Any) -> Term:
    key = (kind, *(id(part) if isinstance(part, Term) else part for part in parts))
    found = _NODES.get(key)
    if found is None:
        inner = [part for part in parts if isinstance(part, Term)]
        if kind in ("lam", "pi"):
            loose = max(inner[0].loose, inner[1].loose - 1)
        elif kind == "bound":
            loose = parts[0] + 1
        else:
            loose = max((part.loose for part in inner), default=0)
        found = _NODES[key] = Term(kind, parts, loose, kind == "local" or any(part.local for part in inner))
    return found


# levels: ("zero",), ("succ", l), ("param", name); a number n is the n-th successor of zero
Level = tuple[Any, ...]


def level(of: int | str | Level) -> Level:
    """Return a universe level from a number, the name of a parameter, or a level."""
    if isinstance(of, int):
        return ("zero",) if of == 0 else ("succ", level(of - 1))
    return ("param", of) if isinstance(of, str) else of


def sort(of: int | str | Level) -> Term:
    """Return a universe: ``sort(0)`` is Prop, ``sort(1)`` is Type."""
    return _node("sort", level(of))


PROP, TYPE = sort(0), sort(1)


def const(name: str, *levels: int | str | Level) -> Term:
    """Return the constant of that name at these universe levels."""
    return _node("const", name, tuple(level(each) for each in levels))


def app(function: Term, *arguments: Term) -> Term:
    """Apply a function to arguments."""
    for argument in arguments:
        function = _node("app", function, argument)
    return function


def nat(value: int) -> Term:
    """Return a literal of Nat."""
    return _node("nat", value)


def proj(structure: str, index: int, of: Term) -> Term:
    """Return the field of that index."""
    return _node("proj", structure, index, of)


def computed(proof: Term) -> Term:
    """Mark a proof by computation: the text leaves it to `decide`, the export file holds the term."""
    return _node("computed", proof)


def local(name: str, of: Term) -> Term:
    """Return a new local variable of type ``of``."""
    _LOCALS[0] += 1
    return _node("local", _LOCALS[0], name, of)


def bind(kind: str, variable: Term, body: Term, implicit: bool = False) -> Term:
    """Return ``fun (variable) => body`` (kind `lam`) or ``forall (variable), body`` (kind `pi`)."""
    _, name, of = variable.parts
    return _node(kind, name, of, _close(body, variable, 0, {}), implicit)


def lam(name: str, of: Term, body: Callable[[Term], Term]) -> Term:
    """Return ``fun (name : of) => body``."""
    variable = local(name, of)
    return bind("lam", variable, body(variable))


def pi(name: str, of: Term, body: Callable[[Term], Term], implicit: bool = False) -> Term:
    """Return ``forall (name : of), body``."""
    variable = local(name, of)
    return bind("pi", variable, body(variable), implicit)


def arrow(*types: Term) -> Term:
    """Return ``a -> b -> ... -> z``."""
    *left, result = types
    for each in reversed(left):
        result = _node("pi", "_", each, result, False)
    return result


def _close(term: Term, variable: Term, depth: int, seen: dict[tuple[int, int], Term]) -> Term:
    if term is variable:
        return _node("bound", depth)
    if not term.local:
        return term
    key = (id(term), depth)
    if key not in seen:
        parts = term.parts
        if term.kind in ("lam", "pi"):
            name, of, body, implicit = parts
            new = _node(
                term.kind, name, _close(of, variable, depth, seen), _close(body, variable, depth + 1, seen), implicit
            )
        elif term.kind == "local":
            new = term
        else:
            new = _node(
                term.kind, *(_close(part, variable, depth, seen) if isinstance(part, Term) else part for part in parts)
            )
        seen[key] = new
    return seen[key]


def open_with(body: Term, value: Term, depth: int = 0) -> Term:
    """Replace the outermost bound variable of a body by a closed or local term."""
    if body.loose <= depth:
        return body
    if body.kind == "bound":
        return value if body.parts[0] == depth else body
    if body.kind in ("lam", "pi"):
        name, of, inner, implicit = body.parts
        return _node(body.kind, name, open_with(of, value, depth), open_with(inner, value, depth + 1), implicit)
    return _node(body.kind, *(open_with(part, value, depth) if isinstance(part, Term) else part for part in body.parts))


def spine(term: Term) -> tuple[Term, list[Term]]:
    """Return the function and the arguments of an application."""
    arguments = []
    while term.kind == "app":
        term, argument = term.parts
        arguments.append(argument)
    return term, arguments[::-1]


@dataclass
class Declaration:
    """A definition, a theorem, or an inductive type with its constructors and recursor."""

    kind: str
    name: str
    type: Term
    value: Term | None = None
    levels: tuple[str, ...] = ()
    comment: str = ""
    parts: dict[str, Any] = field(default_factory=dict)


class Module:
    """Declarations in their order."""

    def __init__(self) -> None:
        self.declarations: list[Declaration] = []
        self.statement = 0  # how many declarations the statement needs: those of a claim are put behind them
        self._levels: dict[str, int] = {}

    def copy(self) -> Module:
        """Return a module with the same declarations, to add others to."""
        other = Module()
        other.declarations, other._levels = list(self.declarations), dict(self._levels)
        other.statement = self.statement
        return other

    def define(self, name: str, of: Term, value: Term, levels: tuple[str, ...] = (), comment: str = "") -> Term:
        """Add a definition and return its constant, if it has no universe parameters."""
        return self._add(Declaration("def", name, of, value, levels, comment))

    def state(self, name: str, of: Term, value: Term, comment: str) -> Term:
        """Add a definition behind those that the statement needs, before all proofs."""
        made = self.define(name, of, value, comment=comment)
        self.declarations.insert(self.statement, self.declarations.pop())
        self.statement += 1
        return made

    def prove(self, name: str, of: Term, value: Term, levels: tuple[str, ...] = (), comment: str = "") -> Term:
        """Add a theorem."""
        return self._add(Declaration("thm", name, of, value, levels, comment))

    def _add(self, declaration: Declaration, check: bool = True) -> Term:
        if declaration.name in self._levels:
            raise IllFormedError(f"{declaration.name} is declared twice")
        if check:
            self._check(declaration.type, declaration)
            if declaration.value is not None:
                self._check(declaration.value, declaration)
        self._levels[declaration.name] = len(declaration.levels)
        self.declarations.append(declaration)
        return const(declaration.name, *declaration.levels)

    def _check(self, term: Term, declaration: Declaration) -> None:
        """Raise unless every variable is bound and every constant is declared before, with its number of levels."""
        if term.loose or term.local:
            raise IllFormedError(f"{declaration.name} has a variable that is not bound")
        stack, seen = [term], set()
        while stack:
            node = stack.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if node.kind == "const" and self._levels.get(node.parts[0]) != len(node.parts[1]):
                raise IllFormedError(
                    f"{declaration.name} names {node.parts[0]}, which is not declared with such levels"
                )
            stack.extend(part for part in node.parts if isinstance(part, Term))

    def inductive(
        self,
        name: str,
        parameters: list[tuple[str, Any]],
        constructors: list[tuple[str, Callable[..., list[tuple[str, Any]]]]],
        *,
        levels: tuple[str, ...] = (),
        universe: Term = TYPE,
        eliminate: bool = True,
        structure: bool = False,
        comment: str = "",
    ) -> None:
        """Add an inductive type without indices.

        Args:
            name: its name.
            parameters: names and types; a type may be a function of the parameters before.
            constructors: for each its name, and a function of the parameters (local variables) and the type. It returns
                names and types of the fields; a type may be a function of the fields before.
            levels: universe parameters.
            universe: the universe of the type.
            eliminate: whether the recursor goes into every universe.
            structure: whether to define a projection for each field of its constructor.
            comment: text for the reader.
        """
        variables: list[Term] = []
        for each_name, each_type in parameters:
            variables.append(local(each_name, each_type(*variables) if callable(each_type) else each_type))
        whole = app(const(name, *levels), *variables)

        def closed(kind: str, binders: Iterable[Term], body: Term) -> Term:
            for each in reversed(list(binders)):
                body = bind(kind, each, body)
            return body

        motive_levels = ("motive_level", *levels) if eliminate else levels
        motive = local("motive", arrow(whole, sort("motive_level" if eliminate else 0)))
        made, minors, rules = [], [], []
        for index, (short, fields_of) in enumerate(constructors):
            fields: list[Term] = []
            for field_name, of in fields_of(*variables, whole):
                fields.append(local(field_name, of(*fields) if callable(of) else of))
            made_name = f"{name}.{short}"
            term = app(const(made_name, *levels), *variables, *fields)
            made.append((made_name, closed("pi", [*variables, *fields], whole), len(fields), index))
            again = [each for each in fields if each.parts[2] is whole]
            hypotheses = [local(f"{each.parts[1]}_ih", app(motive, each)) for each in again]
            minors.append(local(short, closed("pi", [*fields, *hypotheses], app(motive, term))))
            rules.append((made_name, fields, again, len(minors) - 1))
        target = local("t", whole)
        recursor = const(f"{name}.rec", *motive_levels)
        head = [*variables, motive, *minors]
        of_recursor = closed("pi", [*head, target], app(motive, target))
        written = []
        for made_name, fields, again, at in rules:
            body = app(minors[at], *fields, *(app(recursor, *head, each) for each in again))
            written.append((made_name, len(fields), closed("lam", [*head, *fields], body)))
        self._add(
            Declaration(
                "inductive",
                name,
                closed("pi", variables, universe),
                None,
                levels,
                comment,
                {
                    "parameters": len(parameters),
                    "indices": 0,
                    "constructors": made,
                    "recursor": (of_recursor, motive_levels, written, False),
                    "recursive": any(again for _, _, again, _ in rules),
                    "structure": structure,
                },
            ),
            check=False,
        )
        for made_name, *_ in made:
            self._levels[made_name] = len(levels)
        self._levels[f"{name}.rec"] = len(motive_levels)
        if structure:
            [(_, fields, _, _)] = rules
            value = local("self", whole)
            got: dict[int, Term] = {}

            def taken(term: Term) -> Term:
                for other in fields:
                    if id(other) in got:
                        term = open_with(_close(term, other, 0, {}), got[id(other)])
                return term

            for index, each in enumerate(fields):
                projection = f"{name}.{each.parts[1]}"
                of = taken(each.parts[2])
                add = Declaration(
                    "def",
                    projection,
                    closed("pi", [*variables, value], of),
                    closed("lam", [*variables, value], proj(name, index, value)),
                    levels,
                    "",
                    {"projection": True},
                )
                self._add(add)
                got[id(each)] = app(const(projection, *levels), *variables, value)

    def add_inductive(self, declaration: Declaration) -> None:
        """Add an inductive type with indices, written out in full."""
        self._add(declaration, check=False)
        for made_name, *_ in declaration.parts["constructors"]:
            self._levels[made_name] = len(declaration.levels)
        self._levels[f"{declaration.name}.rec"] = len(declaration.parts["recursor"][1])


class Export:
    """Write declarations in Lean's export format (NDJSON, one object a line)."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._names: dict[tuple[str, ...], int] = {(): 0}
        self._levels: dict[Level, int] = {("zero",): 0}
        self._terms: dict[int, int] = {}
        self._count = 0
        self._heights: dict[str, int] = {}
        self._put({"meta": FORMAT})

    def _put(self, data: Any) -> None:
        self.lines.append(json.dumps(data, ensure_ascii=False, separators=(",", ":")))

    def name(self, text: str) -> int:
        """Return the number of a name, after writing it."""
        return self._name(tuple(text.split(".")))

    def _name(self, parts: tuple[str, ...]) -> int:
        if parts not in self._names:
            before = self._name(parts[:-1])
            self._names[parts] = len(self._names)
            self._put({"str": {"pre": before, "str": parts[-1]}, "in": self._names[parts]})
        return self._names[parts]

    def level(self, of: Level) -> int:
        """Return the number of a level, after writing it."""
        if of not in self._levels:
            data = {"succ": self.level(of[1])} if of[0] == "succ" else {"param": self.name(of[1])}
            self._levels[of] = len(self._levels)
            self._put({**data, "il": self._levels[of]})
        return self._levels[of]

    def term(self, root: Term) -> int:
        """Return the number of a term, after writing it and its parts."""
        stack = [(root, False)]
        while stack:
            node, ready = stack.pop()
            if id(node) in self._terms:
                continue
            inner = [part for part in node.parts if isinstance(part, Term)]
            if not ready:
                stack.append((node, True))
                stack.extend((part, False) for part in reversed(inner))
            elif node.kind == "computed":
                self._terms[id(node)] = self._terms[id(inner[0])]
            else:
                self._write(node)
        return self._terms[id(root)]

    def _write(self, node: Term) -> None:
        parts, at = node.parts, self._terms
        if node.kind == "bound":
            data: dict[str, Any] = {"bvar": parts[0]}
        elif node.kind == "sort":
            data = {"sort": self.level(parts[0])}
        elif node.kind == "const":
            data = {"const": {"name": self.name(parts[0]), "us": [self.level(each) for each in parts[1]]}}
        elif node.kind == "app":
            data = {"app": {"fn": at[id(parts[0])], "arg": at[id(parts[1])]}}
        elif node.kind in ("lam", "pi"):
            data = {
                "lam" if node.kind == "lam" else "forallE": {
                    "name": self.name(parts[0]),
                    "type": at[id(parts[1])],
                    "body": at[id(parts[2])],
                    "binderInfo": "implicit" if parts[3] else "default",
                }
            }
        elif node.kind == "nat":
            data = {"natVal": str(parts[0])}
        elif node.kind == "proj":
            data = {"proj": {"typeName": self.name(parts[0]), "idx": parts[1], "struct": at[id(parts[2])]}}
        else:
            raise IllFormedError(f"a {node.kind} cannot be written")
        at[id(node)] = self._count
        self._count += 1
        self._put({**data, "ie": at[id(node)]})

    def declaration(self, of: Declaration) -> None:
        """Write a declaration."""
        levels = [self.name(each) for each in of.levels]
        head = {"name": self.name(of.name), "levelParams": levels, "type": self.term(of.type)}
        if of.kind == "inductive":
            self._inductive(of, head)
            return
        assert of.value is not None
        whole = {**head, "value": self.term(of.value), "all": [self.name(of.name)]}
        if of.kind == "def":
            whole |= {"hints": self._hint(of), "safety": "safe"}
        self._put({of.kind: whole})

    def _hint(self, of: Declaration) -> Any:
        """Return how many definitions deep the value is: a checker unfolds the deeper one of two definitions first."""
        assert of.value is not None
        if of.parts.get("projection"):
            return "abbrev"
        stack, seen, height = [of.value], {id(of.value)}, 0
        while stack:
            node = stack.pop()
            if node.kind == "const":
                height = max(height, self._heights.get(node.parts[0], 0))
            for part in node.parts:
                if isinstance(part, Term) and id(part) not in seen:
                    seen.add(id(part))
                    stack.append(part)
        self._heights[of.name] = height + 1
        return {"regular": height + 1}

    def _inductive(self, of: Declaration, head: dict[str, Any]) -> None:
        parts, made = of.parts, of.parts["constructors"]
        recursor_type, recursor_levels, rules, k = parts["recursor"]
        common = {"isUnsafe": False}
        constructors = [
            {
                "name": self.name(name),
                "levelParams": head["levelParams"],
                "type": self.term(term),
                "induct": head["name"],
                "cidx": index,
                "numParams": parts["parameters"],
                "numFields": fields,
                **common,
            }
            for name, term, fields, index in made
        ]
        types = {
            **head,
            "numParams": parts["parameters"],
            "numIndices": parts["indices"],
            "all": [head["name"]],
            "ctors": [self.name(name) for name, *_ in made],
            "numNested": 0,
            "isRec": parts["recursive"],
            "isReflexive": False,
            **common,
        }
        recursor = {
            "name": self.name(f"{of.name}.rec"),
            "levelParams": [self.name(each) for each in recursor_levels],
            "type": self.term(recursor_type),
            "all": [head["name"]],
            "numParams": parts["parameters"],
            "numIndices": parts["indices"],
            "numMotives": 1,
            "numMinors": len(made),
            "rules": [{"ctor": self.name(n), "nfields": f, "rhs": self.term(value)} for n, f, value in rules],
            "k": k,
            **common,
        }
        self._put({"inductive": {"types": [types], "ctors": constructors, "recs": [recursor]}})


def exported(module: Module) -> str:
    """Return the module in Lean's export format."""
    export = Export()
    for each in module.declarations:
        export.declaration(each)
    return "\n".join(export.lines) + "\n"
