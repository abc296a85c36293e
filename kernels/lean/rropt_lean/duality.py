"""Linear programs over ordered groups: what a claim says, the checker, and the theorem that the checker is right.

    Minimum P v d D   c.x >= v/d for every feasible x; and a feasible x with c.x = v/d where 1 has a D-th part
    Maximum P v d D   the same with <=
    Infeasible P      no x is feasible

The checker adds the rows with their multipliers. A *form* is a list of items (index, p, n), with the value
sum of (p - n) e(index). The index 0 stands for the number 1, the index j + 1 for the variable j. Forms are merged in
pairs, so that the work stays near the number of items; the proof holds in any order of merging.
"""

from __future__ import annotations

from collections.abc import Callable

from . import core
from .core import BOOL, FALSE, NAT, TRUE, beq, ble, choose, cons, list_of, list_rec, mul, nat_rec, nil, succ
from .groups import GROUP, Algebra, closed, in_group
from .terms import PROP, TYPE, Module, Term, app, arrow, const, lam, local, nat, pi

INTEGER, TERM, RELATION = const("Rropt.Integer"), const("Rropt.Term"), const("Rropt.Relation")
ROW, PROGRAM, ITEM, POINT = const("Rropt.Row"), const("Rropt.Program"), const("Rropt.Item"), const("Rropt.Point")
MULTIPLIER = const("Rropt.Multiplier")
FORM = list_of(ITEM)
TERMS, ROWS, FORMS, NATS, MULTIPLIERS = (list_of(each) for each in (TERM, ROW, FORM, NAT, MULTIPLIER))


def own(name: str, *arguments: Term) -> Term:
    """Apply a constant of this development."""
    return app(const(f"Rropt.{name}"), *arguments)


def plus(n: Term) -> Term:
    """Return the integer n."""
    return own("Integer.plus", n)


def minus(n: Term) -> Term:
    """Return the integer -n."""
    return own("Integer.minus", n)


def item(index: Term, p: Term, n: Term) -> Term:
    """Return the item (p - n) e(index)."""
    return own("Item.mk", index, p, n)


def rec(name: str, universe: int, of: Term, motive: Callable[[Term], Term], *cases: Term) -> Term:
    """Apply the recursor of one of the types of this development; the last argument is what is taken apart."""
    return app(const(f"Rropt.{name}.rec", universe), lam("t", of, motive), *cases)


def _function(names: list[tuple[str, Term]], body: Callable[..., Term]) -> Term:
    variables = [local(name, of) for name, of in names]
    return closed("lam", variables, body(*variables))


def declare_programs(module: Module) -> None:
    """Declare linear programs and what it means that a point is feasible, or a value optimal."""
    module.inductive(
        "Rropt.Integer",
        [],
        [("plus", lambda t: [("n", NAT)]), ("minus", lambda t: [("n", NAT)])],
        comment="An integer: plus 3 is 3, minus 3 is -3.",
    )
    module.inductive(
        "Rropt.Term",
        [],
        [("mk", lambda t: [("coefficient", INTEGER), ("index", NAT)])],
        structure=True,
        comment="A coefficient times the variable of that index.",
    )
    module.inductive(
        "Rropt.Relation",
        [],
        [("atLeast", lambda t: []), ("atMost", lambda t: []), ("equal", lambda t: [])],
        comment="The sides of a row are related by >=, <= or =.",
    )
    module.inductive(
        "Rropt.Row",
        [],
        [("mk", lambda t: [("terms", TERMS), ("relation", RELATION), ("bound", INTEGER)])],
        structure=True,
        comment="A row: the sum of the terms is at least, at most, or equal to the bound.",
    )
    module.inductive(
        "Rropt.Program",
        [],
        [("mk", lambda t: [("nonnegative", NATS), ("rows", ROWS), ("cost", TERMS), ("scale", NAT)])],
        structure=True,
        comment="A linear program: which variables are nonnegative, the rows, and the objective (sum of cost) / scale.",
    )
    in_group(
        module,
        "def",
        "value",
        lambda o: [local("a", INTEGER), local("g", o.carrier)],
        lambda o, a, g: (
            o.carrier,
            rec(
                "Integer",
                1,
                INTEGER,
                lambda _: o.carrier,
                lam("n", NAT, lambda n: o.times(n, g)),
                lam("n", NAT, lambda n: o.neg(o.times(n, g))),
                a,
            ),
        ),
        "An integer times g.",
    )
    in_group(
        module,
        "def",
        "sum",
        lambda o: [local("terms", TERMS), _point(o)],
        lambda o, terms, x: (
            o.carrier,
            list_rec(
                1,
                TERM,
                lam("_", TERMS, lambda _: o.carrier),
                o.zero,
                _function([("t", TERM), ("_", TERMS), ("s", o.carrier)], lambda t, _, s: o.add(_term(o, t, x), s)),
                terms,
            ),
        ),
        "The sum of the terms at the point x.",
    )
    in_group(
        module,
        "def",
        "holds",
        lambda o: [_one(o), _point(o), local("r", ROW)],
        _holds,
        "The row holds at x; `one` is the number 1 of the bounds.",
    )
    every = local("T", TYPE)
    predicate, items = local("p", arrow(every, PROP)), local("items", list_of(every))
    head = [every, predicate, items]
    module.define(
        "Rropt.all",
        closed("pi", head, PROP),
        closed(
            "lam",
            head,
            list_rec(
                1,
                every,
                lam("_", list_of(every), lambda _: PROP),
                const("True"),
                _function(
                    [("t", every), ("_", list_of(every)), ("s", PROP)],
                    lambda t, _, s: core.both_of(app(predicate, t), s),
                ),
                items,
            ),
        ),
        comment="Every item of the list has the property.",
    )
    in_group(
        module,
        "def",
        "feasible",
        lambda o: [_one(o), local("P", PROGRAM), _point(o)],
        lambda o, one, p, x: (PROP, core.both_of(*_feasible(o, one, p, x))),
        "The point x is feasible: its variables have their signs, and all rows hold.",
    )
    _claims(module)


def _one(o: Algebra) -> Term:
    return local("one", o.carrier)


def _point(o: Algebra) -> Term:
    return local("x", arrow(NAT, o.carrier))


def _term(o: Algebra, t: Term, x: Term) -> Term:
    return o.of("Rropt.value", own("Term.coefficient", t), app(x, own("Term.index", t)))


def _sum(o: Algebra, terms: Term, x: Term) -> Term:
    return o.of("Rropt.sum", terms, x)


def _value(o: Algebra, a: Term, g: Term) -> Term:
    return o.of("Rropt.value", a, g)


def _relations(o: Algebra, side: Term, bound: Term) -> tuple[Term, Term, Term]:
    return o.le(bound, side), o.le(side, bound), o.eq(side, bound)


def _row_at(o: Algebra, one: Term, x: Term, terms: Term, relation: Term, bound: Term) -> Term:
    """Return what ``holds`` says of a row with these parts."""
    three = _relations(o, _sum(o, terms, x), _value(o, bound, one))
    return rec("Relation", 1, RELATION, lambda _: PROP, *three, relation)


def _holds(o: Algebra, one: Term, x: Term, r: Term) -> tuple[Term, Term]:
    parts = (own(f"Row.{name}", r) for name in ("terms", "relation", "bound"))
    return PROP, _row_at(o, one, x, *parts)


def _feasible(o: Algebra, one: Term, p: Term, x: Term) -> tuple[Term, Term]:
    signs = own("all", NAT, lam("j", NAT, lambda j: o.le(o.zero, app(x, j))), own("Program.nonnegative", p))
    rows = own("all", ROW, o.of("Rropt.holds", one, x), own("Program.rows", p))
    return signs, rows


class Claim:
    """The parts of the statement of an optimum: program, value v/d, and the denominator of the best point."""

    def __init__(self, o: Algebra, one: Term, p: Term, v: Term, d: Term) -> None:
        self.o, self.one, self.p = o, one, p
        self.bound = o.times(own("Program.scale", p), _value(o, v, one))
        self.earned = lambda x: o.times(d, _sum(o, own("Program.cost", p), x))

    def feasible(self, x: Term) -> Term:
        """Return that x is feasible."""
        return self.o.of("Rropt.feasible", self.one, self.p, x)

    def bounded(self, sign: int) -> Term:
        """Return that no feasible point is better; ``sign`` is 1 for a minimum, -1 for a maximum."""

        def at(x: Term) -> Term:
            sides = (self.bound, self.earned(x))
            return arrow(self.feasible(x), self.o.le(*sides[::sign]))

        return pi("x", arrow(NAT, self.o.carrier), at)

    def best(self) -> Term:
        """Return the property of a point that it is feasible and has the value."""
        return lam(
            "x",
            arrow(NAT, self.o.carrier),
            lambda x: core.both_of(self.feasible(x), self.o.eq(self.earned(x), self.bound)),
        )

    def exists(self) -> Term:
        """Return that there is such a point."""
        return app(const("Exists", 1), arrow(NAT, self.o.carrier), self.best())

    def attained(self, parts: Term) -> Term:
        """Return that there is a best point if ``one`` has a part u of that number."""

        def at(u: Term) -> Term:
            return arrow(self.o.le(self.o.zero, u), self.o.eq(self.o.times(parts, u), self.one), self.exists())

        return pi("u", self.o.carrier, at)


def every_group(body: Callable[[Algebra, Term], Term]) -> Term:
    """Return ``forall G O one, body``."""

    def inner(carrier: Term, group: Term) -> Term:
        o = Algebra(carrier, group)
        return pi("one", carrier, lambda one: body(o, one))

    return pi("G", TYPE, lambda g: pi("O", app(const(GROUP), g), lambda o: inner(g, o)))


def _claims(module: Module) -> None:
    names = [("P", PROGRAM), ("v", INTEGER), ("d", NAT), ("D", NAT)]
    for name, sign, words in (("Minimum", 1, "at least"), ("Maximum", -1, "at most")):

        def statement(p: Term, v: Term, d: Term, parts: Term, sign: int = sign) -> Term:
            def body(o: Algebra, one: Term) -> Term:
                claim = Claim(o, one, p, v, d)
                return core.both_of(claim.bounded(sign), claim.attained(parts))

            return every_group(body)

        module.define(
            f"Rropt.{name}",
            arrow(PROGRAM, INTEGER, NAT, NAT, PROP),
            _function(names, statement),
            comment=f"The {name.lower()} is v/d, over every ordered group, for example the real numbers.\n"
            f"First: d (cost x) is {words} scale v for every feasible x, that is, the objective is {words} v/d.\n"
            "Second: some feasible x has this objective, if 1 has a nonnegative D-th part u, as in every field.",
        )

    def infeasible(p: Term) -> Term:
        def body(o: Algebra, one: Term) -> Term:
            none = pi("x", arrow(NAT, o.carrier), lambda x: core.negation(o.of("Rropt.feasible", one, p, x)))
            return arrow(o.le(o.zero, one), core.negation(o.le(one, o.zero)), none)

        return every_group(body)

    module.define(
        "Rropt.Infeasible",
        arrow(PROGRAM, PROP),
        _function([("P", PROGRAM)], infeasible),
        comment="No point is feasible, over every ordered group with 0 < 1, for example the real numbers.",
    )


# ---------------------------------------------------------------- the checker


def _each(items: Term, of: Term, result: Term, empty: Term, step: Callable[[Term, Term, Term], Term]) -> Term:
    """Apply the recursor of lists to a step of head, tail and the result for the tail."""
    motive = lam("_", list_of(of), lambda _: result)
    return list_rec(1, of, motive, empty, _function([("t", of), ("rest", list_of(of)), ("s", result)], step), items)


def _both(a: Term, b: Term) -> Term:
    return own("both", a, b)


def _part(name: str, it: Term) -> Term:
    return own(f"Item.{name}", it)


def _row_form(p: Term, n: Term, terms: Term, relation: Term, bound: Term) -> Term:
    """Return what ``rowForm`` is of a row with these parts."""
    none = nat(0)
    lines = (
        own("line", none, p, p, none, bound, terms),
        own("line", n, none, none, n, bound, terms),
        own("line", n, p, p, n, bound, terms),
    )
    return rec("Relation", 1, RELATION, lambda _: FORM, *lines, relation)


def _row_test(parts: Term, point: Term, terms: Term, relation: Term, bound: Term) -> Term:
    """Return what ``rowTest`` is of a row with these parts."""
    above, below = _excesses(terms, bound)
    tests = (
        own("nonnegativeForm", parts, point, above),
        own("nonnegativeForm", parts, point, below),
        own("balancedForm", parts, point, above),
    )
    return rec("Relation", 1, RELATION, lambda _: BOOL, *tests, relation)


def _excesses(terms: Term, bound: Term) -> tuple[Term, Term]:
    none, once = nat(0), nat(1)
    return own("line", none, once, once, none, bound, terms), own("line", once, none, none, once, bound, terms)


def _zipped(of: Term, other: Term, make: Callable[[Term, Term], Term], rest: Term, left: Term, right: Term) -> Term:
    """Return the list of make(a, b), and then the list ``rest``."""
    functions = arrow(list_of(other), FORMS)

    def step(a: Term, _: Term, s: Term) -> Term:
        return lam(
            "others",
            list_of(other),
            lambda others: _each(others, other, FORMS, rest, lambda b, more, _: cons(FORM, make(a, b), app(s, more))),
        )

    return app(_each(left, of, functions, lam("_", list_of(other), lambda _: rest), step), right)


def _merge_step(h: Term, t: Term, k: Term, u: Term, both: Term, first: Term, second: Term) -> Term:
    """Return the merge of h :: t and k :: u from those of t and u, of t and k :: u, and of h :: t and u."""
    i, j = _part("index", h), _part("index", k)
    joined = item(i, core.add(_part("p", h), _part("p", k)), core.add(_part("n", h), _part("n", k)))
    return choose(
        FORM, beq(i, j), cons(ITEM, joined, both), choose(FORM, ble(i, j), cons(ITEM, h, first), cons(ITEM, k, second))
    )


def _merged(f: Term, g: Term) -> Term:
    def step(h: Term, t: Term, s: Term) -> Term:
        def inner(k: Term, u: Term, again: Term) -> Term:
            return _merge_step(h, t, k, u, app(s, u), app(s, cons(ITEM, k, u)), again)

        return lam("g", FORM, lambda g: _each(g, ITEM, FORM, cons(ITEM, h, t), inner))

    return app(_each(f, ITEM, arrow(FORM, FORM), lam("g", FORM, lambda g: g), step), g)


def _pairs(forms: Term, waits: Term, waiting: Term) -> Term:
    def step(g: Term, _: Term, s: Term) -> Term:
        def merged(b: Term, f: Term) -> Term:
            return choose(FORMS, b, cons(FORM, own("merge", f, g), app(s, FALSE, nil(ITEM))), app(s, TRUE, g))

        return _function([("b", BOOL), ("f", FORM)], merged)

    empty = _function([("b", BOOL), ("f", FORM)], lambda b, f: choose(FORMS, b, cons(FORM, f, nil(FORM)), nil(FORM)))
    return app(_each(forms, FORM, arrow(BOOL, FORM, FORMS), empty, step), waits, waiting)


def goal_of(sign: int, p: Term, v: Term, d: Term) -> Term:
    """Return the form scale v - d cost of a minimum, or its negative for a maximum."""
    return _goal(sign, v, own("Program.cost", p), own("Program.scale", p), d)


def goal_times(sign: int, p: Term, v: Term, d: Term, factor: Term) -> Term:
    """Return the form ``goal_of`` times a factor."""
    return _goal(sign, v, own("Program.cost", p), mul(own("Program.scale", p), factor), mul(d, factor))


def _goal(sign: int, v: Term, cost: Term, scale: Term, d: Term) -> Term:
    none = nat(0)
    if sign > 0:
        return own("line", scale, none, none, d, v, cost)
    return own("line", none, scale, d, none, v, cost)


def declare_checker(module: Module) -> None:
    """Declare the checker: forms, their sum, and the test of a point."""
    module.inductive(
        "Rropt.Item",
        [],
        [("mk", lambda t: [("index", NAT), ("p", NAT), ("n", NAT)])],
        structure=True,
        comment="An item (p - n) e(index) of a form.",
    )
    module.inductive(
        "Rropt.Multiplier",
        [],
        [("mk", lambda t: [("p", NAT), ("n", NAT)])],
        structure=True,
        comment="The multiplier p - n of a row.",
    )
    module.inductive(
        "Rropt.Point",
        [],
        [("leaf", lambda t: [("entry", INTEGER)]), ("node", lambda t: [("cut", NAT), ("low", t), ("high", t)])],
        comment="The numerators of a point: those of indices up to the cut are in `low`, the others in `high`.",
    )

    def define(name: str, names: str, result: Term, body: Callable[..., Term], comment: str) -> None:
        types = {
            "j": NAT,
            "p": NAT,
            "n": NAT,
            "bp": NAT,
            "bn": NAT,
            "rounds": NAT,
            "D": NAT,
            "terms": TERMS,
            "b": INTEGER,
            "a": INTEGER,
            "y": MULTIPLIER,
            "r": ROW,
            "rows": ROWS,
            "ys": MULTIPLIERS,
            "signs": NATS,
            "costs": NATS,
            "rest": FORMS,
            "forms": FORMS,
            "f": FORM,
            "g": FORM,
            "waits": BOOL,
            "x": POINT,
            "P": PROGRAM,
            "goal": FORM,
            "first": BOOL,
            "second": BOOL,
        }
        listed = [(each, types[each]) for each in names.split()]
        of = arrow(*(of for _, of in listed), result)
        module.define(f"Rropt.{name}", of, _function(listed, body), comment=comment)

    define("both", "first second", BOOL, lambda a, b: choose(BOOL, a, b, FALSE), "Both tests hold.")
    define(
        "item",
        "j p n a",
        ITEM,
        lambda j, p, n, a: rec(
            "Integer",
            1,
            INTEGER,
            lambda _: ITEM,
            lam("m", NAT, lambda m: item(j, mul(m, p), mul(m, n))),
            lam("m", NAT, lambda m: item(j, mul(m, n), mul(m, p))),
            a,
        ),
        "The item (p - n) a e(j).",
    )
    define(
        "scaledTerms",
        "p n terms",
        FORM,
        lambda p, n, terms: _each(
            terms,
            TERM,
            FORM,
            nil(ITEM),
            lambda t, _, s: cons(ITEM, own("item", succ(own("Term.index", t)), p, n, own("Term.coefficient", t)), s),
        ),
        "The terms times p - n.",
    )
    define(
        "line",
        "bp bn p n b terms",
        FORM,
        lambda bp, bn, p, n, b, terms: cons(ITEM, own("item", nat(0), bp, bn, b), own("scaledTerms", p, n, terms)),
        "(bp - bn) b + (p - n) (sum of the terms).",
    )
    define(
        "rowForm",
        "y r",
        FORM,
        lambda y, r: _row_form(*_multiplier(y), *_parts_of(r)),
        "The multiplier times (sum of the terms - bound); the part of a multiplier with the wrong sign is left out.",
    )
    define(
        "rowForms",
        "rows ys",
        FORMS,
        lambda rows, ys: _zipped(ROW, MULTIPLIER, lambda r, y: own("rowForm", y, r), nil(FORM), rows, ys),
        "The rows times their multipliers.",
    )
    define(
        "signForms",
        "signs costs rest",
        FORMS,
        lambda signs, costs, rest: _zipped(NAT, NAT, _sign_form, rest, signs, costs),
        "The nonnegative variables times their reduced costs, before other forms.",
    )
    define("merge", "f g", FORM, _merged, "The sum of two forms; if both are sorted, it is sorted.")
    define(
        "pairs", "forms waits f", FORMS, _pairs, "Merge forms in pairs; `waits` says whether f waits for its partner."
    )
    define(
        "merged",
        "rounds forms",
        FORMS,
        lambda rounds, forms: nat_rec(
            1,
            lam("_", NAT, lambda _: FORMS),
            forms,
            _function([("_", NAT), ("s", FORMS)], lambda _, s: own("pairs", s, FALSE, nil(ITEM))),
            rounds,
        ),
        "Merge in pairs so many times.",
    )
    define(
        "folded",
        "forms",
        FORM,
        lambda forms: _each(forms, FORM, FORM, nil(ITEM), lambda f, _, s: own("merge", f, s)),
        "Merge one by one.",
    )
    define(
        "zeroForm",
        "f",
        BOOL,
        lambda f: _each(f, ITEM, BOOL, TRUE, lambda t, _, s: _both(beq(_part("p", t), _part("n", t)), s)),
        "All items are zero.",
    )
    define("forms", "P goal costs ys", FORMS, _all_forms, "The goal, the reduced costs and the rows.")
    define(
        "bounds",
        "P goal costs ys rounds",
        BOOL,
        lambda p, goal, costs, ys, rounds: own(
            "zeroForm", own("folded", own("merged", rounds, own("forms", p, goal, costs, ys)))
        ),
        "The goal plus nonnegative forms is zero, so the goal is not positive.",
    )
    define(
        "look",
        "x j",
        INTEGER,
        lambda x, j: rec(
            "Point",
            1,
            POINT,
            lambda _: INTEGER,
            lam("a", INTEGER, lambda a: a),
            _function(
                [("cut", NAT), ("low", POINT), ("high", POINT), ("s", INTEGER), ("t", INTEGER)],
                lambda cut, low, high, s, t: choose(INTEGER, ble(j, cut), s, t),
            ),
            x,
        ),
        "The numerator of the point at the index j.",
    )
    define(
        "numerator",
        "D x j",
        INTEGER,
        lambda parts, x, j: nat_rec(
            1,
            lam("_", NAT, lambda _: INTEGER),
            plus(parts),
            _function([("k", NAT), ("_", INTEGER)], lambda k, _: own("look", x, k)),
            j,
        ),
        "The numerator of e(j): that of 1 is the denominator D.",
    )
    define(
        "collapse",
        "D x f",
        ITEM,
        lambda parts, x, f: _each(
            f, ITEM, ITEM, item(nat(0), nat(0), nat(0)), lambda t, _, s: _collapsed(parts, x, t, s)
        ),
        "The value of a form at the point, times D: p - n of an item.",
    )
    for name, test, words in (
        ("nonnegativeForm", lambda p, n: ble(n, p), "nonnegative"),
        ("balancedForm", beq, "zero"),
    ):
        define(
            name,
            "D x f",
            BOOL,
            lambda parts, x, f, test=test: test(*(_part(each, own("collapse", parts, x, f)) for each in "pn")),
            f"The value of the form at the point is {words}.",
        )
    define(
        "rowTest", "D x r", BOOL, lambda parts, x, r: _row_test(parts, x, *_parts_of(r)), "The row holds at the point."
    )
    every = local("T", TYPE)
    test, items = local("f", arrow(every, BOOL)), local("items", list_of(every))
    module.define(
        "Rropt.test",
        closed("pi", [every, test, items], BOOL),
        closed("lam", [every, test, items], _each(items, every, BOOL, TRUE, lambda t, _, s: _both(app(test, t), s))),
        comment="Every item of the list passes the test.",
    )
    define(
        "attains",
        "P goal D x",
        BOOL,
        lambda p, goal, parts, x: _both(
            _both(
                own("test", NAT, _sign_test(parts, x), own("Program.nonnegative", p)),
                own("test", ROW, own("rowTest", parts, x), own("Program.rows", p)),
            ),
            own("balancedForm", parts, x, goal),
        ),
        "The point is feasible and the goal is zero there.",
    )


def _sign_form(j: Term, c: Term) -> Term:
    return cons(ITEM, item(succ(j), c, nat(0)), nil(ITEM))


def _sign_test(parts: Term, x: Term) -> Term:
    return lam("j", NAT, lambda j: own("nonnegativeForm", parts, x, _sign_form(j, nat(1))))


def _multiplier(y: Term) -> tuple[Term, Term]:
    return own("Multiplier.p", y), own("Multiplier.n", y)


def _parts_of(r: Term) -> tuple[Term, Term, Term]:
    return own("Row.terms", r), own("Row.relation", r), own("Row.bound", r)


def _all_forms(p: Term, goal: Term, costs: Term, ys: Term) -> Term:
    rows = own("rowForms", own("Program.rows", p), ys)
    return cons(FORM, goal, own("signForms", own("Program.nonnegative", p), costs, rows))


def _here(parts: Term, x: Term, t: Term) -> Term:
    """Return the item t at the point: an item of index 0."""
    return own("item", nat(0), _part("p", t), _part("n", t), own("numerator", parts, x, _part("index", t)))


def _collapsed(parts: Term, x: Term, t: Term, s: Term) -> Term:
    here = _here(parts, x, t)
    return item(nat(0), core.add(_part("p", here), _part("p", s)), core.add(_part("n", here), _part("n", s)))
