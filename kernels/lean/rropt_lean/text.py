"""Print declarations in Lean's syntax. The text is read off the same terms as the export file.

All implicit arguments are written out (`@f`), so that Lean has nothing to guess. Lists and projections of structures
have their usual notation.
"""

from __future__ import annotations

from .terms import CORE, NAMESPACE, Declaration, Module, Term, spine

WIDTH = 120
_INDENT = 2
_PREFIX = NAMESPACE + "."
_INFIX = {("Eq", 3): "=", ("And", 2): "∧", ("Or", 2): "\u2228", ("List.cons", 3): "::"}


def printed(module: Module, title: str) -> str:
    """Return the text for Lean of all declarations that are not in its core library.

    Args:
        module: the declarations.
        title: the first lines, a comment.
    """
    structures = {each.name for each in module.declarations if each.parts.get("structure")}
    printer = _Printer(structures)
    lines = [
        f"/-\n{title}\n-/",
        "set_option autoImplicit false",
        "set_option maxRecDepth 1000000",
        "set_option maxHeartbeats 0",
        "noncomputable section",
        f"namespace {NAMESPACE}",
        "",
    ]
    for index, each in enumerate(module.declarations):
        if index == module.statement:
            lines += ["/-! The statement ends here. What follows is the proof. -/", ""]
        if each.name.split(".")[0] not in CORE and not each.parts.get("projection"):
            if "text" not in each.parts:  # the library is the same in every file
                each.parts["text"] = printer.declaration(each)
            lines += [*each.parts["text"], ""]
    return "\n".join([*lines, f"end {NAMESPACE}", ""])


def _short(name: str) -> str:
    return name.removeprefix(_PREFIX)


class _Printer:
    def __init__(self, structures: set[str]) -> None:
        self.structures = structures
        self._sizes: dict[int, int] = {}
        self._named: set[str] = set()  # what a variable must not hide: the constants of the declaration

    def declaration(self, of: Declaration) -> list[str]:
        """Return the lines of a declaration."""
        self._named = _constants(of)
        comment = [f"/-- {of.comment} -/"] if of.comment else []
        if of.kind == "inductive":
            return comment + self._inductive(of)
        head = f"{'theorem' if of.kind == 'thm' else 'def'} {_short(of.name)}"
        binders, kind, value, scope = self._common(of)
        assert value is not None
        head = " ".join([head, *binders]) + " :"
        if len(head) > WIDTH:
            head = "\n    ".join([head.split(" (")[0], *binders]) + " :"
        claim = self._text(kind, scope, 4)
        gap = " " if len(head) + len(claim) < WIDTH or not binders else "\n    "
        return [*comment, f"{head}{gap}{claim} :=", "  " + self._text(value, scope, 2)]

    def _common(self, of: Declaration) -> tuple[list[str], Term, Term | None, list[str]]:
        """Take the binders that the type and the value share: they stand before the colon."""
        kind, value, scope, binders = of.type, of.value, [], []
        while kind.kind == "pi" and value is not None and value.kind == "lam" and kind.parts[1] is value.parts[1]:
            name = self._fresh(value.parts[0], scope)
            binders.append(f"({name} : {self._text(kind.parts[1], scope, 4)})")
            scope = [*scope, name]
            kind, value = kind.parts[2], value.parts[2]
        return binders, kind, value, scope

    def _inductive(self, of: Declaration) -> list[str]:
        kind, scope, head = of.type, [], []
        for _ in range(of.parts["parameters"]):
            scope.append(kind.parts[0])
            head.append(f"({kind.parts[0]} : {self._text(kind.parts[1], scope[:-1], 4)})")
            kind = kind.parts[2]
        start = " ".join([_short(of.name), *head])
        if of.parts["structure"]:
            [(_, constructor, count, _)] = of.parts["constructors"]
            lines = [f"structure {start} where"]
            names: list[str] = []
            for index in range(of.parts["parameters"] + count):
                name, kind, body, _ = constructor.parts
                if index >= of.parts["parameters"]:
                    lines.append(f"  {name} : {self._text(kind, names, 4)}")
                names.append(name)
                constructor = body
            return lines
        lines = [f"inductive {start} where"]
        for name, constructor, _, _ in of.parts["constructors"]:
            names = []
            for _ in range(of.parts["parameters"]):
                names.append(constructor.parts[0])
                constructor = constructor.parts[2]
            lines.append(f"  | {name.split('.')[-1]} : {self._text(constructor, names, 4)}")
        return lines

    def _fresh(self, name: str, scope: list[str]) -> str:
        """Return a name that no variable in scope has, and no constant of the declaration."""
        new, count = name, 0
        while new in scope or new in self._named:
            count += 1
            new = f"{name}{count}"
        return new

    def _text(self, term: Term, scope: list[str], indent: int) -> str:
        """Return a term; it is broken into lines if it is long."""
        if self._leaves(term) * 2 <= WIDTH:  # each leaf takes a character and a space, but for a list or an infix sign
            short = self._flat(term, scope)
            if len(short) + indent <= WIDTH:
                return short
        return self._broken(term, scope, indent)

    def _leaves(self, term: Term) -> int:
        """Return how many variables and constants a term has."""
        found = self._sizes.get(id(term))
        if found is None:
            inner = [part for part in term.parts if isinstance(part, Term)]
            found = self._sizes[id(term)] = sum(self._leaves(part) for part in inner) if inner else 1
        return found

    def _broken(self, term: Term, scope: list[str], indent: int) -> str:
        pad = "\n" + " " * (indent + _INDENT)
        if self._is_arrow(term):
            left, right = term.parts[1], term.parts[2]
            inside = self._text(left, scope, indent + _INDENT)
            inside = f"({inside})" if _is_open(left) else inside
            return f"{inside} →\n{' ' * indent}{self._text(right, [*scope, '_'], indent)}"
        if term.kind in ("lam", "pi"):
            head, inner, names = self._binders(term, scope)
            return head + pad + self._text(inner, names, indent + _INDENT)
        items = self._items(term)
        if items is not None:
            inside = [self._text(each, scope, indent + _INDENT) for each in items]
            return "[" + ("," + pad).join(inside) + "]"
        if term.kind == "app":
            head, arguments = spine(term)
            name = head.parts[0] if head.kind == "const" else ""
            if (name, len(arguments)) in _INFIX:
                sides = [self._argument(each, scope, indent + _INDENT) for each in arguments[-2:]]
                return f"{sides[0]} {_INFIX[name, len(arguments)]}{pad}{sides[1]}"
            if self._infix(head, arguments, scope) is not None:
                return self._flat(term, scope)
            first, rest = self._head(head, arguments, scope)
            return first + "".join(pad + self._argument(each, scope, indent + _INDENT) for each in rest)
        return self._flat(term, scope)

    def _argument(self, term: Term, scope: list[str], indent: int) -> str:
        text = self._text(term, scope, indent + 1)
        return text if self._is_simple(term) else f"({text})"

    def _binders(self, term: Term, scope: list[str]) -> tuple[str, Term, list[str]]:
        kind, binders, scope = term.kind, [], list(scope)
        while term.kind == kind and not self._is_arrow(term):
            name = self._fresh(term.parts[0], scope) if _occurs(term.parts[2], 0) else "_"
            binders.append(f"({name} : {self._flat(term.parts[1], scope)})")
            scope.append(name)
            term = term.parts[2]
        return ("fun " if kind == "lam" else "∀ ") + " ".join(binders) + (" =>" if kind == "lam" else ","), term, scope

    @staticmethod
    def _is_arrow(term: Term) -> bool:
        return term.kind == "pi" and term.parts[0] == "_"

    @staticmethod
    def _items(term: Term) -> list[Term] | None:
        """Return the items of a list that is written out."""
        items = []
        while True:
            head, arguments = spine(term)
            if head.kind != "const" or not arguments:
                return None
            if head.parts[0] == "List.nil":
                return items
            if head.parts[0] != "List.cons" or len(arguments) != 3:
                return None
            items.append(arguments[1])
            term = arguments[2]

    def _is_simple(self, term: Term) -> bool:
        if term.kind == "app":
            head, arguments = spine(term)
            plain = self._projected(head, arguments)
            return self._items(term) is not None or (plain is not None and len(plain[1]) == 0)
        return (
            term.kind in ("bound", "nat", "computed")
            or (term.kind == "sort" and term.parts[0][0] != "param")
            or (term.kind == "const" and not term.parts[1])
        )

    def _projected(self, head: Term, arguments: list[Term]) -> tuple[Term, list[Term], str] | None:
        """Return the structure, the other arguments and the field, if the head is a projection of a variable."""
        if head.kind != "const" or "." not in head.parts[0]:
            return None
        owner, field = head.parts[0].rsplit(".", 1)
        skip = 1 if owner.endswith("OrderedGroup") else 0
        if owner not in self.structures or field in ("mk", "rec") or len(arguments) <= skip or owner in CORE:
            return None
        target = arguments[skip]
        return (target, arguments[skip + 1 :], field) if target.kind == "bound" else None

    def _head(self, head: Term, arguments: list[Term], scope: list[str]) -> tuple[str, list[Term]]:
        projected = self._projected(head, arguments)
        if projected is not None:
            target, rest, field = projected
            return f"{self._flat(target, scope)}.{field}", rest
        return self._flat(head, scope) if self._is_simple(
            head
        ) or head.kind == "const" else f"({self._flat(head, scope)})", arguments

    def _flat(self, term: Term, scope: list[str]) -> str:
        parts = term.parts
        if term.kind == "bound":
            return scope[-1 - parts[0]]
        if term.kind == "nat":
            return str(parts[0])
        if term.kind == "computed":
            return "(by decide +kernel)"
        if term.kind == "sort":
            return {"zero": "Prop", "succ": "Type"}.get(parts[0][0], f"Sort {parts[0][-1]}")
        if term.kind == "const":
            return self._constant(parts[0], parts[1])
        if term.kind == "proj":
            return f"{self._wrapped(parts[2], scope)}.{parts[1] + 1}"
        if self._is_arrow(term):
            left = self._flat(parts[1], scope)
            left = f"({left})" if _is_open(parts[1]) else left
            return f"{left} → {self._flat(parts[2], [*scope, '_'])}"
        if term.kind in ("lam", "pi"):
            head, inner, names = self._binders(term, scope)
            return f"{head} {self._flat(inner, names)}"
        items = self._items(term)
        if items is not None:
            return "[" + ", ".join(self._flat(each, scope) for each in items) + "]"
        head, arguments = spine(term)
        infix = self._infix(head, arguments, scope)
        if infix is not None:
            return infix
        first, rest = self._head(head, arguments, scope)
        return " ".join([first, *(self._wrapped(each, scope) for each in rest)])

    def _infix(self, head: Term, arguments: list[Term], scope: list[str]) -> str | None:
        """Return equality, conjunction, disjunction, negation and existence in their usual notation."""
        name = head.parts[0] if head.kind == "const" else ""
        if (name, len(arguments)) in _INFIX:
            return f" {_INFIX[name, len(arguments)]} ".join(self._side(each, scope) for each in arguments[-2:])
        if name == "Not" and len(arguments) == 1:
            return f"¬ {self._side(arguments[0], scope)}"
        if name == "List" and len(arguments) == 1:
            return f"List {self._wrapped(arguments[0], scope)}"
        if name == "Exists" and len(arguments) == 2 and arguments[1].kind == "lam":
            variable = self._fresh(arguments[1].parts[0], scope)
            kind = self._flat(arguments[0], scope)
            return f"∃ ({variable} : {kind}), {self._flat(arguments[1].parts[2], [*scope, variable])}"
        return None

    def _side(self, term: Term, scope: list[str]) -> str:
        """Return a side of an infix sign; an application needs no parentheses there."""
        head, arguments = spine(term)
        if arguments and self._infix(head, arguments, scope) is None:
            return self._flat(term, scope)
        return self._wrapped(term, scope)

    def _wrapped(self, term: Term, scope: list[str]) -> str:
        text = self._flat(term, scope)
        return text if self._is_simple(term) else f"({text})"

    @staticmethod
    def _constant(name: str, levels: tuple[object, ...]) -> str:
        own = _short(name)
        if not levels:
            return own if not _has_implicit(name) else f"@{own}"
        return f"@{own}.{{{', '.join(_level(each) for each in levels)}}}"


def _is_open(term: Term) -> bool:
    """Whether the text of a term goes on as far as it can: to the left of an arrow it needs parentheses."""
    head, arguments = spine(term)
    return term.kind in ("pi", "lam") or (head.kind == "const" and head.parts[0] == "Exists" and len(arguments) == 2)


def _constants(of: Declaration) -> set[str]:
    """Return the first parts of the names of the constants in a declaration."""
    stack = [term for term in (of.type, of.value) if term is not None]
    seen, found = {id(term) for term in stack}, set()
    while stack:
        node = stack.pop()
        if node.kind == "const":
            found.add(_short(node.parts[0]).split(".")[0])
        for part in node.parts:
            if isinstance(part, Term) and id(part) not in seen:
                seen.add(id(part))
                stack.append(part)
    return found


def _occurs(term: Term, index: int) -> bool:
    """Whether the bound variable of that index occurs."""
    if term.loose <= index:
        return False
    if term.kind == "bound":
        return bool(term.parts[0] == index)
    if term.kind in ("lam", "pi"):
        return _occurs(term.parts[1], index) or _occurs(term.parts[2], index + 1)
    return any(_occurs(part, index) for part in term.parts if isinstance(part, Term))


def _level(of: object) -> str:
    assert isinstance(of, tuple)
    count = 0
    while of[0] == "succ":
        of, count = of[1], count + 1
    return str(count) if of[0] == "zero" else str(of[1]) + (f"+{count}" if count else "")


def _has_implicit(name: str) -> bool:
    """Whether Lean takes some arguments of the constant as implicit ones."""
    return (
        name.endswith(".rec")
        or name.startswith(_PREFIX + "OrderedGroup.")
        or (name.split(".")[0] in ("Eq", "And", "Exists", "Or", "congrArg", "False") and "." in name)
    )
