"""The integers are an ordered group: the structure of the statement is not empty.

An integer is read as the difference of its parts, and ``norm p n`` is p - n. Each law is an equality of sums of
naturals by the lemma ``norm_same``.
"""

from __future__ import annotations

from collections.abc import Callable

from . import core
from .core import BOOL, NAT, TRUE, ZERO, absurd, ble, eq, nat_rec, refl, succ
from .groups import GROUP, Algebra, Equal, by_nat, closed
from .terms import PROP, Module, Term, app, arrow, const, lam, local, pi, spine

INT = const("Int")


class Naturals(Algebra):
    """Sums of naturals, with the normal forms of groups: there are no negatives."""

    def __init__(self) -> None:
        self.carrier = NAT
        self.zero = ZERO

    def add(self, a: Term, b: Term) -> Term:
        """Return a + b."""
        return core.add(a, b)

    def lemma(self, name: str, left: Term, right: Term, *arguments: Term) -> Equal:
        """Take the lemma of naturals with that name."""
        return Equal(left, right, own(f"nat_{name}", *arguments))

    def _parts(self, term: Term) -> tuple[str, list[Term]]:
        head, arguments = spine(term)
        if head is const("Nat.add") and len(arguments) == 2:
            return "add", arguments
        return ("zero", []) if term is ZERO else ("", [])

    def using(self, left: Term, right: Term, rest: Term, *given: Equal) -> Equal:
        """Prove left = right: replace the left sides of some equalities by their right sides in left = sum + rest."""
        before, after = self.refl(rest), rest
        for each in given:
            before, after = self.sum(each, before), self.add(each.right, after)
        return self.chain(self.same(left, before.left), before, self.same(after, right))


N = Naturals()


def own(name: str, *arguments: Term) -> Term:
    """Apply a constant of this development."""
    return app(const(f"Rropt.{name}"), *arguments)


def _norm(p: Term, n: Term) -> Term:
    return own("norm", p, n)


def _positive(i: Term) -> Term:
    return own("positivePart", i)


def _negative(i: Term) -> Term:
    return own("negativePart", i)


def _theorem(module: Module, name: str, binders: list[Term], of: Term, proof: Term) -> None:
    module.prove(f"Rropt.{name}", closed("pi", binders, of), closed("lam", binders, proof))


def _variables(*names: str) -> list[Term]:
    return [local(name, NAT) for name in names]


def _next(e: Equal) -> Equal:
    """Prove a + 1 = b + 1 from a = b."""
    return N.under(succ, e)


def declare_integers(module: Module) -> None:
    """Declare the ordered group of the integers."""
    _naturals(module)
    _comparisons(module)
    _norms(module)
    _laws(module)


def _naturals(module: Module) -> None:
    a, b, c = _variables("a", "b", "c")

    def inductive(
        name: str,
        binders: list[Term],
        last: Term,
        sides: Callable[[Term], tuple[Term, Term]],
        zero: Equal,
        step: Callable[[Term, Equal], Equal],
    ) -> None:
        def motive(n: Term) -> Term:
            return eq(NAT, *sides(n))

        def following(k: Term, ih: Term) -> Term:
            return step(k, Equal(*sides(k), ih)).proof

        _theorem(module, f"nat_{name}", [*binders, last], motive(last), by_nat(motive, zero.proof, following, last))

    _theorem(module, "nat_add_zero", [a], eq(NAT, core.add(a, ZERO), a), refl(NAT, a))
    inductive("zero_add", [], a, lambda n: (core.add(ZERO, n), n), N.refl(ZERO), lambda k, ih: _next(ih))
    inductive(
        "add_assoc",
        [a, b],
        c,
        lambda n: (core.add(core.add(a, b), n), core.add(a, core.add(b, n))),
        N.refl(core.add(a, b)),
        lambda k, ih: _next(ih),
    )
    inductive(
        "succ_add",
        [a],
        b,
        lambda n: (core.add(succ(a), n), succ(core.add(a, n))),
        N.refl(succ(a)),
        lambda k, ih: _next(ih),
    )

    def swapped(k: Term, ih: Equal) -> Equal:
        later = N.lemma("succ_add", core.add(succ(k), a), succ(core.add(k, a)), k, a)
        return N.chain(_next(ih), N.symm(later))

    inductive(
        "add_comm",
        [a],
        b,
        lambda n: (core.add(a, n), core.add(n, a)),
        N.symm(N.lemma("zero_add", core.add(ZERO, a), a, a)),
        swapped,
    )

    def assoc(a: Term, b: Term, c: Term) -> Equal:
        return N.lemma("add_assoc", N.add(N.add(a, b), c), N.add(a, N.add(b, c)), a, b, c)

    comm = N.lemma("add_comm", N.add(a, b), N.add(b, a), a, b)
    e = N.chain(N.symm(assoc(a, b, c)), N.under(lambda z: N.add(z, c), comm), assoc(b, a, c))
    _theorem(module, "nat_left_comm", [a, b, c], eq(NAT, e.left, e.right), e.proof)


def _true(test: Term) -> Term:
    return eq(BOOL, test, TRUE)


def _never(h: Term, claim: Term) -> Term:
    return absurd(claim, own("false_ne_true", h))


def _comparisons(module: Module) -> None:
    a, b, c, k = _variables("a", "b", "c", "k")

    def no(claim: Term) -> Term:
        return lam("h", _true(core.FALSE), lambda h: _never(h, claim))

    _theorem(
        module,
        "ble_refl",
        [a],
        _true(ble(a, a)),
        by_nat(lambda n: _true(ble(n, n)), refl(BOOL, TRUE), lambda k, ih: ih, a),
    )

    def shifted(n: Term) -> Term:
        return eq(BOOL, ble(core.add(a, n), core.add(b, n)), ble(a, b))

    _theorem(module, "ble_shift", [a, b, k], shifted(k), by_nat(shifted, refl(BOOL, ble(a, b)), lambda k, ih: ih, k))

    def transitive(a: Term, b: Term, c: Term) -> Term:
        return arrow(_true(ble(a, b)), _true(ble(b, c)), _true(ble(a, c)))

    def from_zero(n: Term) -> Term:
        return by_nat(lambda n: _true(ble(ZERO, n)), refl(BOOL, TRUE), lambda k, _: refl(BOOL, TRUE), n)

    def all_of(a: Term) -> Term:
        return pi("b", NAT, lambda b: pi("c", NAT, lambda c: transitive(a, b, c)))

    first = lam(
        "b",
        NAT,
        lambda b: lam(
            "c",
            NAT,
            lambda c: lam("h", _true(ble(ZERO, b)), lambda _: lam("h", _true(ble(b, c)), lambda _: from_zero(c))),
        ),
    )

    def step(k: Term, ih: Term) -> Term:
        def later(j: Term) -> Term:
            """Prove it for a = k + 1 and b = j + 1."""

            def motive(c: Term) -> Term:
                return transitive(succ(k), succ(j), c)

            end = lam("h", _true(ble(k, j)), lambda _: no(_true(core.FALSE)))
            return lam("c", NAT, lambda c: by_nat(motive, end, lambda i, _: app(ih, j, i), c))

        def motive(b: Term) -> Term:
            return pi("c", NAT, lambda c: transitive(succ(k), b, c))

        zero = lam("c", NAT, lambda c: no(arrow(_true(ble(ZERO, c)), _true(ble(succ(k), c)))))
        return lam("b", NAT, lambda b: by_nat(motive, zero, lambda j, _: later(j), b))

    _theorem(module, "ble_trans", [a, b, c], transitive(a, b, c), app(by_nat(all_of, first, step, a), b, c))

    def either(a: Term, b: Term) -> Term:
        return app(const("Or"), _true(ble(a, b)), _true(ble(b, a)))

    def left(a: Term, b: Term, proof: Term) -> Term:
        return app(const("Or.inl"), _true(ble(a, b)), _true(ble(b, a)), proof)

    def right(a: Term, b: Term, proof: Term) -> Term:
        return app(const("Or.inr"), _true(ble(a, b)), _true(ble(b, a)), proof)

    def total_step(k: Term, ih: Term) -> Term:
        return lam(
            "b",
            NAT,
            lambda b: by_nat(
                lambda b: either(succ(k), b), right(succ(k), ZERO, refl(BOOL, TRUE)), lambda j, _: app(ih, j), b
            ),
        )

    start = lam("b", NAT, lambda b: left(ZERO, b, from_zero(b)))
    total = by_nat(lambda a: pi("b", NAT, lambda b: either(a, b)), start, total_step, a)
    _theorem(module, "ble_total", [a, b], either(a, b), app(total, b))
    _moved(module)


def _moved(module: Module) -> None:
    """Prove a' <= b' from a <= b, a + s = a' + t and b + s = b' + t."""
    a, b, c, d, s, t = _variables("a", "b", "c", "d", "s", "t")
    h = local("h", _true(ble(a, b)))
    first = local("first", eq(NAT, core.add(a, s), core.add(c, t)))
    second = local("second", eq(NAT, core.add(b, s), core.add(d, t)))
    larger = ble(core.add(a, s), core.add(b, s))

    def symm(x: Term, y: Term, proof: Term) -> Term:
        return app(const("Eq.symm", 1), BOOL, x, y, proof)

    same = lam("z", BOOL, _true)
    start = core.subst(BOOL, same, ble(a, b), larger, symm(larger, ble(a, b), own("ble_shift", a, b, s)), h)
    half = core.subst(
        NAT, lam("z", NAT, lambda z: _true(ble(z, core.add(b, s)))), core.add(a, s), core.add(c, t), first, start
    )
    full = core.subst(
        NAT, lam("z", NAT, lambda z: _true(ble(core.add(c, t), z))), core.add(b, s), core.add(d, t), second, half
    )
    proof = core.subst(BOOL, same, ble(core.add(c, t), core.add(d, t)), ble(c, d), own("ble_shift", c, d, t), full)
    _theorem(module, "ble_moved", [a, b, c, d, s, t, h, first, second], _true(ble(c, d)), proof)


def _norms(module: Module) -> None:
    def part(name: str, of_nat: Callable[[Term], Term], neg_succ: Callable[[Term], Term], comment: str) -> None:
        value = lam(
            "i",
            INT,
            lambda i: app(
                const("Int.rec", 1), lam("_", INT, lambda _: NAT), lam("n", NAT, of_nat), lam("n", NAT, neg_succ), i
            ),
        )
        module.define(f"Rropt.{name}", arrow(INT, NAT), value, comment=comment)

    part("positivePart", lambda n: n, lambda n: ZERO, "The positive part of an integer.")
    part("negativePart", lambda n: ZERO, succ, "The negative part of an integer.")
    to_int, functions = lam("_", NAT, lambda _: INT), lam("_", NAT, lambda _: arrow(NAT, INT))

    def of_nat(n: Term) -> Term:
        return app(const("Int.ofNat"), n)

    first = lam(
        "n",
        NAT,
        lambda n: nat_rec(
            1, to_int, of_nat(ZERO), lam("j", NAT, lambda j: lam("_", INT, lambda _: app(const("Int.negSucc"), j))), n
        ),
    )
    step = lam(
        "k",
        NAT,
        lambda k: lam(
            "f",
            arrow(NAT, INT),
            lambda f: lam(
                "n",
                NAT,
                lambda n: nat_rec(
                    1, to_int, of_nat(succ(k)), lam("j", NAT, lambda j: lam("_", INT, lambda _: app(f, j))), n
                ),
            ),
        ),
    )
    module.define(
        "Rropt.norm",
        arrow(NAT, NAT, INT),
        lam("p", NAT, lambda p: lam("n", NAT, lambda n: app(nat_rec(1, functions, first, step, p), n))),
        comment="The integer p - n.",
    )
    p, n, k = _variables("p", "n", "k")

    def shifted(k: Term) -> Term:
        return eq(INT, _norm(core.add(p, k), core.add(n, k)), _norm(p, n))

    _theorem(module, "norm_shift", [p, n, k], shifted(k), by_nat(shifted, refl(INT, _norm(p, n)), lambda k, ih: ih, k))

    def sides(p: Term, n: Term) -> tuple[Term, Term]:
        whole = _norm(p, n)
        return core.add(_positive(whole), n), core.add(p, _negative(whole))

    def parts(p: Term, n: Term) -> Term:
        return eq(NAT, *sides(p, n))

    def both_zero(n: Term) -> Term:
        zero, following = refl(NAT, ZERO), lambda j, _: refl(NAT, succ(core.add(ZERO, j)))
        return by_nat(lambda n: parts(ZERO, n), zero, following, n)

    def larger(k: Term, ih: Term) -> Term:
        def following(j: Term, _: Term) -> Term:
            whole = _negative(_norm(k, j))
            back = N.lemma("succ_add", core.add(succ(k), whole), succ(core.add(k, whole)), k, whole)
            return N.chain(_next(Equal(*sides(k, j), app(ih, j))), N.symm(back)).proof

        return lam("n", NAT, lambda n: by_nat(lambda n: parts(succ(k), n), refl(NAT, succ(k)), following, n))

    proof = by_nat(lambda p: pi("n", NAT, lambda n: parts(p, n)), lam("n", NAT, both_zero), larger, p)
    _theorem(module, "norm_parts", [p, n], parts(p, n), app(proof, n))
    i = local("i", INT)

    def whole(i: Term) -> Term:
        return eq(INT, _norm(_positive(i), _negative(i)), i)

    positive = lam(
        "n",
        NAT,
        lambda n: by_nat(
            lambda n: whole(of_nat(n)), refl(INT, of_nat(ZERO)), lambda k, _: refl(INT, of_nat(succ(k))), n
        ),
    )
    negative = lam("n", NAT, lambda n: refl(INT, app(const("Int.negSucc"), n)))
    _theorem(module, "norm_whole", [i], whole(i), app(const("Int.rec", 0), lam("i", INT, whole), positive, negative, i))
    _same(module)


def _same(module: Module) -> None:
    """Prove p - n = q - m from p + (m + c) = q + (n + c)."""
    p, n, q, m, c = _variables("p", "n", "q", "m", "c")
    first, second = core.add(m, c), core.add(n, c)
    h = local("h", eq(NAT, core.add(p, first), core.add(q, second)))
    start, end = _norm(core.add(p, first), core.add(n, first)), _norm(core.add(q, second), core.add(m, second))

    def at(z: Term) -> Term:
        return eq(INT, _norm(z, core.add(n, first)), end)

    commuted = N.same(core.add(m, second), core.add(n, first))
    behind = lam("z", NAT, lambda z: eq(INT, _norm(core.add(q, second), z), end))
    half = core.subst(NAT, behind, commuted.left, commuted.right, commuted.proof, refl(INT, end))
    back = N.symm(Equal(core.add(p, first), core.add(q, second), h))
    middle = core.subst(NAT, lam("z", NAT, at), back.left, back.right, back.proof, half)

    def trans(a: Term, b: Term, c: Term, left: Term, right: Term) -> Term:
        return app(const("Eq.trans", 1), INT, a, b, c, left, right)

    up = app(const("Eq.symm", 1), INT, start, _norm(p, n), own("norm_shift", p, n, first))
    proof = trans(
        _norm(p, n), end, _norm(q, m), trans(_norm(p, n), start, end, up, middle), own("norm_shift", q, m, second)
    )
    _theorem(module, "norm_same", [p, n, q, m, c, h], eq(INT, _norm(p, n), _norm(q, m)), proof)


def _parts(p: Term, n: Term) -> tuple[Term, Term, Equal]:
    """Return the parts P and N of p - n, and P + n = p + N."""
    whole = _norm(p, n)
    high, low = _positive(whole), _negative(whole)
    return high, low, Equal(core.add(high, n), core.add(p, low), own("norm_parts", p, n))


def _laws(module: Module) -> None:
    i, j, k = (local(name, INT) for name in "ijk")
    zero, add = app(const("Int.ofNat"), ZERO), core.add

    def total(i: Term, j: Term) -> tuple[Term, Term]:
        return add(_positive(i), _positive(j)), add(_negative(i), _negative(j))

    module.define(
        "Rropt.addInt",
        arrow(INT, INT, INT),
        closed("lam", [i, j], _norm(*total(i, j))),
        comment="The sum of two integers.",
    )
    module.define(
        "Rropt.negInt", arrow(INT, INT), closed("lam", [i], _norm(_negative(i), _positive(i))), comment="The negative."
    )

    def cross(i: Term, j: Term) -> tuple[Term, Term]:
        return add(_positive(i), _negative(j)), add(_positive(j), _negative(i))

    module.define(
        "Rropt.leInt",
        arrow(INT, INT, PROP),
        closed("lam", [i, j], _true(ble(*cross(i, j)))),
        comment="The order of integers.",
    )

    def same(p: Term, n: Term, q: Term, m: Term, c: Term, e: Equal) -> Term:
        return own("norm_same", p, n, q, m, c, e.proof)

    (pi_, ni), (pj, nj), (pk, nk) = ((_positive(x), _negative(x)) for x in (i, j, k))
    ij, jk = total(i, j), total(j, k)
    high, low, e = _parts(*ij)
    other, less, f = _parts(*jk)
    left, right = (add(high, pk), add(low, nk)), (add(pi_, other), add(ni, less))
    slack = add(pj, nj)
    f = N.symm(f)
    assoc = same(
        *left,
        *right,
        slack,
        N.using(add(left[0], add(right[1], slack)), add(right[0], add(left[1], slack)), ZERO, e, f),
    )
    comm = same(
        *ij, *total(j, i), ZERO, N.same(add(ij[0], add(add(nj, ni), ZERO)), add(add(pj, pi_), add(ij[1], ZERO)))
    )
    high, low, e = _parts(ni, pi_)
    none = (add(pi_, high), add(ni, low))
    add_neg = same(
        *none, ZERO, ZERO, ZERO, N.using(add(none[0], add(ZERO, ZERO)), add(ZERO, add(none[1], ZERO)), ZERO, e)
    )
    at_most = local("h", own("leInt", i, j))
    then = local("following", own("leInt", j, k))
    middle = [add(add(pi_, nj), nk), add(add(pj, ni), nk), add(add(pk, nj), ni)]

    def moved(a: Term, b: Term, c: Term, d: Term, s: Term, t: Term, h: Term) -> Term:
        return own(
            "ble_moved", a, b, c, d, s, t, h, N.same(add(a, s), add(c, t)).proof, N.same(add(b, s), add(d, t)).proof
        )

    first = moved(*cross(i, j), middle[0], middle[1], nk, ZERO, at_most)
    second = moved(*cross(j, k), middle[1], middle[2], ni, ZERO, then)
    both = own("ble_trans", *middle, first, second)
    trans = moved(middle[0], middle[2], *cross(i, k), ZERO, nj, both)
    (high, low, e), (other, less, f) = _parts(*total(i, k)), _parts(*total(j, k))
    s, t = add(add(pk, low), add(less, nk)), add(add(ni, nk), add(nj, nk))
    a, b = cross(i, j)
    c, d = add(high, less), add(other, low)
    up = N.symm(N.using(add(c, t), add(a, s), add(less, add(nj, nk)), e))
    down = N.symm(N.using(add(d, t), add(b, s), add(low, add(ni, nk)), f))
    le_add = own("ble_moved", a, b, c, d, s, t, at_most, up.proof, down.proof)
    fields = [
        zero,
        const("Rropt.addInt"),
        const("Rropt.negInt"),
        const("Rropt.leInt"),
        closed("lam", [i, j, k], assoc),
        closed("lam", [i, j], comm),
        closed("lam", [i], own("norm_whole", i)),
        closed("lam", [i], add_neg),
        closed("lam", [i], own("ble_refl", cross(i, i)[0])),
        closed("lam", [i, j, k, at_most, then], trans),
        closed("lam", [i, j], own("ble_total", *cross(i, j))),
        closed("lam", [i, j, k, at_most], le_add),
    ]
    module.define(
        "Rropt.integers",
        app(const(GROUP), INT),
        app(const(f"{GROUP}.mk"), INT, *fields),
        comment="The integers are an ordered group: the theorem is not empty.",
    )
