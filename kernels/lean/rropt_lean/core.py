"""The part of Lean's core library that the proofs use, declared again so that the export file needs no other file.

A text for Lean leaves these declarations out: Lean has them. The functions are defined by the equations of Lean's core
library; checkers replace `Nat.add`, `Nat.mul`, `Nat.beq` and `Nat.ble` of literals by arithmetic.
"""

from __future__ import annotations

from .terms import PROP, Declaration, Module, Term, app, arrow, bind, const, lam, local, pi, sort

NAT, BOOL = const("Nat"), const("Bool")
ZERO, TRUE, FALSE = const("Nat.zero"), const("Bool.true"), const("Bool.false")


def succ(n: Term) -> Term:
    """Return n + 1."""
    return app(const("Nat.succ"), n)


def add(m: Term, n: Term) -> Term:
    """Return m + n."""
    return app(const("Nat.add"), m, n)


def mul(m: Term, n: Term) -> Term:
    """Return m n."""
    return app(const("Nat.mul"), m, n)


def beq(m: Term, n: Term) -> Term:
    """Return whether m = n."""
    return app(const("Nat.beq"), m, n)


def ble(m: Term, n: Term) -> Term:
    """Return whether m <= n."""
    return app(const("Nat.ble"), m, n)


def nat_rec(universe: int, motive: Term, zero: Term, step: Term, n: Term) -> Term:
    """Apply the recursor of Nat."""
    return app(const("Nat.rec", universe), motive, zero, step, n)


def bool_rec(universe: int, motive: Term, false: Term, true: Term, b: Term) -> Term:
    """Apply the recursor of Bool."""
    return app(const("Bool.rec", universe), motive, false, true, b)


def choose(of: Term, b: Term, yes: Term, no: Term) -> Term:
    """Return ``if b then yes else no`` in the type ``of``."""
    return bool_rec(1, lam("_", BOOL, lambda _: of), no, yes, b)


def list_of(of: Term) -> Term:
    """Return the type of lists."""
    return app(const("List", 0), of)


def nil(of: Term) -> Term:
    """Return the empty list."""
    return app(const("List.nil", 0), of)


def cons(of: Term, head: Term, tail: Term) -> Term:
    """Return the list with that head and tail."""
    return app(const("List.cons", 0), of, head, tail)


def list_term(of: Term, items: list[Term]) -> Term:
    """Return the list of these items."""
    result = nil(of)
    for each in reversed(items):
        result = cons(of, each, result)
    return result


def list_rec(universe: int, of: Term, motive: Term, empty: Term, step: Term, items: Term) -> Term:
    """Apply the recursor of List."""
    return app(const("List.rec", universe, 0), of, motive, empty, step, items)


def eq(of: Term, left: Term, right: Term) -> Term:
    """Return ``left = right`` in a type."""
    return app(const("Eq", 1), of, left, right)


def refl(of: Term, value: Term) -> Term:
    """Return the proof of ``value = value``."""
    return app(const("Eq.refl", 1), of, value)


def subst(of: Term, motive: Term, a: Term, b: Term, equal: Term, proof: Term) -> Term:
    """Return the proof of ``motive b`` from ``a = b`` and ``motive a``."""
    return app(const("Eq.subst", 1), of, motive, a, b, equal, proof)


def both_of(a: Term, b: Term) -> Term:
    """Return ``a and b``."""
    return app(const("And"), a, b)


def both(a: Term, b: Term, left: Term, right: Term) -> Term:
    """Return the proof of ``a and b``."""
    return app(const("And.intro"), a, b, left, right)


def left_of(a: Term, b: Term, proof: Term) -> Term:
    """Return the proof of a from one of ``a and b``."""
    return app(const("And.left"), a, b, proof)


def right_of(a: Term, b: Term, proof: Term) -> Term:
    """Return the proof of b from one of ``a and b``."""
    return app(const("And.right"), a, b, proof)


def negation(a: Term) -> Term:
    """Return ``not a``."""
    return app(const("Not"), a)


def absurd(claim: Term, proof: Term) -> Term:
    """Return a proof of any claim from one of False."""
    return app(const("False.rec", 0), lam("_", const("False"), lambda _: claim), proof)


def declare_core(module: Module) -> None:
    """Declare the types, functions and lemmas of Lean's core library that are used here."""
    module.inductive("Nat", [], [("zero", lambda n: []), ("succ", lambda n: [("n", n)])])
    module.inductive("Bool", [], [("false", lambda b: []), ("true", lambda b: [])])
    module.inductive(
        "List",
        [("A", sort(("succ", ("param", "u"))))],
        [("nil", lambda a, w: []), ("cons", lambda a, w: [("head", a), ("tail", w)])],
        levels=("u",),
        universe=sort(("succ", ("param", "u"))),
    )
    _equality(module)
    module.inductive("True", [], [("intro", lambda t: [])], universe=PROP)
    module.inductive("False", [], [], universe=PROP)
    module.inductive(
        "And",
        [("a", PROP), ("b", PROP)],
        [("intro", lambda a, b, w: [("left", a), ("right", b)])],
        universe=PROP,
        structure=True,
    )
    module.inductive(
        "Or",
        [("a", PROP), ("b", PROP)],
        [("inl", lambda a, b, w: [("h", a)]), ("inr", lambda a, b, w: [("h", b)])],
        universe=PROP,
        eliminate=False,
    )
    module.inductive(
        "Exists",
        [("A", sort("u")), ("p", lambda a: arrow(a, PROP))],
        [("intro", lambda a, p, w: [("w", a), ("h", lambda w, *_: app(p, w))])],
        levels=("u",),
        universe=PROP,
        eliminate=False,
    )
    module.define("Not", arrow(PROP, PROP), lam("a", PROP, lambda a: arrow(a, const("False"))))
    binary = arrow(NAT, NAT, NAT)
    to_nat = lam("_", NAT, lambda _: NAT)
    module.define(
        "Nat.add",
        binary,
        lam(
            "m",
            NAT,
            lambda m: lam("n", NAT, lambda n: nat_rec(1, to_nat, m, lam("_", NAT, lambda _: lam("s", NAT, succ)), n)),
        ),
    )
    module.define(
        "Nat.mul",
        binary,
        lam(
            "m",
            NAT,
            lambda m: lam(
                "n",
                NAT,
                lambda n: nat_rec(1, to_nat, ZERO, lam("_", NAT, lambda _: lam("s", NAT, lambda s: add(s, m))), n),
            ),
        ),
    )
    test = arrow(NAT, NAT, BOOL)
    functions = lam("_", NAT, lambda _: arrow(NAT, BOOL))
    to_bool = lam("_", NAT, lambda _: BOOL)

    def compared(zero_zero: Term, zero_succ: Term, succ_zero: Term) -> Term:
        step = lam(
            "_",
            NAT,
            lambda _: lam(
                "f",
                arrow(NAT, BOOL),
                lambda f: lam(
                    "n",
                    NAT,
                    lambda n: nat_rec(
                        1, to_bool, succ_zero, lam("k", NAT, lambda k: lam("_", BOOL, lambda _: app(f, k))), n
                    ),
                ),
            ),
        )
        first = lam(
            "n",
            NAT,
            lambda n: nat_rec(1, to_bool, zero_zero, lam("_", NAT, lambda _: lam("_", BOOL, lambda _: zero_succ)), n),
        )
        return lam("m", NAT, lambda m: lam("n", NAT, lambda n: app(nat_rec(1, functions, first, step, m), n)))

    module.define("Nat.beq", test, compared(TRUE, FALSE, FALSE))
    module.define("Nat.ble", test, compared(TRUE, TRUE, FALSE))


def _equality(module: Module) -> None:
    u = sort("u")
    alpha, a, b = local("A", u), None, None
    a = local("a", alpha)
    whole = app(const("Eq", "u"), alpha)
    motive = local("motive", pi("b", alpha, lambda b: arrow(app(whole, a, b), sort("v"))))
    reflexive = app(const("Eq.refl", "u"), alpha, a)
    minor = local("refl", app(motive, a, reflexive))
    b = local("b", alpha)
    t = local("t", app(whole, a, b))

    def closed(kind: str, binders: list[Term], body: Term) -> Term:
        for each in reversed(binders):
            body = bind(kind, each, body)
        return body

    head = [alpha, a, motive, minor]
    module.add_inductive(
        Declaration(
            "inductive",
            "Eq",
            closed("pi", [alpha], arrow(alpha, alpha, PROP)),
            None,
            ("u",),
            "",
            {
                "parameters": 2,
                "indices": 1,
                "constructors": [("Eq.refl", closed("pi", [alpha, a], app(whole, a, a)), 0, 0)],
                "recursor": (
                    closed("pi", [*head, b, t], app(motive, b, t)),
                    ("v", "u"),
                    [("Eq.refl", 0, closed("lam", head, minor))],
                    True,
                ),
                "recursive": False,
                "structure": False,
            },
        )
    )
    predicate = local("motive", arrow(alpha, PROP))
    equal, proof = local("h₁", app(whole, a, b)), local("h₂", app(predicate, a))
    binders = [alpha, predicate, a, b, equal, proof]
    inner = lam("x", alpha, lambda x: lam("_", app(whole, a, x), lambda _: app(predicate, x)))
    module.prove(
        "Eq.subst",
        closed("pi", binders, app(predicate, b)),
        closed("lam", binders, app(const("Eq.rec", 0, "u"), alpha, a, inner, proof, b, equal)),
        ("u",),
    )

    def moved(result: object, start: Term) -> Term:
        return app(const("Eq.subst", "u"), alpha, lam("x", alpha, result), a, b, equal, start)

    binders = [alpha, a, b, equal]
    module.prove(
        "Eq.symm",
        closed("pi", binders, app(whole, b, a)),
        closed("lam", binders, moved(lambda x: app(whole, x, a), reflexive)),
        ("u",),
    )
    c = local("c", alpha)
    second = local("h₂", app(whole, b, c))
    binders = [alpha, a, b, c, equal, second]
    value = app(const("Eq.subst", "u"), alpha, lam("x", alpha, lambda x: app(whole, a, x)), b, c, second, equal)
    module.prove("Eq.trans", closed("pi", binders, app(whole, a, c)), closed("lam", binders, value), ("u",))
    beta = local("B", sort("v"))
    f = local("f", arrow(alpha, beta))
    binders = [alpha, beta, a, b, f, equal]
    there = app(const("Eq", "v"), beta, app(f, a))
    value = moved(lambda x: app(there, app(f, x)), app(const("Eq.refl", "v"), beta, app(f, a)))
    module.prove("congrArg", closed("pi", binders, app(there, app(f, b))), closed("lam", binders, value), ("u", "v"))
