"""The proof that the checker is right: weak duality for the bound, and the values at the point for the attainment."""

from __future__ import annotations

from collections.abc import Callable

from . import core
from .core import BOOL, FALSE, NAT, TRUE, absurd, beq, ble, cons, eq, list_of, list_rec, nil, refl, subst, succ
from .duality import (
    FORM,
    FORMS,
    INTEGER,
    ITEM,
    MULTIPLIER,
    MULTIPLIERS,
    NATS,
    POINT,
    PROGRAM,
    RELATION,
    ROW,
    ROWS,
    TERM,
    TERMS,
    Claim,
    _excesses,
    _feasible,
    _here,
    _merge_step,
    _multiplier,
    _parts_of,
    _relations,
    _row_at,
    _row_form,
    _row_test,
    _sign_form,
    _sign_test,
    goal_of,
    goal_times,
    item,
    own,
    rec,
)
from .groups import GROUP, Algebra, Equal, by_nat, closed, in_group
from .terms import PROP, TYPE, Module, Term, app, arrow, const, lam, local, nat, pi, spine

NONE, ONCE = nat(0), nat(1)
VALUES = arrow(NAT, TYPE)


def declare_soundness(module: Module) -> None:
    """Prove that the tests of the checker mean what the statements say."""
    _tests(module)
    _forms(module)
    _merging(module)
    _bounds(module)
    _points(module)
    _closing(module)


def _true(test: Term) -> Term:
    return eq(BOOL, test, TRUE)


def _by_bool(motive: Callable[[Term], Term], false: Term, true: Term, b: Term) -> Term:
    return core.bool_rec(0, lam("b", BOOL, motive), false, true, b)


def _by_list(
    of: Term, motive: Callable[[Term], Term], empty: Term, step: Callable[[Term, Term, Term], Term], items: Term
) -> Term:
    def case(t: Term) -> Term:
        return lam("rest", list_of(of), lambda rest: lam("ih", motive(rest), lambda ih: step(t, rest, ih)))

    return list_rec(0, of, lam("items", list_of(of), motive), empty, lam("t", of, case), items)


def _by_two_lists(
    first: Term,
    second: Term,
    name: str,
    holds: Term,
    shown: Callable[[Term, Term], Term],
    nothing: Term,
    inner: Callable[[Term, Term, Term, Term, Term, Term], Term],
) -> Callable[[Term], Term]:
    """Return the proof of ``all holds items -> forall others, shown items others`` as a function of the items.

    Args:
        first, second: the types of the items and of the others.
        name: the name of the others.
        holds: the property of the items.
        shown: what is proved of both lists.
        nothing: the proof if one of the lists is empty.
        inner: the proof for an item and the rest, from the property of the item and the proof for the rests.
    """
    others = list_of(second)

    def claim(items: Term) -> Term:
        return arrow(own("all", first, holds, items), pi(name, others, lambda ys: shown(items, ys)))

    def step(item: Term, rest: Term, ih: Term) -> Term:
        head, tail = app(holds, item), own("all", first, holds, rest)

        def by(h: Term, ys: Term) -> Term:
            mine, left = core.left_of(head, tail, h), app(ih, core.right_of(head, tail, h))
            return _by_list(
                second,
                lambda ys: shown(cons(first, item, rest), ys),
                nothing,
                lambda y, more, _: inner(item, rest, mine, y, more, app(left, more)),
                ys,
            )

        return lam("h", core.both_of(head, tail), lambda h: lam(name, others, lambda ys: by(h, ys)))

    empty = lam("h", const("True"), lambda _: lam(name, others, lambda _: nothing))
    return lambda items: _by_list(first, claim, empty, step, items)


def _theorem(module: Module, name: str, binders: list[Term], of: Term, proof: Term) -> None:
    module.prove(f"Rropt.{name}", closed("pi", binders, of), closed("lam", binders, proof))


# ---------------------------------------------------------------- tests of numbers


def _tests(module: Module) -> None:
    h = local("h", _true(FALSE))
    motive = lam(
        "b", BOOL, lambda b: core.bool_rec(1, lam("_", BOOL, lambda _: PROP), const("True"), const("False"), b)
    )
    _theorem(module, "false_ne_true", [h], const("False"), subst(BOOL, motive, FALSE, TRUE, h, const("True.intro")))
    a, b = local("a", BOOL), local("b", BOOL)

    def left(x: Term) -> Term:
        return arrow(_true(own("both", x, b)), _true(x))

    proof = _by_bool(left, lam("h", _true(FALSE), lambda h: h), lam("h", _true(b), lambda _: refl(BOOL, TRUE)), a)
    _theorem(module, "both_left", [a, b], left(a), proof)

    def right(x: Term) -> Term:
        return arrow(_true(own("both", x, b)), _true(b))

    proof = _by_bool(right, lam("h", _true(FALSE), lambda h: _never(h, _true(b))), lam("h", _true(b), lambda h: h), a)
    _theorem(module, "both_right", [a, b], right(a), proof)
    _comparisons(module)
    every = local("T", TYPE)
    test, holds = local("f", arrow(every, BOOL)), local("p", arrow(every, PROP))
    given = local("given", pi("t", every, lambda t: arrow(_true(app(test, t)), app(holds, t))))
    items = local("items", list_of(every))

    def motive_all(items: Term) -> Term:
        return arrow(_true(own("test", every, test, items)), own("all", every, holds, items))

    def step(t: Term, rest: Term, ih: Term) -> Term:
        first, others = app(test, t), own("test", every, test, rest)
        return lam(
            "h",
            _true(own("both", first, others)),
            lambda h: core.both(
                app(holds, t),
                own("all", every, holds, rest),
                app(given, t, own("both_left", first, others, h)),
                app(ih, own("both_right", first, others, h)),
            ),
        )

    proof = _by_list(every, motive_all, lam("h", _true(TRUE), lambda _: const("True.intro")), step, items)
    _theorem(module, "all_of_test", [every, test, holds, given, items], motive_all(items), proof)


def _never(h: Term, claim: Term) -> Term:
    """Prove any claim from ``false = true``."""
    return absurd(claim, own("false_ne_true", h))


def _comparisons(module: Module) -> None:
    m, n = local("m", NAT), local("n", NAT)

    def claim(m: Term, n: Term) -> Term:
        return arrow(_true(beq(m, n)), eq(NAT, m, n))

    def motive(m: Term) -> Term:
        return pi("n", NAT, lambda n: claim(m, n))

    def no(m: Term, n: Term) -> Term:
        return lam("h", _true(FALSE), lambda h: _never(h, eq(NAT, m, n)))

    zero = core.ZERO
    first = lam(
        "n",
        NAT,
        lambda n: by_nat(
            lambda n: claim(zero, n),
            lam("h", _true(TRUE), lambda _: refl(NAT, zero)),
            lambda k, _: no(zero, succ(k)),
            n,
        ),
    )

    def step(k: Term, ih: Term) -> Term:
        def next_one(j: Term, _: Term) -> Term:
            return lam(
                "h",
                _true(beq(k, j)),
                lambda h: app(const("congrArg", 1, 1), NAT, NAT, k, j, const("Nat.succ"), app(ih, j, h)),
            )

        return lam("n", NAT, lambda n: by_nat(lambda n: claim(succ(k), n), no(succ(k), zero), next_one, n))

    _theorem(module, "eq_of_beq", [m, n], claim(m, n), app(by_nat(motive, first, step, m), n))

    def group_binders(o: Algebra) -> list[Term]:
        u = local("u", o.carrier)
        return [u, local("pos", o.le(o.zero, u)), local("n", NAT), local("p", NAT)]

    def at_least(o: Algebra, u: Term, pos: Term, n: Term, p: Term) -> tuple[Term, Term]:
        def one(n: Term, p: Term) -> Term:
            return arrow(_true(ble(n, p)), o.le(o.zero, o.difference(p, n, u)))

        def every(n: Term) -> Term:
            return pi("p", NAT, lambda p: one(n, p))

        def always(p: Term) -> Term:
            e = o.same(o.times(p, u), o.add(o.times(p, u), o.neg(o.zero)))
            return lam("h", _true(TRUE), lambda _: o.nonnegative(e, o.take("times_nonneg", u, pos, p)))

        def first_case(p: Term) -> Term:
            return by_nat(lambda p: one(zero, p), always(zero), lambda k, _: always(succ(k)), p)

        def step(k: Term, ih: Term) -> Term:
            def no(h: Term) -> Term:
                return _never(h, o.le(o.zero, o.difference(zero, succ(k), u)))

            def next_one(j: Term, _: Term) -> Term:
                more = o.add(o.add(o.times(j, u), u), o.neg(o.add(o.times(k, u), u)))
                e = o.same(o.difference(j, k, u), more)
                return lam("h", _true(ble(k, j)), lambda h: o.nonnegative(e, app(ih, j, h)))

            return lam("p", NAT, lambda p: by_nat(lambda p: one(succ(k), p), lam("h", _true(FALSE), no), next_one, p))

        return one(n, p), app(by_nat(every, lam("p", NAT, first_case), step, n), p)

    in_group(module, "thm", "nonneg_of_ble", group_binders, at_least)

    def same_binders(o: Algebra) -> list[Term]:
        return [local("g", o.carrier), local("p", NAT), local("n", NAT)]

    def balanced(o: Algebra, g: Term, p: Term, n: Term) -> tuple[Term, Term]:
        h = local("h", _true(beq(p, n)))
        goal = o.eq(o.difference(p, n, g), o.zero)
        motive = lam("z", NAT, lambda z: o.eq(o.difference(p, z, g), o.zero))
        start = o.same(o.difference(p, p, g), o.zero).proof
        proof = subst(NAT, motive, p, n, own("eq_of_beq", p, n, h), start)
        return arrow(_true(beq(p, n)), goal), closed("lam", [h], proof)

    in_group(module, "thm", "zero_of_beq", same_binders, balanced)


# ---------------------------------------------------------------- values of forms


def _value(o: Algebra, a: Term, g: Term) -> Term:
    return o.of("Rropt.value", a, g)


def _item_value(o: Algebra, e: Term, t: Term) -> Term:
    return o.of("Rropt.itemValue", e, t)


def _form_value(o: Algebra, e: Term, f: Term) -> Term:
    return o.of("Rropt.formValue", e, f)


def _forms_value(o: Algebra, e: Term, forms: Term) -> Term:
    return o.of("Rropt.formsValue", e, forms)


def _environment(o: Algebra) -> Term:
    return local("e", arrow(NAT, o.carrier))


def _at(o: Algebra, one: Term, x: Term) -> Term:
    return o.of("Rropt.environment", one, x)


def _forms(module: Module) -> None:
    in_group(
        module,
        "def",
        "itemValue",
        lambda o: [_environment(o), local("t", ITEM)],
        lambda o, e, t: (o.carrier, o.difference(own("Item.p", t), own("Item.n", t), app(e, own("Item.index", t)))),
    )
    for name, of, value in (("formValue", ITEM, _item_value), ("formsValue", FORM, _form_value)):
        in_group(
            module,
            "def",
            name,
            lambda o, of=of: [_environment(o), local("items", list_of(of))],
            lambda o, e, items, of=of, value=value: (
                o.carrier,
                list_rec(
                    1,
                    of,
                    lam("_", list_of(of), lambda _: o.carrier),
                    o.zero,
                    lam(
                        "t",
                        of,
                        lambda t: lam(
                            "_", list_of(of), lambda _: lam("s", o.carrier, lambda s: o.add(value(o, e, t), s))
                        ),
                    ),
                    items,
                ),
            ),
        )
    in_group(
        module,
        "def",
        "environment",
        lambda o: [local("one", o.carrier), local("x", arrow(NAT, o.carrier)), local("j", NAT)],
        lambda o, one, x, j: (
            o.carrier,
            core.nat_rec(
                1,
                lam("_", NAT, lambda _: o.carrier),
                one,
                lam("k", NAT, lambda k: lam("_", o.carrier, lambda _: app(x, k))),
                j,
            ),
        ),
    )
    _differences(module)
    in_group(
        module,
        "thm",
        "item_value",
        lambda o: [_environment(o), local("j", NAT), local("p", NAT), local("n", NAT), local("a", INTEGER)],
        _one_item,
    )
    in_group(
        module,
        "thm",
        "terms_value",
        lambda o: [
            local("one", o.carrier),
            local("x", arrow(NAT, o.carrier)),
            local("p", NAT),
            local("n", NAT),
            local("terms", TERMS),
        ],
        _scaled_terms,
    )
    in_group(
        module,
        "thm",
        "line_value",
        lambda o: [
            local("one", o.carrier),
            local("x", arrow(NAT, o.carrier)),
            *(local(each, NAT) for each in ("bp", "bn", "p", "n")),
            local("b", INTEGER),
            local("terms", TERMS),
        ],
        _line,
    )


def _differences(module: Module) -> None:
    """Prove that p g - n g is additive in (p, n) and in g."""

    def naturals(o: Algebra) -> list[Term]:
        return [*(local(each, NAT) for each in ("p", "n", "q", "m")), local("g", o.carrier)]

    def numbers(o: Algebra, p: Term, n: Term, q: Term, m: Term, g: Term) -> tuple[Term, Term]:
        left = o.difference(core.add(p, q), core.add(n, m), g)
        right = o.add(o.difference(p, n, g), o.difference(q, m, g))
        high, low = _split(o, p, q, g), _split(o, n, m, g)
        both = o.sum(high, o.under(o.neg, low))
        return o.eq(left, right), o.chain(both, o.same(both.right, right)).proof

    in_group(module, "thm", "difference_add", naturals, numbers)

    def members(o: Algebra) -> list[Term]:
        return [local("p", NAT), local("n", NAT), local("g", o.carrier), local("h", o.carrier)]

    def sums(o: Algebra, p: Term, n: Term, g: Term, h: Term) -> tuple[Term, Term]:
        left = o.difference(p, n, o.add(g, h))
        right = o.add(o.difference(p, n, g), o.difference(p, n, h))
        high, low = _distributed(o, p, g, h), _distributed(o, n, g, h)
        both = o.sum(high, o.under(o.neg, low))
        return o.eq(left, right), o.chain(both, o.same(both.right, right)).proof

    in_group(module, "thm", "difference_sum", members, sums)


def _split(o: Algebra, p: Term, q: Term, g: Term) -> Equal:
    return o.lemma("times_add", o.times(core.add(p, q), g), o.add(o.times(p, g), o.times(q, g)), p, g, q)


def _distributed(o: Algebra, n: Term, g: Term, h: Term) -> Equal:
    return o.lemma("times_sum", o.times(n, o.add(g, h)), o.add(o.times(n, g), o.times(n, h)), g, h, n)


def _product(o: Algebra, m: Term, n: Term, g: Term) -> Equal:
    return o.lemma("times_mul", o.times(core.mul(m, n), g), o.times(n, o.times(m, g)), m, g, n)


def _turned(o: Algebra, n: Term, g: Term) -> Equal:
    return o.lemma("times_neg", o.times(n, o.neg(g)), o.neg(o.times(n, g)), g, n)


def _difference_sum(o: Algebra, p: Term, n: Term, g: Term, h: Term) -> Equal:
    right = o.add(o.difference(p, n, g), o.difference(p, n, h))
    return o.lemma("difference_sum", o.difference(p, n, o.add(g, h)), right, p, n, g, h)


def _one_item(o: Algebra, e: Term, j: Term, p: Term, n: Term, a: Term) -> tuple[Term, Term]:
    def claim(a: Term) -> Term:
        return o.eq(_item_value(o, e, own("item", j, p, n, a)), o.difference(p, n, _value(o, a, app(e, j))))

    def positive(m: Term) -> Term:
        g = app(e, j)
        return o.sum(_product(o, m, p, g), o.under(o.neg, _product(o, m, n, g))).proof

    def negative(m: Term) -> Term:
        g = app(e, j)
        first = o.sum(_product(o, m, n, g), o.under(o.neg, _product(o, m, p, g)))
        h = o.times(m, g)
        last = o.sum(_turned(o, p, h), o.under(o.neg, _turned(o, n, h)))
        return o.chain(first, o.same(first.right, last.right), o.symm(last)).proof

    return claim(a), rec("Integer", 0, INTEGER, claim, lam("m", NAT, positive), lam("m", NAT, negative), a)


def _scaled_terms(o: Algebra, one: Term, x: Term, p: Term, n: Term, terms: Term) -> tuple[Term, Term]:
    e = _at(o, one, x)

    def total(terms: Term) -> Term:
        return o.of("Rropt.sum", terms, x)

    def sides(terms: Term) -> tuple[Term, Term]:
        return _form_value(o, e, own("scaledTerms", p, n, terms)), o.difference(p, n, total(terms))

    def none(n: Term) -> Equal:
        return o.lemma("times_zero", o.times(n, o.zero), o.zero, n)

    zero = o.chain(o.same(o.zero, o.add(o.zero, o.neg(o.zero))), o.symm(o.sum(none(p), o.under(o.neg, none(n)))))

    def step(t: Term, rest: Term, ih: Term) -> Term:
        j, a = own("Term.index", t), own("Term.coefficient", t)
        value = _value(o, a, app(x, j))
        new = own("item", succ(j), p, n, a)
        first = o.lemma("item_value", _item_value(o, e, new), o.difference(p, n, value), e, succ(j), p, n, a)
        return o.chain(
            o.sum(first, Equal(*sides(rest), ih)), o.symm(_difference_sum(o, p, n, value, total(rest)))
        ).proof

    return o.eq(*sides(terms)), _by_list(TERM, lambda terms: o.eq(*sides(terms)), zero.proof, step, terms)


def _line(
    o: Algebra, one: Term, x: Term, bp: Term, bn: Term, p: Term, n: Term, b: Term, terms: Term
) -> tuple[Term, Term]:
    e = _at(o, one, x)
    value, total = _value(o, b, one), o.of("Rropt.sum", terms, x)
    left = _form_value(o, e, own("line", bp, bn, p, n, b, terms))
    right = o.add(o.difference(bp, bn, value), o.difference(p, n, total))
    new = own("item", NONE, bp, bn, b)
    first = o.lemma("item_value", _item_value(o, e, new), o.difference(bp, bn, value), e, NONE, bp, bn, b)
    rest = o.lemma(
        "terms_value",
        _form_value(o, e, own("scaledTerms", p, n, terms)),
        o.difference(p, n, total),
        one,
        x,
        p,
        n,
        terms,
    )
    return o.eq(left, right), o.sum(first, rest).proof


def _line_value(o: Algebra, one: Term, x: Term, *parts: Term) -> Equal:
    bp, bn, p, n, b, terms = parts
    right = o.add(o.difference(bp, bn, _value(o, b, one)), o.difference(p, n, o.of("Rropt.sum", terms, x)))
    return o.lemma("line_value", _form_value(o, _at(o, one, x), own("line", *parts)), right, one, x, *parts)


# ---------------------------------------------------------------- the sum of forms


def _merging(module: Module) -> None:
    in_group(
        module, "thm", "merge_value", lambda o: [_environment(o), local("f", FORM), local("g", FORM)], _merge_value
    )
    in_group(
        module,
        "thm",
        "pairs_value",
        lambda o: [_environment(o), local("forms", FORMS), local("waits", BOOL), local("f", FORM)],
        _pairs_value,
    )
    in_group(
        module,
        "thm",
        "merged_value",
        lambda o: [_environment(o), local("forms", FORMS), local("rounds", NAT)],
        _merged_value,
    )
    in_group(module, "thm", "folded_value", lambda o: [_environment(o), local("forms", FORMS)], _folded_value)
    in_group(module, "thm", "zero_value", lambda o: [_environment(o), local("f", FORM)], _zero_value)


def _merge_lemma(o: Algebra, e: Term, f: Term, g: Term) -> Equal:
    right = o.add(_form_value(o, e, f), _form_value(o, e, g))
    return o.lemma("merge_value", _form_value(o, e, own("merge", f, g)), right, e, f, g)


def _merge_value(o: Algebra, e: Term, f: Term, g: Term) -> tuple[Term, Term]:
    def of(f: Term) -> Term:
        return _form_value(o, e, f)

    def claim(f: Term, g: Term) -> Term:
        return o.eq(of(own("merge", f, g)), o.add(of(f), of(g)))

    def every(f: Term) -> Term:
        return pi("g", FORM, lambda g: claim(f, g))

    def step(h: Term, t: Term, ih: Term) -> Term:
        left = cons(ITEM, h, t)

        def inner(k: Term, u: Term, again: Term) -> Term:
            right = cons(ITEM, k, u)
            target = o.add(o.add(_item_value(o, e, h), of(t)), o.add(_item_value(o, e, k), of(u)))
            both, first, second = own("merge", t, u), own("merge", t, right), own("merge", left, u)
            i, j = own("Item.index", h), own("Item.index", k)
            whole = _merge_step(h, t, k, u, both, first, second)
            _, cases = _choices(whole)
            joined = _joined(o, e, h, k, i, j, Equal(of(both), o.add(of(t), of(u)), app(ih, u)), target)

            def ordered(b: Term) -> Term:
                return o.eq(of(core.choose(FORM, b, *_choices(cases[1])[1])), target)

            low = o.under(
                lambda z: o.add(_item_value(o, e, h), z),
                Equal(of(first), o.add(of(t), _cons_value(o, e, k, u)), app(ih, right)),
            )
            high = o.under(
                lambda z: o.add(_item_value(o, e, k), z),
                Equal(of(second), o.add(_cons_value(o, e, h, t), of(u)), again),
            )
            apart = _by_bool(
                ordered,
                o.chain(high, o.same(high.right, target)).proof,
                o.chain(low, o.same(low.right, target)).proof,
                ble(i, j),
            )

            def matched(b: Term) -> Term:
                return arrow(eq(BOOL, beq(i, j), b), o.eq(of(core.choose(FORM, b, *cases)), target))

            proof = _by_bool(
                matched,
                lam("h", eq(BOOL, beq(i, j), FALSE), lambda _: apart),
                lam("h", eq(BOOL, beq(i, j), TRUE), joined),
                beq(i, j),
            )
            return app(proof, refl(BOOL, beq(i, j)))

        return lam(
            "g",
            FORM,
            lambda g: _by_list(
                ITEM, lambda g: claim(left, g), o.same(of(left), o.add(of(left), o.zero)).proof, inner, g
            ),
        )

    empty = lam("g", FORM, lambda g: o.same(of(g), o.add(o.zero, of(g))).proof)
    return claim(f, g), app(_by_list(ITEM, every, empty, step, f), g)


def _cons_value(o: Algebra, e: Term, h: Term, t: Term) -> Term:
    return o.add(_item_value(o, e, h), _form_value(o, e, t))


def _choices(term: Term) -> tuple[Term, list[Term]]:
    """Return the condition of ``choose`` and its two cases, yes first."""
    _, [_, no, yes, condition] = spine(term)
    return condition, [yes, no]


def _joined(
    o: Algebra, e: Term, h: Term, k: Term, i: Term, j: Term, rest: Equal, target: Term
) -> Callable[[Term], Term]:
    """Prove the value of a merge whose first items have one index."""
    p, n, q, m = own("Item.p", h), own("Item.n", h), own("Item.p", k), own("Item.n", k)

    def proof(given: Term) -> Term:
        g = app(e, i)
        here = o.add(o.difference(p, n, g), o.difference(q, m, g))
        split = o.lemma("difference_add", o.difference(core.add(p, q), core.add(n, m), g), here, p, n, q, m, g)
        start = o.chain(o.sum(split, rest))
        f = lam("z", NAT, lambda z: o.difference(q, m, app(e, z)))
        there = _item_value(o, e, k)
        moved = Equal(
            o.difference(q, m, g),
            there,
            app(const("congrArg", 1, 1), NAT, o.carrier, i, j, f, own("eq_of_beq", i, j, given)),
        )
        own_part = _item_value(o, e, h)
        swapped = o.under(lambda z: o.add(o.add(own_part, z), rest.right), moved)
        return o.chain(start, swapped, o.same(swapped.right, target)).proof

    return proof


def _pairs_value(o: Algebra, e: Term, forms: Term, waits: Term, f: Term) -> tuple[Term, Term]:
    def total(forms: Term) -> Term:
        return _forms_value(o, e, forms)

    def waiting(b: Term, f: Term) -> Term:
        return core.choose(o.carrier, b, _form_value(o, e, f), o.zero)

    def sides(forms: Term, b: Term, f: Term) -> tuple[Term, Term]:
        return total(own("pairs", forms, b, f)), o.add(waiting(b, f), total(forms))

    def claim(forms: Term) -> Term:
        return pi("b", BOOL, lambda b: pi("f", FORM, lambda f: o.eq(*sides(forms, b, f))))

    def cases(forms: Term, no: Callable[[Term], Term], yes: Callable[[Term], Term]) -> Term:
        def by(b: Term, f: Term) -> Term:
            return _by_bool(lambda b: o.eq(*sides(forms, b, f)), no(f), yes(f), b)

        return lam("b", BOOL, lambda b: lam("f", FORM, lambda f: by(b, f)))

    empty = cases(
        nil(FORM),
        lambda f: o.same(o.zero, o.add(o.zero, o.zero)).proof,
        lambda f: o.refl(o.add(_form_value(o, e, f), o.zero)).proof,
    )

    def step(g: Term, rest: Term, ih: Term) -> Term:
        own_value, others = _form_value(o, e, g), total(rest)

        def no(f: Term) -> Term:
            start = Equal(total(own("pairs", rest, TRUE, g)), o.add(own_value, others), app(ih, TRUE, g))
            return o.chain(start, o.same(start.right, o.add(o.zero, o.add(own_value, others)))).proof

        def yes(f: Term) -> Term:
            tail = Equal(total(own("pairs", rest, FALSE, nil(ITEM))), o.add(o.zero, others), app(ih, FALSE, nil(ITEM)))
            both = o.sum(_merge_lemma(o, e, f, g), tail)
            return o.chain(both, o.same(both.right, o.add(_form_value(o, e, f), o.add(own_value, others)))).proof

        return cases(cons(FORM, g, rest), no, yes)

    return o.eq(*sides(forms, waits, f)), app(_by_list(FORM, claim, empty, step, forms), waits, f)


def _merged_value(o: Algebra, e: Term, forms: Term, rounds: Term) -> tuple[Term, Term]:
    def sides(n: Term) -> tuple[Term, Term]:
        return _forms_value(o, e, own("merged", n, forms)), _forms_value(o, e, forms)

    def step(k: Term, ih: Term) -> Term:
        before = own("merged", k, forms)
        value = _forms_value(o, e, before)
        once = o.lemma(
            "pairs_value",
            _forms_value(o, e, own("pairs", before, FALSE, nil(ITEM))),
            o.add(o.zero, value),
            e,
            before,
            FALSE,
            nil(ITEM),
        )
        return o.chain(once, o.same(once.right, value), Equal(*sides(k), ih)).proof

    first = o.refl(_forms_value(o, e, forms)).proof
    return o.eq(*sides(rounds)), by_nat(lambda n: o.eq(*sides(n)), first, step, rounds)


def _folded_value(o: Algebra, e: Term, forms: Term) -> tuple[Term, Term]:
    def sides(forms: Term) -> tuple[Term, Term]:
        return _form_value(o, e, own("folded", forms)), _forms_value(o, e, forms)

    def step(f: Term, rest: Term, ih: Term) -> Term:
        first = _merge_lemma(o, e, f, own("folded", rest))
        return o.chain(first, o.under(lambda z: o.add(_form_value(o, e, f), z), Equal(*sides(rest), ih))).proof

    return o.eq(*sides(forms)), _by_list(FORM, lambda t: o.eq(*sides(t)), o.refl(o.zero).proof, step, forms)


def _zero_value(o: Algebra, e: Term, f: Term) -> tuple[Term, Term]:
    def claim(f: Term) -> Term:
        return arrow(_true(own("zeroForm", f)), o.eq(_form_value(o, e, f), o.zero))

    def step(t: Term, rest: Term, ih: Term) -> Term:
        p, n = own("Item.p", t), own("Item.n", t)
        first, others = beq(p, n), own("zeroForm", rest)

        def proof(h: Term) -> Term:
            g = app(e, own("Item.index", t))
            gone = o.lemma("zero_of_beq", _item_value(o, e, t), o.zero, g, p, n, own("both_left", first, others, h))
            tail = Equal(_form_value(o, e, rest), o.zero, app(ih, own("both_right", first, others, h)))
            return o.chain(o.sum(gone, tail), o.same(o.add(o.zero, o.zero), o.zero)).proof

        return lam("h", _true(own("both", first, others)), proof)

    return claim(f), _by_list(ITEM, claim, lam("h", _true(TRUE), lambda _: o.refl(o.zero).proof), step, f)


# ---------------------------------------------------------------- the bound


def _bounds(module: Module) -> None:
    in_group(
        module,
        "thm",
        "row_nonneg",
        lambda o: [local("one", o.carrier), local("x", arrow(NAT, o.carrier)), local("y", MULTIPLIER), local("r", ROW)],
        _row,
    )
    in_group(
        module,
        "thm",
        "rows_nonneg",
        lambda o: [
            local("one", o.carrier),
            local("x", arrow(NAT, o.carrier)),
            local("rows", ROWS),
            local("ys", MULTIPLIERS),
        ],
        _rows,
    )
    in_group(
        module,
        "thm",
        "signs_nonneg",
        lambda o: [
            local("one", o.carrier),
            local("x", arrow(NAT, o.carrier)),
            local("rest", FORMS),
            local("signs", NATS),
            local("costs", NATS),
        ],
        _signs,
    )
    in_group(
        module,
        "thm",
        "goal_bound",
        lambda o: [
            local("one", o.carrier),
            local("x", arrow(NAT, o.carrier)),
            local("P", PROGRAM),
            local("goal", FORM),
            local("costs", NATS),
            local("ys", MULTIPLIERS),
            local("rounds", NAT),
        ],
        _goal_bound,
    )


def _gap(o: Algebra, n: Term, high: Term, low: Term) -> Equal:
    """Prove n (high - low) = n high - n low."""
    first = _distributed(o, n, high, o.neg(low))
    return o.chain(first, o.under(lambda z: o.add(o.times(n, high), z), _turned(o, n, low)))


def _row(o: Algebra, one: Term, x: Term, y: Term, r: Term) -> tuple[Term, Term]:
    terms, relation, bound = _parts_of(r)
    p, n = _multiplier(y)
    side, value = o.of("Rropt.sum", terms, x), _value(o, bound, one)
    e = _at(o, one, x)

    def claim(relation: Term) -> Term:
        form = _row_form(p, n, terms, relation, bound)
        return arrow(_row_at(o, one, x, terms, relation, bound), o.le(o.zero, _form_value(o, e, form)))

    at_least, at_most, equal = _relations(o, side, value)

    def scaled(n: Term, high: Term, low: Term, h: Term, line: Equal, expanded: Term) -> Term:
        gap = o.take("times_nonneg", o.add(high, o.neg(low)), o.take("sub_nonneg", low, high, h), n)
        apart = _gap(o, n, high, low)
        return o.nonnegative(o.chain(apart, o.same(apart.right, expanded), o.symm(line)), gap)

    def minus(a: Term, b: Term) -> Term:
        return o.add(a, o.neg(b))

    def above(h: Term) -> Term:
        line = _line_value(o, one, x, NONE, p, p, NONE, bound, terms)
        expanded = o.add(minus(o.zero, o.times(p, value)), minus(o.times(p, side), o.zero))
        return scaled(p, side, value, h, line, expanded)

    def below(h: Term) -> Term:
        line = _line_value(o, one, x, n, NONE, NONE, n, bound, terms)
        expanded = o.add(minus(o.times(n, value), o.zero), minus(o.zero, o.times(n, side)))
        return scaled(n, value, side, h, line, expanded)

    def same(h: Term) -> Term:
        line = _line_value(o, one, x, n, p, p, n, bound, terms)

        def with_value(z: Term) -> Term:
            return o.add(o.difference(n, p, z), o.difference(p, n, side))

        start = o.nonnegative(o.same(o.zero, with_value(side)), o.of(f"{GROUP}.le_refl", o.zero))
        moved = o.move(lambda z: o.le(o.zero, with_value(z)), Equal(side, value, h), start)
        return o.nonnegative(o.symm(line), moved)

    cases = (lam("h", at_least, above), lam("h", at_most, below), lam("h", equal, same))
    return arrow(o.of("Rropt.holds", one, x, r), o.le(o.zero, _form_value(o, e, own("rowForm", y, r)))), rec(
        "Relation", 0, RELATION, claim, *cases, relation
    )


def _rows(o: Algebra, one: Term, x: Term, rows: Term, ys: Term) -> tuple[Term, Term]:
    e, holds = _at(o, one, x), o.of("Rropt.holds", one, x)

    def nonnegative(rows: Term, ys: Term) -> Term:
        return o.le(o.zero, _forms_value(o, e, own("rowForms", rows, ys)))

    def inner(r: Term, rest: Term, h: Term, y: Term, more: Term, ih: Term) -> Term:
        mine = o.take("row_nonneg", one, x, y, r, h)
        form, forms = _form_value(o, e, own("rowForm", y, r)), _forms_value(o, e, own("rowForms", rest, more))
        return o.take("add_nonneg", form, forms, mine, ih)

    nothing = o.of(f"{GROUP}.le_refl", o.zero)
    by = _by_two_lists(ROW, MULTIPLIER, "ys", holds, nonnegative, nothing, inner)
    given = local("given", own("all", ROW, holds, rows))
    proof = app(by(rows), given, ys)
    return closed("pi", [given], nonnegative(rows, ys)), closed("lam", [given], proof)


def _signs(o: Algebra, one: Term, x: Term, rest: Term, signs: Term, costs: Term) -> tuple[Term, Term]:
    e = _at(o, one, x)
    holds = lam("j", NAT, lambda j: o.le(o.zero, app(x, j)))
    given = local("given", o.le(o.zero, _forms_value(o, e, rest)))

    def nonnegative(signs: Term, costs: Term) -> Term:
        return o.le(o.zero, _forms_value(o, e, own("signForms", signs, costs, rest)))

    def inner(j: Term, others: Term, h: Term, c: Term, more: Term, ih: Term) -> Term:
        multiple = o.times(c, app(x, j))
        mine = o.take("times_nonneg", app(x, j), h, c)
        whole = o.same(multiple, o.add(o.add(multiple, o.neg(o.zero)), o.zero))
        form, following = _form_value(o, e, _sign_form(j, c)), own("signForms", others, more, rest)
        return o.take("add_nonneg", form, _forms_value(o, e, following), o.nonnegative(whole, mine), ih)

    by = _by_two_lists(NAT, NAT, "costs", holds, nonnegative, given, inner)
    positive = local("positive", own("all", NAT, holds, signs))
    proof = app(by(signs), positive, costs)
    binders = [given, positive]
    return closed("pi", binders, nonnegative(signs, costs)), closed("lam", binders, proof)


def _goal_bound(
    o: Algebra, one: Term, x: Term, p: Term, goal: Term, costs: Term, ys: Term, rounds: Term
) -> tuple[Term, Term]:
    e = _at(o, one, x)
    checked = local("checked", _true(own("bounds", p, goal, costs, ys, rounds)))
    feasible = local("feasible", o.of("Rropt.feasible", one, p, x))
    rows, signs = own("Program.rows", p), own("Program.nonnegative", p)
    row_forms = own("rowForms", rows, ys)
    rest = own("signForms", signs, costs, row_forms)
    forms = own("forms", p, goal, costs, ys)
    merged = own("merged", rounds, forms)
    parts = _feasible(o, one, p, x)
    rows_hold, signs_hold = core.right_of(*parts, feasible), core.left_of(*parts, feasible)
    nonnegative = o.take(
        "signs_nonneg", one, x, row_forms, signs, costs, o.take("rows_nonneg", one, x, rows, ys, rows_hold), signs_hold
    )
    value, others = _form_value(o, e, goal), _forms_value(o, e, rest)
    folded = _form_value(o, e, own("folded", merged))
    none = o.chain(
        o.symm(o.lemma("merged_value", _forms_value(o, e, merged), o.add(value, others), e, forms, rounds)),
        o.symm(o.lemma("folded_value", folded, _forms_value(o, e, merged), e, merged)),
        o.lemma("zero_value", folded, o.zero, e, own("folded", merged), checked),
    )
    opposite = o.symm(o.lemma("neg_unique", o.neg(value), others, value, others, none.proof))
    binders = [checked, feasible]
    of = o.le(o.zero, o.neg(value))
    return closed("pi", binders, of), closed("lam", binders, o.nonnegative(opposite, nonnegative))


# ---------------------------------------------------------------- the point


def _points(module: Module) -> None:
    def binders(o: Algebra) -> list[Term]:
        return [local("u", o.carrier), local("D", NAT), local("x", POINT)]

    in_group(
        module,
        "def",
        "point",
        lambda o: [local("u", o.carrier), local("x", POINT), local("j", NAT)],
        lambda o, u, x, j: (o.carrier, _value(o, own("look", x, j), u)),
    )
    in_group(module, "thm", "collapse_value", lambda o: [*binders(o), local("f", FORM)], _collapse_value)

    def positive(o: Algebra) -> list[Term]:
        u, *others = binders(o)
        return [u, *others, local("pos", o.le(o.zero, u)), local("f", FORM)]

    def nonnegative(o: Algebra, u: Term, parts: Term, x: Term, pos: Term, f: Term) -> tuple[Term, Term]:
        test = own("nonnegativeForm", parts, x, f)
        there = own("collapse", parts, x, f)
        p, n = own("Item.p", there), own("Item.n", there)
        h = local("h", _true(test))
        proof = o.nonnegative(o.symm(_collapse_lemma(o, u, parts, x, f)), o.take("nonneg_of_ble", u, pos, n, p, h))
        of = o.le(o.zero, _form_value(o, _point_values(o, u, parts, x), f))
        return closed("pi", [h], of), closed("lam", [h], proof)

    in_group(module, "thm", "nonneg_at", positive, nonnegative)

    def balanced(o: Algebra, u: Term, parts: Term, x: Term, f: Term) -> tuple[Term, Term]:
        test = own("balancedForm", parts, x, f)
        there = own("collapse", parts, x, f)
        p, n = own("Item.p", there), own("Item.n", there)
        h = local("h", _true(test))
        gone = o.lemma("zero_of_beq", o.difference(p, n, u), o.zero, u, p, n, h)
        value = _collapse_lemma(o, u, parts, x, f)
        return closed("pi", [h], o.eq(value.left, o.zero)), closed("lam", [h], o.chain(value, gone).proof)

    in_group(module, "thm", "zero_at", lambda o: [*binders(o), local("f", FORM)], balanced)
    in_group(module, "thm", "row_at", lambda o: [*positive(o)[:-1], local("r", ROW)], _row_holds)
    in_group(
        module,
        "thm",
        "feasible_at",
        lambda o: [*positive(o)[:-1], local("P", PROGRAM), local("goal", FORM)],
        _feasible_at,
    )


def _entries(o: Algebra, u: Term, x: Term) -> Term:
    return o.of("Rropt.point", u, x)


def _point_values(o: Algebra, u: Term, parts: Term, x: Term) -> Term:
    return _at(o, o.times(parts, u), _entries(o, u, x))


def _collapse_lemma(o: Algebra, u: Term, parts: Term, x: Term, f: Term) -> Equal:
    there = own("collapse", parts, x, f)
    right = o.difference(own("Item.p", there), own("Item.n", there), u)
    return o.lemma("collapse_value", _form_value(o, _point_values(o, u, parts, x), f), right, u, parts, x, f)


def _collapse_value(o: Algebra, u: Term, parts: Term, x: Term, f: Term) -> tuple[Term, Term]:
    e = _point_values(o, u, parts, x)
    units = lam("j", NAT, lambda _: u)

    def sides(f: Term) -> tuple[Term, Term]:
        there = own("collapse", parts, x, f)
        return _form_value(o, e, f), o.difference(own("Item.p", there), own("Item.n", there), u)

    def entry(j: Term) -> Equal:
        def both(j: Term) -> tuple[Term, Term]:
            return app(e, j), _value(o, own("numerator", parts, x, j), u)

        proof = by_nat(
            lambda j: o.eq(*both(j)), o.refl(o.times(parts, u)).proof, lambda k, _: o.refl(both(succ(k))[0]).proof, j
        )
        return Equal(*both(j), proof)

    def step(t: Term, rest: Term, ih: Term) -> Term:
        p, n, j = own("Item.p", t), own("Item.n", t), own("Item.index", t)
        a = own("numerator", parts, x, j)
        here, there = _here(parts, x, t), own("collapse", parts, x, rest)
        first = o.under(lambda z: o.difference(p, n, z), entry(j))
        counted = o.lemma("item_value", _item_value(o, units, here), first.right, units, NONE, p, n, a)
        tail = Equal(*sides(rest), ih)
        four = [own("Item.p", here), own("Item.n", here), own("Item.p", there), own("Item.n", there)]
        joined = o.difference(core.add(four[0], four[2]), core.add(four[1], four[3]), u)
        apart = o.add(o.difference(four[0], four[1], u), tail.right)
        together = o.lemma("difference_add", joined, apart, *four, u)
        return o.chain(o.sum(o.chain(first, o.symm(counted)), tail), o.symm(together)).proof

    empty = o.same(o.zero, o.add(o.zero, o.neg(o.zero))).proof
    return o.eq(*sides(f)), _by_list(ITEM, lambda f: o.eq(*sides(f)), empty, step, f)


def _row_holds(o: Algebra, u: Term, parts: Term, x: Term, pos: Term, r: Term) -> tuple[Term, Term]:
    terms, relation, bound = _parts_of(r)
    one, point = o.times(parts, u), _entries(o, u, x)
    side, value = o.of("Rropt.sum", terms, point), _value(o, bound, one)
    above, below = _excesses(terms, bound)

    def claim(relation: Term) -> Term:
        test = _row_test(parts, x, terms, relation, bound)
        return arrow(_true(test), _row_at(o, one, point, terms, relation, bound))

    def minus(a: Term, b: Term) -> Term:
        return o.add(a, o.neg(b))

    def once(a: Term) -> Term:
        return o.add(o.zero, a)

    def gap(form: Term, high: Term, low: Term, expanded: Term) -> Equal:
        line = _line_value(o, one, point, *spine(form)[1])
        return o.chain(line, o.same(expanded, minus(high, low)))

    first = gap(above, side, value, o.add(minus(o.zero, once(value)), minus(once(side), o.zero)))
    second = gap(below, value, side, o.add(minus(once(value), o.zero), minus(o.zero, once(side))))

    def at_least(h: Term) -> Term:
        return o.take("le_of_sub", value, side, o.nonnegative(first, o.take("nonneg_at", u, parts, x, pos, above, h)))

    def at_most(h: Term) -> Term:
        return o.take("le_of_sub", side, value, o.nonnegative(second, o.take("nonneg_at", u, parts, x, pos, below, h)))

    def equal(h: Term) -> Term:
        none = o.chain(o.symm(first), o.lemma("zero_at", first.left, o.zero, u, parts, x, above, h))
        return _equal_sides(o, side, value, none).proof

    def test(name: str, form: Term) -> Term:
        return _true(own(name, parts, x, form))

    cases = (
        lam("h", test("nonnegativeForm", above), at_least),
        lam("h", test("nonnegativeForm", below), at_most),
        lam("h", test("balancedForm", above), equal),
    )
    of = arrow(_true(own("rowTest", parts, x, r)), o.of("Rropt.holds", one, point, r))
    return of, rec("Relation", 0, RELATION, claim, *cases, relation)


def _equal_sides(o: Algebra, a: Term, b: Term, none: Equal) -> Equal:
    """Prove a = b from a - b = 0."""
    gap = o.add(a, o.neg(b))
    return o.chain(o.same(a, o.add(gap, b)), o.under(lambda z: o.add(z, b), none), o.same(o.add(o.zero, b), b))


def _feasible_at(o: Algebra, u: Term, parts: Term, x: Term, pos: Term, p: Term, goal: Term) -> tuple[Term, Term]:
    one, point = o.times(parts, u), _entries(o, u, x)
    signs, rows = own("Program.nonnegative", p), own("Program.rows", p)
    sign_test, row_test = _sign_test(parts, x), own("rowTest", parts, x)
    first, second = own("test", NAT, sign_test, signs), own("test", ROW, row_test, rows)
    last = own("balancedForm", parts, x, goal)
    h = local("h", _true(own("attains", p, goal, parts, x)))
    left = own("both_left", own("both", first, second), last, h)
    positive = lam("j", NAT, lambda j: o.le(o.zero, app(point, j)))

    def one_sign(j: Term) -> Term:
        form = _sign_form(j, ONCE)
        entry = app(point, j)
        whole = o.add(o.add(o.add(o.zero, entry), o.neg(o.zero)), o.zero)
        return lam(
            "h",
            _true(app(sign_test, j)),
            lambda h: o.nonnegative(o.same(whole, entry), o.take("nonneg_at", u, parts, x, pos, form, h)),
        )

    def one_row(r: Term) -> Term:
        return o.take("row_at", u, parts, x, pos, r)

    holds = o.of("Rropt.holds", one, point)
    signs_hold = own(
        "all_of_test", NAT, sign_test, positive, lam("j", NAT, one_sign), signs, own("both_left", first, second, left)
    )
    rows_hold = own(
        "all_of_test", ROW, row_test, holds, lam("r", ROW, one_row), rows, own("both_right", first, second, left)
    )
    of = o.of("Rropt.feasible", one, p, point)
    return closed("pi", [h], of), closed("lam", [h], core.both(*_feasible(o, one, p, point), signs_hold, rows_hold))


# ---------------------------------------------------------------- the closing theorems


def _closing(module: Module) -> None:
    p, v, d, parts = local("P", PROGRAM), local("v", INTEGER), local("d", NAT), local("D", NAT)
    k, costs, ys, rounds, x = (
        local("k", NAT),
        local("costs", NATS),
        local("ys", MULTIPLIERS),
        local("rounds", NAT),
        local("x", POINT),
    )
    for name, sign in (("Minimum", 1), ("Maximum", -1)):
        larger = goal_times(sign, p, v, d, succ(k))
        bounds = local("bounded", _true(own("bounds", p, larger, costs, ys, rounds)))
        attains = local("attained", _true(own("attains", p, goal_of(sign, p, v, d), parts, x)))
        binders = [p, v, d, parts, k, costs, ys, rounds, x, bounds, attains]
        proof = _optimum(sign, *binders)
        _theorem(module, f"{name.lower()}_of_checks", binders, own(name, p, v, d, parts), proof)
    excess = local("b", NAT)
    goal = infeasible_goal(excess)
    bounds = local("bounded", _true(own("bounds", p, goal, costs, ys, rounds)))
    binders = [p, excess, costs, ys, rounds, bounds]
    _theorem(module, "infeasible_of_check", binders, own("Infeasible", p), _infeasible(*binders))


def infeasible_goal(excess: Term) -> Term:
    """Return the form 1 + excess: the rows add up to its negative."""
    return cons(ITEM, item(NONE, succ(excess), NONE), nil(ITEM))


def _optimum(sign: int, *binders: Term) -> Term:
    p, v, d, parts, k, costs, ys, rounds, x, bounds, attains = binders
    goal, larger = goal_of(sign, p, v, d), goal_times(sign, p, v, d, succ(k))

    def proof(o: Algebra, one: Term) -> Term:
        claim = Claim(o, one, p, v, d)

        def negated(form: Term, one: Term, at: Term, bound: Term, earned: Term) -> Equal:
            """Prove that the negative of a goal is the difference of these two sides, the greater one first."""
            line = _line_value(o, one, at, *spine(form)[1])
            low, high = (bound, earned)[::sign]
            pieces = (o.add(bound, o.neg(o.zero)), o.add(o.zero, o.neg(earned)))
            if sign < 0:
                pieces = (o.add(o.zero, o.neg(bound)), o.add(earned, o.neg(o.zero)))
            return o.chain(o.under(o.neg, line), o.same(o.neg(o.add(*pieces)), o.add(high, o.neg(low))))

        def gap(one: Term, at: Term) -> tuple[Equal, Term, Term]:
            here = Claim(o, one, p, v, d)
            bound, earned = here.bound, here.earned(at)
            return negated(goal, one, at, bound, earned), *(bound, earned)[::sign]

        def bounded(at: Term) -> Term:
            low, high = (claim.bound, claim.earned(at))[::sign]
            value, total = _value(o, v, one), o.of("Rropt.sum", own("Program.cost", p), at)
            scaled_bound = _product(o, own("Program.scale", p), succ(k), value)
            scaled_earned = _product(o, d, succ(k), total)
            e = negated(larger, one, at, scaled_bound.left, scaled_earned.left)
            less, more = (scaled_bound, scaled_earned)[::sign]
            apart = o.sum(more, o.under(o.neg, less))
            whole = o.chain(e, apart, o.symm(_gap(o, succ(k), high, low)))

            def by(feasible: Term) -> Term:
                below = o.take("goal_bound", one, at, p, larger, costs, ys, rounds, bounds, feasible)
                difference = o.add(high, o.neg(low))
                return o.take(
                    "le_of_sub", low, high, o.take("nonneg_of_times", difference, k, o.nonnegative(whole, below))
                )

            return lam("feasible", claim.feasible(at), by)

        def attained(u: Term) -> Term:
            unit, point = o.times(parts, u), _entries(o, u, x)
            there = Claim(o, unit, p, v, d)
            e, low, high = gap(unit, point)

            def by(pos: Term, h: Term) -> Term:
                value = _form_value(o, _at(o, unit, point), goal)
                last = own("both_right", _feasibility_tests(p, parts, x), own("balancedForm", parts, x, goal), attains)
                none = o.lemma("zero_at", value, o.zero, u, parts, x, goal, last)
                zero = o.chain(o.symm(e), o.under(o.neg, none), o.same(o.neg(o.zero), o.zero))
                sides = _equal_sides(o, high, low, zero)
                equal = sides if sign > 0 else o.symm(sides)
                feasible = o.take("feasible_at", u, parts, x, pos, p, goal, attains)
                pair = core.both(there.feasible(point), o.eq(equal.left, equal.right), feasible, equal.proof)
                found = app(const("Exists.intro", 1), arrow(NAT, o.carrier), there.best(), point, pair)
                return o.move(lambda z: Claim(o, z, p, v, d).exists(), Equal(unit, one, h), found)

            return lam("pos", o.le(o.zero, u), lambda pos: lam("h", o.eq(unit, one), lambda h: by(pos, h)))

        return core.both(
            claim.bounded(sign),
            claim.attained(parts),
            lam("x", arrow(NAT, o.carrier), bounded),
            lam("u", o.carrier, attained),
        )

    return _for_every_group(proof)


def _feasibility_tests(p: Term, parts: Term, x: Term) -> Term:
    first = own("test", NAT, _sign_test(parts, x), own("Program.nonnegative", p))
    return own("both", first, own("test", ROW, own("rowTest", parts, x), own("Program.rows", p)))


def _for_every_group(body: Callable[[Algebra, Term], Term]) -> Term:
    def inner(carrier: Term, group: Term) -> Term:
        o = Algebra(carrier, group)
        return lam("one", carrier, lambda one: body(o, one))

    return lam("G", TYPE, lambda g: lam("O", app(const(GROUP), g), lambda o: inner(g, o)))


def _infeasible(p: Term, excess: Term, costs: Term, ys: Term, rounds: Term, bounds: Term) -> Term:
    goal = infeasible_goal(excess)

    def proof(o: Algebra, one: Term) -> Term:
        def contradiction(pos: Term, strict: Term, at: Term, feasible: Term) -> Term:
            below = o.take("goal_bound", one, at, p, goal, costs, ys, rounds, bounds, feasible)
            many = o.times(excess, one)
            value = o.add(o.add(o.add(many, one), o.neg(o.zero)), o.zero)
            total = o.take("add_nonneg", o.neg(value), many, below, o.take("times_nonneg", one, pos, excess))
            gap = o.same(o.add(o.neg(value), many), o.add(o.zero, o.neg(one)))
            return app(strict, o.take("le_of_sub", one, o.zero, o.nonnegative(gap, total)))

        pos, strict = local("pos", o.le(o.zero, one)), local("strict", core.negation(o.le(one, o.zero)))
        at = local("x", arrow(NAT, o.carrier))
        feasible = local("feasible", o.of("Rropt.feasible", one, p, at))
        return closed("lam", [pos, strict, at, feasible], contradiction(pos, strict, at, feasible))

    return _for_every_group(proof)
