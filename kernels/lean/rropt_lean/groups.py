"""Ordered abelian groups: the structure of the statement, and proofs of equalities and inequalities in them.

``Algebra`` writes terms of one group and proves equalities: ``same(a, b)`` proves a = b if both have the same atoms
with the same signs. It sorts the atoms and cancels opposite ones, with one lemma for each step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from . import core
from .core import NAT, eq, nat_rec, succ
from .terms import PROP, TYPE, IllFormedError, Module, Term, app, arrow, bind, const, lam, local, spine

GROUP = "Rropt.OrderedGroup"


class Equal(NamedTuple):
    """An equality in the group with its proof."""

    left: Term
    right: Term
    proof: Term


class Algebra:
    """Terms and proofs in the group ``O : OrderedGroup G``."""

    def __init__(self, carrier: Term, group: Term) -> None:
        self.carrier, self.group = carrier, group
        self.zero = self.of(f"{GROUP}.zero")

    def of(self, name: str, *arguments: Term) -> Term:
        """Apply a constant to the group and to arguments."""
        return app(const(name), self.carrier, self.group, *arguments)

    def add(self, a: Term, b: Term) -> Term:
        """Return a + b."""
        return self.of(f"{GROUP}.add", a, b)

    def neg(self, a: Term) -> Term:
        """Return -a."""
        return self.of(f"{GROUP}.neg", a)

    def le(self, a: Term, b: Term) -> Term:
        """Return ``a <= b``."""
        return self.of(f"{GROUP}.le", a, b)

    def eq(self, a: Term, b: Term) -> Term:
        """Return ``a = b``."""
        return eq(self.carrier, a, b)

    def times(self, n: Term, g: Term) -> Term:
        """Return n g, the sum of n copies of g."""
        return self.of("Rropt.times", n, g)

    def difference(self, p: Term, n: Term, g: Term) -> Term:
        """Return p g - n g."""
        return self.add(self.times(p, g), self.neg(self.times(n, g)))

    # equalities

    def refl(self, a: Term) -> Equal:
        """Prove a = a."""
        return Equal(a, a, core.refl(self.carrier, a))

    def by(self, left: Term, right: Term, proof: Term) -> Equal:
        """Take a proof."""
        return Equal(left, right, proof)

    def symm(self, e: Equal) -> Equal:
        """Turn an equality around."""
        return Equal(e.right, e.left, app(const("Eq.symm", 1), self.carrier, e.left, e.right, e.proof))

    def chain(self, first: Equal, *more: Equal) -> Equal:
        """Put equalities together; the sides in the middle are the same up to definitions."""
        for each in more:
            proof = app(
                const("Eq.trans", 1), self.carrier, first.left, first.right, each.right, first.proof, each.proof
            )
            first = Equal(first.left, each.right, proof)
        return first

    def under(self, function: Callable[[Term], Term], e: Equal) -> Equal:
        """Prove f(a) = f(b) from a = b."""
        f = lam("z", self.carrier, function)
        proof = app(const("congrArg", 1, 1), self.carrier, self.carrier, e.left, e.right, f, e.proof)
        return Equal(function(e.left), function(e.right), proof)

    def sum(self, e: Equal, f: Equal) -> Equal:
        """Prove a + c = b + d from a = b and c = d."""
        return self.chain(self.under(lambda z: self.add(z, f.left), e), self.under(lambda z: self.add(e.right, z), f))

    def lemma(self, name: str, left: Term, right: Term, *arguments: Term) -> Equal:
        """Take the theorem of that name."""
        return Equal(left, right, self.of(f"Rropt.{name}", *arguments))

    # normal forms: a sum l1 + (l2 + (... + 0)) of atoms and negated atoms in the order of their keys

    def _parts(self, term: Term) -> tuple[str, list[Term]]:
        head, arguments = spine(term)
        if head.kind == "const" and head.parts[0].startswith(GROUP) and arguments[:2] == [self.carrier, self.group]:
            return head.parts[0][len(GROUP) + 1 :], arguments[2:]
        return "", []

    def _key(self, literal: Term) -> tuple[int, bool]:
        name, arguments = self._parts(literal)
        return (id(arguments[0]), True) if name == "neg" else (id(literal), False)

    def _insert(self, literal: Term, total: Term) -> Equal:
        """Prove that literal + total, for a sorted total, is a sorted sum."""
        start = self.add(literal, total)
        if total is self.zero:
            return self.refl(start)
        _, [first, rest] = self._parts(total)
        mine, its = self._key(literal), self._key(first)
        if mine[0] == its[0] and mine[1] != its[1]:
            back = self.symm(
                self.lemma("add_assoc", self.add(self.add(literal, first), rest), start, literal, first, rest)
            )
            if mine[1]:
                gone = self.lemma("neg_add_self", self.add(literal, first), self.zero, first)
            else:
                gone = self.lemma("add_neg_self", self.add(literal, first), self.zero, literal)
            return self.chain(
                back,
                self.under(lambda z: self.add(z, rest), gone),
                self.lemma("zero_add", self.add(self.zero, rest), rest, rest),
            )
        if mine <= its:
            return self.refl(start)
        swapped = self.lemma("left_comm", start, self.add(first, self.add(literal, rest)), literal, first, rest)
        return self.chain(swapped, self.under(lambda z: self.add(first, z), self._insert(literal, rest)))

    def _join(self, left: Term, right: Term) -> Equal:
        """Prove that the sum of two sorted sums is a sorted sum."""
        start = self.add(left, right)
        if left is self.zero:
            return self.lemma("zero_add", start, right, right)
        _, [first, rest] = self._parts(left)
        joined = self._join(rest, right)
        return self.chain(
            self.lemma("add_assoc", start, self.add(first, joined.left), first, rest, right),
            self.under(lambda z: self.add(first, z), joined),
            self._insert(first, joined.right),
        )

    def _negated(self, total: Term) -> Equal:
        """Prove that the negative of a sorted sum is a sorted sum."""
        start = self.neg(total)
        if total is self.zero:
            return self.lemma("neg_zero", start, self.zero)
        _, [first, rest] = self._parts(total)
        name, arguments = self._parts(first)
        if name == "neg":
            flipped = self.lemma("neg_neg", self.neg(first), arguments[0], arguments[0])
        else:
            flipped = self.refl(self.neg(first))
        tail = self._negated(rest)
        both = self.sum(flipped, tail)
        return self.chain(
            self.lemma("neg_add", start, both.left, first, rest), both, self._insert(flipped.right, tail.right)
        )

    def normal(self, term: Term) -> Equal:
        """Prove that a term is a sorted sum."""
        name, arguments = self._parts(term)
        if name == "zero":
            return self.refl(term)
        if name == "add":
            left, right = self.normal(arguments[0]), self.normal(arguments[1])
            return self.chain(self.sum(left, right), self._join(left.right, right.right))
        if name == "neg" and self._parts(arguments[0])[0] in ("zero", "add", "neg"):
            inside = self.normal(arguments[0])
            return self.chain(self.under(self.neg, inside), self._negated(inside.right))
        return self.symm(self.lemma("add_zero", self.add(term, self.zero), term, term))

    def same(self, a: Term, b: Term) -> Equal:
        """Prove a = b in every abelian group."""
        left, right = self.normal(a), self.normal(b)
        if left.right is not right.right:
            raise IllFormedError("the two sides differ in an abelian group")
        return self.chain(left, self.symm(right))

    # inequalities

    def move(self, motive: Callable[[Term], Term], e: Equal, proof: Term) -> Term:
        """Prove motive(b) from a = b and motive(a)."""
        return core.subst(self.carrier, lam("z", self.carrier, motive), e.left, e.right, e.proof, proof)

    def nonnegative(self, e: Equal, proof: Term) -> Term:
        """Prove 0 <= b from a = b and 0 <= a."""
        return self.move(lambda z: self.le(self.zero, z), e, proof)

    def take(self, name: str, *arguments: Term) -> Term:
        """Apply a theorem to the group and to arguments."""
        return self.of(f"Rropt.{name}", *arguments)


def closed(kind: str, binders: list[Term], body: Term) -> Term:
    """Bind local variables, the first one outermost."""
    for each in reversed(binders):
        body = bind(kind, each, body)
    return body


def in_group(
    module: Module,
    kind: str,
    name: str,
    binders: Callable[[Algebra], list[Term]],
    body: Callable[..., tuple[Term, Term]],
    comment: str = "",
) -> None:
    """Declare a definition or theorem about every ordered group.

    Args:
        module: where to declare it.
        kind: ``def`` or ``thm``.
        name: its short name.
        binders: its local variables.
        body: a function of the algebra and these variables that returns the type and the value.
        comment: text for the reader.
    """
    carrier = local("G", TYPE)
    group = local("O", app(const(GROUP), carrier))
    algebra = Algebra(carrier, group)
    variables = binders(algebra)
    of, value = body(algebra, *variables)
    every = [carrier, group, *variables]
    declare = module.define if kind == "def" else module.prove
    declare(f"Rropt.{name}", closed("pi", every, of), closed("lam", every, value), comment=comment)


def elements(*names: str) -> Callable[[Algebra], list[Term]]:
    """Return a function that makes local variables in the group."""
    return lambda o: [local(name, o.carrier) for name in names]


def declare_groups(module: Module) -> None:
    """Declare the structure and multiples."""

    def fields(carrier: Term, whole: Term) -> list[tuple[str, object]]:
        def law(*names: str) -> Callable[..., Callable[..., Term]]:
            def of(statement: Callable[..., Term]) -> Callable[..., Term]:
                def typed(zero: Term, add: Term, neg: Term, le: Term, *laws: Term) -> Term:
                    variables = [local(name, carrier) for name in names]
                    ops = (zero, lambda a, b: app(add, a, b), lambda a: app(neg, a), lambda a, b: app(le, a, b))
                    return closed("pi", variables, statement(*ops, *variables))

                return typed

            return of

        def same(a: Term, b: Term) -> Term:
            return eq(carrier, a, b)

        return [
            ("zero", carrier),
            ("add", arrow(carrier, carrier, carrier)),
            ("neg", arrow(carrier, carrier)),
            ("le", arrow(carrier, carrier, PROP)),
            ("assoc", law("a", "b", "c")(lambda z, p, n, le, a, b, c: same(p(p(a, b), c), p(a, p(b, c))))),
            ("comm", law("a", "b")(lambda z, p, n, le, a, b: same(p(a, b), p(b, a)))),
            ("add_zero", law("a")(lambda z, p, n, le, a: same(p(a, z), a))),
            ("add_neg", law("a")(lambda z, p, n, le, a: same(p(a, n(a)), z))),
            ("le_refl", law("a")(lambda z, p, n, le, a: le(a, a))),
            ("le_trans", law("a", "b", "c")(lambda z, p, n, le, a, b, c: arrow(le(a, b), le(b, c), le(a, c)))),
            ("le_total", law("a", "b")(lambda z, p, n, le, a, b: app(const("Or"), le(a, b), le(b, a)))),
            ("le_add", law("a", "b", "c")(lambda z, p, n, le, a, b, c: arrow(le(a, b), le(p(a, c), p(b, c))))),
        ]

    module.inductive(
        GROUP,
        [("G", TYPE)],
        [("mk", fields)],
        structure=True,
        comment="An abelian group with a linear order that sums keep. Every ordered field is one, so are the rational\n"
        "and the real numbers. Antisymmetry is not needed, so it is not required.",
    )
    in_group(
        module,
        "def",
        "times",
        lambda o: [local("n", NAT), local("g", o.carrier)],
        lambda o, n, g: (
            o.carrier,
            nat_rec(
                1,
                lam("_", NAT, lambda _: o.carrier),
                o.zero,
                lam("_", NAT, lambda _: lam("s", o.carrier, lambda s: o.add(s, g))),
                n,
            ),
        ),
        "n times g: the sum of n copies of g.",
    )


def declare_laws(module: Module) -> None:
    """Prove the lemmas that ``Algebra`` uses."""

    def theorem(name: str, names: str, sides: Callable[..., tuple[Term, Term]], proof: Callable[..., Equal]) -> None:
        def body(o: Algebra, *variables: Term) -> tuple[Term, Term]:
            left, right = sides(o, *variables)
            return o.eq(left, right), proof(o, *variables).proof

        in_group(module, "thm", name, elements(*names), body)

    def law(o: Algebra, name: str, left: Term, right: Term, *arguments: Term) -> Equal:
        return Equal(left, right, o.of(f"{GROUP}.{name}", *arguments))

    def given(name: str, of: str, names: str, sides: Callable[..., tuple[Term, Term]]) -> None:
        theorem(name, names, sides, lambda o, *v: law(o, of, *sides(o, *v), *v))

    given("add_assoc", "assoc", "abc", lambda o, a, b, c: (o.add(o.add(a, b), c), o.add(a, o.add(b, c))))
    given("add_comm", "comm", "ab", lambda o, a, b: (o.add(a, b), o.add(b, a)))
    given("add_zero", "add_zero", "a", lambda o, a: (o.add(a, o.zero), a))
    given("add_neg_self", "add_neg", "a", lambda o, a: (o.add(a, o.neg(a)), o.zero))

    def comm(o: Algebra, a: Term, b: Term) -> Equal:
        return o.lemma("add_comm", o.add(a, b), o.add(b, a), a, b)

    def assoc(o: Algebra, a: Term, b: Term, c: Term) -> Equal:
        return o.lemma("add_assoc", o.add(o.add(a, b), c), o.add(a, o.add(b, c)), a, b, c)

    theorem(
        "zero_add",
        "a",
        lambda o, a: (o.add(o.zero, a), a),
        lambda o, a: o.chain(comm(o, o.zero, a), o.lemma("add_zero", o.add(a, o.zero), a, a)),
    )
    theorem(
        "neg_add_self",
        "a",
        lambda o, a: (o.add(o.neg(a), a), o.zero),
        lambda o, a: o.chain(comm(o, o.neg(a), a), o.lemma("add_neg_self", o.add(a, o.neg(a)), o.zero, a)),
    )
    theorem(
        "left_comm",
        "abc",
        lambda o, a, b, c: (o.add(a, o.add(b, c)), o.add(b, o.add(a, c))),
        lambda o, a, b, c: o.chain(
            o.symm(assoc(o, a, b, c)), o.under(lambda z: o.add(z, c), comm(o, a, b)), assoc(o, b, a, c)
        ),
    )

    def unique(o: Algebra, a: Term, b: Term, none: Term) -> tuple[Term, Term]:
        first = o.symm(o.lemma("add_zero", o.add(o.neg(a), o.zero), o.neg(a), o.neg(a)))
        e = Equal(o.add(a, b), o.zero, none)
        return o.eq(o.neg(a), b), o.chain(
            first,
            o.under(lambda z: o.add(o.neg(a), z), o.symm(e)),
            o.symm(assoc(o, o.neg(a), a, b)),
            o.under(lambda z: o.add(z, b), o.lemma("neg_add_self", o.add(o.neg(a), a), o.zero, a)),
            o.lemma("zero_add", o.add(o.zero, b), b, b),
        ).proof

    def opposite(o: Algebra) -> list[Term]:
        a, b = local("a", o.carrier), local("b", o.carrier)
        return [a, b, local("none", o.eq(o.add(a, b), o.zero))]

    in_group(module, "thm", "neg_unique", opposite, unique)

    def negative(o: Algebra, a: Term, b: Term, none: Equal) -> Equal:
        return o.lemma("neg_unique", o.neg(a), b, a, b, none.proof)

    theorem(
        "neg_zero",
        "",
        lambda o: (o.neg(o.zero), o.zero),
        lambda o: negative(o, o.zero, o.zero, o.lemma("add_zero", o.add(o.zero, o.zero), o.zero, o.zero)),
    )
    theorem(
        "neg_neg",
        "a",
        lambda o, a: (o.neg(o.neg(a)), a),
        lambda o, a: negative(o, o.neg(a), a, o.lemma("neg_add_self", o.add(o.neg(a), a), o.zero, a)),
    )

    def neg_add(o: Algebra, a: Term, b: Term) -> Equal:
        other = o.add(o.neg(a), o.neg(b))
        return negative(o, o.add(a, b), other, o.same(o.add(o.add(a, b), other), o.zero))

    theorem("neg_add", "ab", lambda o, a, b: (o.neg(o.add(a, b)), o.add(o.neg(a), o.neg(b))), neg_add)
    _multiples(module)
    _order(module)


def by_nat(motive: Callable[[Term], Term], zero: Term, step: Callable[[Term, Term], Term], n: Term) -> Term:
    """Prove motive(n) by induction."""

    def succeed(k: Term) -> Term:
        return lam("ih", motive(k), lambda ih: step(k, ih))

    return nat_rec(0, lam("n", NAT, motive), zero, lam("k", NAT, succeed), n)


def _multiples(module: Module) -> None:
    def theorem(
        name: str,
        binders: Callable[[Algebra], list[Term]],
        sides: Callable[..., tuple[Term, Term]],
        zero: Callable[..., Equal],
        step: Callable[..., Equal],
    ) -> None:
        """Prove an equality by induction on the last variable."""

        def body(o: Algebra, *variables: Term) -> tuple[Term, Term]:
            *before, last = variables

            def motive(n: Term) -> Term:
                return o.eq(*sides(o, *before, n))

            def next_one(k: Term, ih: Term) -> Term:
                return step(o, *before, k, Equal(*sides(o, *before, k), ih)).proof

            return motive(last), by_nat(motive, zero(o, *before).proof, next_one, last)

        in_group(module, "thm", name, binders, body)

    def some(naturals: str, members: str, last: str) -> Callable[[Algebra], list[Term]]:
        return lambda o: [
            *(local(each, NAT) for each in naturals),
            *(local(each, o.carrier) for each in members),
            local(last, NAT),
        ]

    theorem(
        "times_add",
        some("m", "g", "n"),
        lambda o, m, g, n: (o.times(core.add(m, n), g), o.add(o.times(m, g), o.times(n, g))),
        lambda o, m, g: o.same(o.times(m, g), o.add(o.times(m, g), o.zero)),
        lambda o, m, g, k, ih: o.chain(
            o.under(lambda z: o.add(z, g), ih),
            o.same(o.add(o.add(o.times(m, g), o.times(k, g)), g), o.add(o.times(m, g), o.add(o.times(k, g), g))),
        ),
    )
    theorem(
        "times_zero",
        some("", "", "n"),
        lambda o, n: (o.times(n, o.zero), o.zero),
        lambda o: o.refl(o.zero),
        lambda o, k, ih: o.chain(o.under(lambda z: o.add(z, o.zero), ih), o.same(o.add(o.zero, o.zero), o.zero)),
    )
    theorem(
        "times_sum",
        some("", "gh", "n"),
        lambda o, g, h, n: (o.times(n, o.add(g, h)), o.add(o.times(n, g), o.times(n, h))),
        lambda o, g, h: o.same(o.zero, o.add(o.zero, o.zero)),
        lambda o, g, h, k, ih: o.chain(
            o.under(lambda z: o.add(z, o.add(g, h)), ih),
            o.same(
                o.add(o.add(o.times(k, g), o.times(k, h)), o.add(g, h)),
                o.add(o.add(o.times(k, g), g), o.add(o.times(k, h), h)),
            ),
        ),
    )
    theorem(
        "times_neg",
        some("", "g", "n"),
        lambda o, g, n: (o.times(n, o.neg(g)), o.neg(o.times(n, g))),
        lambda o, g: o.same(o.zero, o.neg(o.zero)),
        lambda o, g, k, ih: o.chain(
            o.under(lambda z: o.add(z, o.neg(g)), ih),
            o.same(o.add(o.neg(o.times(k, g)), o.neg(g)), o.neg(o.add(o.times(k, g), g))),
        ),
    )
    theorem(
        "times_mul",
        some("m", "g", "n"),
        lambda o, m, g, n: (o.times(core.mul(m, n), g), o.times(n, o.times(m, g))),
        lambda o, m, g: o.refl(o.zero),
        lambda o, m, g, k, ih: o.chain(
            o.lemma(
                "times_add",
                o.times(core.add(core.mul(m, k), m), g),
                o.add(o.times(core.mul(m, k), g), o.times(m, g)),
                core.mul(m, k),
                g,
                m,
            ),
            o.under(lambda z: o.add(z, o.times(m, g)), ih),
        ),
    )


def _order(module: Module) -> None:
    def axiom(o: Algebra, name: str, *arguments: Term) -> Term:
        return o.of(f"{GROUP}.{name}", *arguments)

    def pair(o: Algebra) -> list[Term]:
        return [local("a", o.carrier), local("b", o.carrier)]

    def less(o: Algebra) -> list[Term]:
        a, b = pair(o)
        return [a, b, local("h", o.le(a, b))]

    def minus(o: Algebra, a: Term, b: Term) -> Term:
        return o.add(b, o.neg(a))

    def to_difference(o: Algebra, a: Term, b: Term, h: Term) -> tuple[Term, Term]:
        moved = axiom(o, "le_add", a, b, o.neg(a), h)
        e = o.same(o.add(a, o.neg(a)), o.zero)
        return o.le(o.zero, minus(o, a, b)), o.move(lambda z: o.le(z, minus(o, a, b)), e, moved)

    in_group(module, "thm", "sub_nonneg", less, to_difference)

    def ahead(o: Algebra) -> list[Term]:
        a, b = pair(o)
        return [a, b, local("h", o.le(o.zero, minus(o, a, b)))]

    def from_difference(o: Algebra, a: Term, b: Term, h: Term) -> tuple[Term, Term]:
        moved = axiom(o, "le_add", o.zero, minus(o, a, b), a, h)
        low, high = o.same(o.add(o.zero, a), a), o.same(o.add(minus(o, a, b), a), b)
        half = o.move(lambda z: o.le(z, o.add(minus(o, a, b), a)), low, moved)
        return o.le(a, b), o.move(lambda z: o.le(a, z), high, half)

    in_group(module, "thm", "le_of_sub", ahead, from_difference)

    def two(o: Algebra) -> list[Term]:
        a, b = pair(o)
        return [a, b, local("ha", o.le(o.zero, a)), local("hb", o.le(o.zero, b))]

    def sum_of(o: Algebra, a: Term, b: Term, ha: Term, hb: Term) -> tuple[Term, Term]:
        moved = axiom(o, "le_add", o.zero, a, b, ha)
        low = o.move(lambda z: o.le(z, o.add(a, b)), o.same(o.add(o.zero, b), b), moved)
        return o.le(o.zero, o.add(a, b)), axiom(o, "le_trans", o.zero, b, o.add(a, b), hb, low)

    in_group(module, "thm", "add_nonneg", two, sum_of)

    def scaled(o: Algebra) -> list[Term]:
        g = local("g", o.carrier)
        return [g, local("h", o.le(o.zero, g)), local("n", NAT)]

    def multiple(o: Algebra, g: Term, h: Term, n: Term) -> tuple[Term, Term]:
        def motive(n: Term) -> Term:
            return o.le(o.zero, o.times(n, g))

        def step(k: Term, ih: Term) -> Term:
            return o.take("add_nonneg", o.times(k, g), g, ih, h)

        return motive(n), by_nat(motive, axiom(o, "le_refl", o.zero), step, n)

    in_group(module, "thm", "times_nonneg", scaled, multiple)

    def part(o: Algebra) -> list[Term]:
        g, k = local("g", o.carrier), local("k", NAT)
        return [g, k, local("h", o.le(o.zero, o.times(succ(k), g)))]

    def divided(o: Algebra, g: Term, k: Term, h: Term) -> tuple[Term, Term]:
        goal = o.le(o.zero, g)
        below = o.le(g, o.zero)

        def negative(low: Term) -> Term:
            minus_g = o.nonnegative(o.same(minus(o, g, o.zero), o.neg(g)), o.take("sub_nonneg", g, o.zero, low))
            many = o.times(k, o.neg(g))
            turned = o.lemma("times_neg", many, o.neg(o.times(k, g)), g, k)
            whole = o.add(o.times(k, g), g)
            total = o.take("add_nonneg", whole, many, h, o.take("times_nonneg", o.neg(g), minus_g, k))
            e = o.chain(o.under(lambda z: o.add(whole, z), turned), o.same(o.add(whole, o.neg(o.times(k, g))), g))
            return o.nonnegative(e, total)

        either = app(const("Or"), goal, below)
        proof = app(
            const("Or.rec"),
            goal,
            below,
            lam("_", either, lambda _: goal),
            lam("h", goal, lambda h: h),
            lam("h", below, negative),
            axiom(o, "le_total", o.zero, g),
        )
        return goal, proof

    in_group(module, "thm", "nonneg_of_times", part, divided)
