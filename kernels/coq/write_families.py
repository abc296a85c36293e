"""Write the certificate of a family as a theorem of Coq: `python kernels/coq/write_families.py NAME FILE.json ...`.

The theorem is about every member of the family at once, and rests on Families.v. Its proof follows the file: each
condition is a fraction of polynomials without negative coefficients, or one of the identities. The checker is not used.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

Polynomial = dict[tuple[int, ...], Fraction]
HEADER = """(* Theorems of families: for every number of categories, every parameter and every gamma > 1. Written by
   write_families.py from certificates of the statement `family`. Each theorem stands at the end of its part. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement EveryLevel Families.
Import ListNotations.
Local Open Scope R_scope.

Ltac nonneg := repeat first [assumption | apply Rplus_le_le_0_compat | apply Rmult_le_pos | apply pow_le | lra].
Ltac positive := first [assumption | apply Rmult_lt_0_compat; solve [positive] | apply pow_lt; solve [positive] | lra
  | apply Rplus_lt_le_0_compat; [solve [positive]|solve [nonneg]]
  | apply Rplus_le_lt_0_compat; [solve [nonneg]|solve [positive]]].
Ltac nonzero := repeat split; first [lra | apply Rgt_not_eq, Rlt_gt; solve [positive] | nra].
Lemma quotient_nonneg a b : 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros A B. unfold Rdiv. apply Rmult_le_pos; auto. apply Rlt_le, Rinv_0_lt_compat, B. Qed.
Lemma between low high p : low < p < high -> exists r, 0 < r /\\ p = (low + high * r) / (1 + r).
Proof.
  intros H. exists ((p - low) / (high - p)). split.
  - unfold Rdiv. apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra].
  - field. split; lra.
Qed.
"""


def number(x: Fraction) -> str:
    """Return a rational number as a term."""
    text = str(abs(x)) if x.denominator == 1 else f"({abs(x.numerator)} / {x.denominator})"
    return text if x >= 0 else f"(- {text})"


def plus(*parts: Polynomial) -> Polynomial:
    """Return the sum of polynomials."""
    found: Polynomial = {}
    for part in parts:
        for key, x in part.items():
            found[key] = found.get(key, Fraction(0)) + x
    return {key: x for key, x in found.items() if x}


def times(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return the product of polynomials."""
    found: Polynomial = {}
    for a, x in left.items():
        for b, y in right.items():
            key = tuple(i + j for i, j in zip(a, b, strict=True))
            found[key] = found.get(key, Fraction(0)) + x * y
    return {key: x for key, x in found.items() if x}


class Theorem:
    """The text of the theorem of one certificate."""

    def __init__(self, name: str, certificate: dict[str, Any]) -> None:
        self.name = name
        self.problem, self.claim, self.proof = (certificate[key] for key in ("problem", "claim", "proof"))
        if self.problem["sense"] != "minimise":
            raise ValueError("only families of costs are written")
        self.parameters = self.problem["parameters"]
        self.names = [one["name"] for one in self.parameters]
        self.variables = [*(f"t_{name}" for name in self.names), "u"]
        self.groups = len(self.problem["classes"])
        self.owners = [None if d["own"] is None else int(d["own"]) for d in self.problem["decisions"]]
        self.is_whole = [one["whole"] for one in self.parameters]

    # terms
    def polynomial(self, listed: Sequence[Sequence[str]] | Polynomial) -> str:
        """Return a polynomial as a term; a monomial without variables of whole parameters comes first."""
        if not isinstance(listed, dict):
            listed = self.read(listed)

        def late(key: tuple[int, ...]) -> bool:
            return any(e for e, whole in zip(key, self.is_whole, strict=False) if whole)

        parts = []
        for key, x in sorted(listed.items(), key=lambda pair: (late(pair[0]), pair[0])):
            powers = [v if e == 1 else f"{v} ^ {e}" for v, e in zip(self.variables, key, strict=True) if e]
            parts.append(" * ".join([*([number(x)] if x != 1 or not powers else []), *powers]))
        return f"({' + '.join(parts)})" if parts else "0"

    @staticmethod
    def read(listed: Sequence[Sequence[str]]) -> Polynomial:
        """Return a polynomial of the file."""
        return {tuple(map(int, exponents)): Fraction(x) for x, *exponents in listed}

    def expression(self, tree: Any, values: dict[str, str]) -> str:
        """Return an expression of the file as a term, with these terms for the names."""
        if isinstance(tree, str):
            return values[tree] if tree in values else number(Fraction(tree))
        ((kind, inside),) = tree.items()
        if kind == "negative":
            return f"(- {self.expression(inside, values)})"
        if kind == "power":
            return f"({self.expression(inside[0], values)} ^ {inside[1]})"
        sign = {"sum": " + ", "product": " * ", "quotient": " / "}[kind]
        return f"({sign.join(self.expression(part, values) for part in inside)})"

    def ranges(self) -> dict[str, str]:
        """Return the parameters and gamma in the variables."""
        found = {"gamma": "(1 + u)"}
        for one in self.parameters:
            low, t = number(Fraction(one["from"])), f"t_{one['name']}"
            found[one["name"]] = (
                f"({low} + {t})"
                if one["to"] is None
                else f"(({low} + {number(Fraction(one['to']))} * {t}) / (1 + {t}))"
            )
        return found

    def stated(self) -> dict[str, str]:
        """Return the parameters as the theorem states them."""
        return {one["name"]: f"INR {one['name']}" if one["whole"] else one["name"] for one in self.parameters}

    # parts of the text
    def definitions(self) -> Iterator[str]:
        """Yield the costs times proportions."""
        values = {name: name for name in self.names}
        arguments = f"({' '.join(self.names)} : R) " if self.names else ""
        rows = []
        for h, decision in enumerate(self.problem["decisions"]):
            for i, cost in enumerate(decision["costs"]):
                share = self.expression(self.problem["classes"][i]["share"], values)
                rows.append(f"  | {h}%nat, {i}%nat => {share} * {self.expression(cost, values)}")
        yield (
            f"Definition {self.name}_cost {arguments}(h i : nat) : R :=\n  match h, i with\n"
            + "\n".join(rows)
            + "\n  | _, _ => 0\n  end."
        )
        rows = []
        for h, decision in enumerate(self.problem["decisions"]):
            if decision["own"] is not None:
                share = self.expression(self.problem["classes"][int(decision["own"])]["share"], values)
                rows.append(f"  | {h}%nat => {share} * {self.expression(decision['right'], values)}")
        yield (
            f"Definition {self.name}_right {arguments}(h : nat) : R :=\n  match h with\n"
            + "\n".join(rows)
            + "\n  | _ => 0\n  end."
        )

    def hypotheses(self) -> str:
        """Return what the lemmas assume of the variables and of the shape."""
        signs = [
            f"{'0 <=' if whole else '0 <'} {v}"
            for v, whole in zip(self.variables, [*self.is_whole, False], strict=True)
        ]
        sizes = [
            f"size k F {i} = {self.expression(c['size'], self.ranges())}" for i, c in enumerate(self.problem["classes"])
        ]
        owners = [f"owner F {h} = {'None' if o is None else f'Some {o}%nat'}" for h, o in enumerate(self.owners)]
        shape = ["(0 < k)%nat", "well_formed k m F", f"classes F = {self.groups}%nat"]
        return " -> ".join([*signs, *shape, *sizes, *owners])

    def intros(self) -> str:
        """Return the names of these hypotheses."""
        signs = [f"P{i}" for i in range(len(self.variables))]
        return " ".join(
            [*signs, "K", "W", "G", *(f"N{i}" for i in range(self.groups)), *(f"O{h}" for h in range(len(self.owners)))]
        )

    def costs(self, values: dict[str, str]) -> str:
        """Return the two functions of costs at parameters."""
        arguments = "".join(f" ({values[name]})" for name in self.names)
        return f"({self.name}_cost{arguments}) ({self.name}_right{arguments})"

    def value(self, i: int, values: dict[str, str]) -> str:
        """Return a formula as a term."""
        return self.expression(self.claim["formulas"][i]["value"], values)

    def bound(self, i: int) -> Iterator[str]:
        """Yield the lemma that no mechanism is below the formula i where it is the least."""
        values, count = self.ranges(), len(self.claim["formulas"])
        others = [j for j in range(count) if j != i]
        order = "".join(f"{self.value(i, values)} <= {self.value(j, values)} -> " for j in others)
        yield (
            f"Lemma {self.name}_bound_{i} k m F {' '.join(self.variables)} P : {self.hypotheses()} ->\n"
            f"  (forall d, (d < m)%nat -> (decision F d < {len(self.owners)})%nat) -> {order}\n"
            f"  mechanism k m P -> private k m (1 + u) 0 P ->\n"
            f"  {self.value(i, values)} <= expected_cost k m (family_cost F {self.costs(values)}) P."
        )
        yield f"Proof.\n  intros {self.intros()} D {''.join(f'L{j} ' for j in others)}M R."
        own = self.proof["values"][i][1]
        names = []
        for j in others:
            c, g = self.proof["formulas"][i]["differences"][j]
            other = self.proof["values"][j][1]
            term = self.polynomial(g)
            yield f"  assert (H{j} : 0 <= {term})."
            yield (
                f"  {{ replace {term} with (({self.value(j, values)} - {self.value(i, values)}) * "
                f"({self.polynomial(own)} * {self.polynomial(other)}) / {self.polynomial(c)}) by (field; nonzero)."
            )
            yield "    apply quotient_nonneg; [apply Rmult_le_pos; [lra|apply Rlt_le; positive]|positive]. }"
            names.append((f"H{j}", self.read(g)))
        yield from self.tree(self.proof["formulas"][i]["tree"], names, i, "  ")
        yield "Qed."

    def tree(self, tree: dict[str, Any], known: list[tuple[str, Polynomial]], i: int, indent: str) -> Iterator[str]:
        """Yield the proof below a node."""
        if "split" in tree:
            h = self.read(tree["split"])
            name = f"S{len(known)}"
            opposite = {key: -x for key, x in h.items()}
            yield (
                f"{indent}assert ({name} : 0 <= {self.polynomial(h)} \\/ 0 <= {self.polynomial(opposite)}) "
                f"by (destruct (Rle_lt_dec 0 {self.polynomial(h)}); [left|right]; lra)."
            )
            yield f"{indent}destruct {name} as [{name}|{name}]."
            for side, sign in (("nonnegative", h), ("nonpositive", opposite)):
                first, *rest = self.tree(tree[side], [*known, (name, sign)], i, indent + "  ")
                yield f"{indent}- {first.strip()}"
                yield from rest
            return
        yield from self.leaf(tree, known, i, indent)

    def leaf(self, leaf: dict[str, Any], known: list[tuple[str, Polynomial]], i: int, indent: str) -> Iterator[str]:
        """Yield the proof by one dual."""
        D = self.polynomial(leaf["denominator"])
        dual = [f"{self.polynomial(y)} / {D}" for y in leaf["dual"]]
        arms = " ".join(f"| {n}%nat => {term}" for n, term in enumerate(dual))
        yield (
            f"{indent}apply (family_bound k m F _ _ (fun i => match i with {arms} | _ => 0 end) (1 + u)); "
            "auto; [lra|..]."
        )
        sizes = ", ".join(f"N{n}" for n in range(self.groups))
        yield f"{indent}1: {{ rewrite G. cbn [sum]. rewrite {sizes}. field; nonzero. }}"
        yield (
            f"{indent}intros d T o Y. specialize (D d Y). replace (1 + u - 1) with u by ring. generalize "
            "dependent (decision F d). intros h Y'. clear d Y."
        )
        entries = zip(self.kinds(), leaf["conditions"], strict=True)
        conditions = {kind: self.condition(kind, entry, leaf, known) for kind, entry in entries}
        for h, owner in enumerate(self.owners):
            yield f"{indent}destruct h as [|h]; [|]."
            yield (
                f"{indent}{{ unfold condition, total, owned, own_class. rewrite G, O{h}. cbn [sum]. "
                f"rewrite {sizes}. cbn [Nat.eqb {self.name}_cost {self.name}_right]."
            )
            marks = [f"(T {n}%nat)" for n in range(self.groups)] + (["o"] if owner is not None else [])
            yield f"{indent}  destruct {', '.join(marks)}; cbn [one]."
            for digits in product((1, 0), repeat=self.groups):
                for own in (1, 0) if owner is not None else (0,):
                    yield f"{indent}  - {conditions[(h, digits, own)]}"
            yield f"{indent}}}"
        yield f"{indent}lia."

    def kinds(self) -> Iterator[tuple[int, tuple[int, ...], int]]:
        """Yield the kinds of rows in the order of a leaf."""
        for h, owner in enumerate(self.owners):
            for digits in product((0, 1), repeat=self.groups):
                for own in (0,) if owner is None else (0, 1):
                    yield h, digits, own

    def condition(self, kind: Any, entry: Any, leaf: dict[str, Any], known: list[tuple[str, Polynomial]]) -> str:
        """Return the proof of one condition, an expression that equals a fraction of the file."""
        D, Q = self.polynomial(leaf["denominator"]), self.polynomial(self.proof["denominator"])
        if entry is None:
            above = self.polynomial(self.numerator(kind, leaf))
            return f"quotient ({above} / ({D} * {Q})). apply quotient_nonneg; [nonneg|positive]."
        index, factor = entry
        identity = leaf["identities"][int(index)]
        first, *rest = identity["multipliers"]
        parts = [self.polynomial(first)]
        parts += [f"{self.polynomial(s)} * {self.polynomial(g)}" for s, (_, g) in zip(rest, known, strict=True) if s]
        above = f"({self.polynomial(factor)} * ({' + '.join(parts)}))"
        return (
            f"quotient ({above} / ({self.polynomial(identity['factor'])} * ({D} * {Q}))). apply "
            "quotient_nonneg; [nonneg|positive]."
        )

    def numerator(self, kind: Any, leaf: dict[str, Any]) -> Polynomial:
        """Return the condition of a kind of row times the denominators."""
        h, digits, own = kind
        D, Q = self.read(leaf["denominator"]), self.read(self.proof["denominator"])
        size = len(self.variables)
        one = {(0,) * size: Fraction(1)}
        u = {(*(0,) * (size - 1), 1): Fraction(1)}
        minus = {(0,) * size: Fraction(-1)}
        sizes = [self.size(n) for n in range(self.groups)]
        y = [self.read(part) for part in leaf["dual"]]
        spent = plus(*(times(n, part) for n, part in zip(sizes, y, strict=True)))
        V = {(*key[:-1], key[-1] - 1): x for key, x in spent.items()}
        costs = [self.read(part) for part in self.proof["costs"][h]]
        owner = self.owners[h]
        right = self.read(self.proof["rights"][h]) if owner is not None else {}
        found = plus(times(D, right), times(times(minus, Q), V))
        for n in range(self.groups):
            members = plus(sizes[n], minus) if n == owner else sizes[n]
            found = plus(found, times(D, times(members, costs[n])))
            if digits[n]:
                found = plus(found, times(members, plus(times(times(D, u), costs[n]), times(minus, times(Q, y[n])))))
        if own and owner is not None:
            found = plus(found, times(times(D, u), right), times(minus, times(Q, y[owner])))
        return times(found, one)

    def size(self, i: int) -> Polynomial:
        """Return a size as a polynomial: a number or a parameter."""
        tree = self.problem["classes"][i]["size"]
        zero = (0,) * len(self.variables)
        if tree in self.names:
            at = self.names.index(tree)
            return plus(
                {zero: Fraction(self.parameters[at]["from"])},
                {tuple(int(j == at) for j in range(len(zero))): Fraction(1)},
            )
        if isinstance(tree, str):
            return {zero: Fraction(tree)}
        raise ValueError("only sizes that are numbers or parameters are written")

    def pair(self, tree: Any) -> tuple[Polynomial, Polynomial]:
        """Return an expression of the parameters as a numerator and a denominator, both in the variables."""
        zero = (0,) * len(self.variables)
        one = {zero: Fraction(1)}
        if isinstance(tree, str):
            if tree not in self.names:
                return {zero: Fraction(tree)}, one
            at = self.names.index(tree)
            low, high = self.parameters[at]["from"], self.parameters[at]["to"]
            t = {tuple(int(j == at) for j in range(len(zero))): Fraction(1)}
            start = {zero: Fraction(low)} if Fraction(low) else {}
            if high is None:
                return plus(start, t), one
            return plus(start, times({zero: Fraction(high)}, t)), plus(one, t)
        ((kind, inside),) = tree.items()
        if kind == "negative":
            n, d = self.pair(inside)
            return {key: -x for key, x in n.items()}, d
        if kind == "power":
            n, d = self.pair(inside[0])
            above, below = one, one
            for _ in range(int(inside[1])):
                above, below = times(above, n), times(below, d)
            return above, below
        first, *others = map(self.pair, inside)
        above, below = first
        for n, d in others:
            if kind == "sum":
                above, below = plus(times(above, d), times(n, below)), times(below, d)
            elif kind == "product":
                above, below = times(above, n), times(below, d)
            else:
                above, below = times(above, d), times(below, n)
        return above, below

    def attained(self, i: int) -> Iterator[str]:
        """Yield the lemma that a mechanism attains the formula i."""
        values = self.ranges()
        rows = []
        for row in self.claim["formulas"][i]["rows"]:
            arms = " ".join(
                f"| {n}%nat => {'true' if digit == '1' else 'false'}" for n, digit in enumerate(row["classes"])
            )
            own = "true" if row["own"] == "1" else "false"
            above, below = map(self.polynomial, self.pair(row["weight"]))
            rows.append(
                f"RowKind {row['decision']} (fun i => match i with {arms} | _ => false end) {own} ({above} / {below})"
            )
        used = sorted({int(row["decision"]) for row in self.claim["formulas"][i]["rows"]})
        yield (
            f"Lemma {self.name}_attained_{i} k m F {' '.join(self.variables)} : {self.hypotheses()} ->\n"
            f"  (forall h, (h < {len(self.owners)})%nat -> one_output_each k m F h) ->\n"
            f"  exists P, mechanism k m P /\\ private k m (1 + u) 0 P /\\\n"
            f"    expected_cost k m (family_cost F {self.costs(values)}) P = {self.value(i, values)}."
        )
        yield f"Proof.\n  intros {self.intros()} E."
        for h in used:
            yield (
                f"  pose proof (E {h}%nat ltac:(lia)) as E{h}. assert (C{h} : 0 < count m F {h}) by "
                f"(rewrite (proj1 E{h}), O{h}; rewrite ?N{self.owners[h] or 0}; positive)."
            )
        yield f"  set (rs := [{'; '.join(rows)}])."
        yield f"  pose proof (family_attained k m F {self.costs(values)} rs u K P{len(self.variables) - 1} W) as A."
        yield (
            "  assert (A1 : forall r, In r rs -> 0 <= row_weight r /\\ 0 < count m F (of_decision r) /\\ "
            "one_output_each k m F (of_decision r))."
        )
        yield (
            "  { intros r ["
            + "|[".join(["<-"] * len(rows))
            + "|[]"
            + "]" * len(rows)
            + "; cbn [row_weight of_decision]; (split; [nonneg_quotient|split; assumption]). }"
        )
        yield (
            "  assert (A2 : forall i, (i < classes F)%nat -> over_kinds rs (fun r => row_weight r * "
            "members k F r i) = size k F i)."
        )
        owners = ", ".join(f"?O{h}" for h in used)
        yield (
            f"  {{ rewrite G. intros i I. unfold rs, over_kinds, members, owned. cbn [map list_sum "
            f"row_weight of_decision in_classes own_in]. rewrite {owners}."
        )
        for n in range(self.groups):
            yield f"    destruct i as [|i]; [rewrite ?N{n}; cbn [Nat.eqb one]; try (field; nonzero); ring|]."
        yield "    lia. }"
        yield (
            "  specialize (A A1 A2). destruct A as (A & B & V). exists (family_mechanism m F rs u). "
            "split; [exact A|split; [exact B|]]. rewrite V."
        )
        sizes = ", ".join(f"?N{n}" for n in range(self.groups))
        yield (
            "  unfold rs, all_weight, over_kinds, row_cost, total, owned. cbn [map list_sum row_weight "
            f"of_decision in_classes own_in]. rewrite {owners}, G. cbn [sum Nat.eqb one]. rewrite {sizes}."
        )
        yield f"  cbn [{self.name}_cost {self.name}_right one]. field; nonzero.\nQed."

    def closing(self) -> Iterator[str]:
        """Yield the theorem."""
        values = {**self.stated(), "gamma": "gamma"}
        whole = [one["name"] for one in self.parameters if one["whole"]]
        real = [one["name"] for one in self.parameters if not one["whole"]]
        ranges = []
        for one in self.parameters:
            low = number(Fraction(one["from"]))
            if one["whole"]:
                ranges.append(f"({low} <= {one['name']})%nat")
            else:
                ranges.append(
                    f"{low} < {one['name']}" + ("" if one["to"] is None else f" < {number(Fraction(one['to']))}")
                )
        sizes = "; ".join(c["size"] for c in self.problem["classes"])
        owners = "; ".join("None" if o is None else f"Some {o}" for o in self.owners)
        first, *others = (self.value(i, values) for i in range(len(self.claim["formulas"])))
        binders = " ".join([*([f"({' '.join(whole)} : nat)"] if whole else []), f"({' '.join([*real, 'gamma'])} : R)"])
        yield (
            f"Theorem {self.name} : forall {binders}, {' -> '.join([*ranges, '1 < gamma'])} ->\n"
            f"  let ns := [{sizes}]%nat in let owners := [{owners}]%nat in\n"
            f"  optimum (categories ns) (outputs ns owners) (layout ns owners) {self.costs(self.stated())} gamma\n"
            f"    (least {first} [{'; '.join(others)}])."
        )
        yield (
            "Proof.\n  intros "
            f"{' '.join([*whole, *real, 'gamma', *(f'R{n}' for n in range(len(ranges))), 'H', 'ns', 'owners'])}."
        )
        for n, one in enumerate(self.parameters):
            name, low = one["name"], number(Fraction(one["from"]))
            if one["whole"]:
                yield (
                    f"  assert (B{n} : exists t, 0 <= t /\\ INR {name} = {low} + t). {{ exists (INR {name} "
                    f"- {low}). apply le_INR in R{n}. replace (INR {low}) with {low} in R{n} by (cbn; "
                    f"ring). split; lra. }}"
                )
            elif one["to"] is None:
                yield (
                    f"  assert (B{n} : exists t, 0 < t /\\ {name} = {low} + t) by (exists ({name} - "
                    f"{low}); split; lra)."
                )
            else:
                yield f"  pose proof (between _ _ _ R{n}) as B{n}."
            yield f"  destruct B{n} as (t_{name} & T{n} & E{n})."
        yield (
            "  assert (U : exists u, 0 < u /\\ gamma = 1 + u) by (exists (gamma - 1); split; lra). "
            "destruct U as (u & U & EU). subst gamma."
        )
        for one in self.parameters:
            if not one["whole"]:
                yield f"  subst {one['name']}."
        yield "  set (k0 := categories ns). set (m0 := outputs ns owners). set (F := layout ns owners)."
        yield "  assert (W : well_formed k0 m0 F) by apply layout_well_formed."
        for i, each in enumerate(self.problem["classes"]):
            yield f"  assert (S{i} : size k0 F {i} = {self.expression(each['size'], self.ranges())})."
            rest = f"exact E{self.names.index(each['size'])}" if each["size"] in self.names else "ring"
            yield (
                f"  {{ unfold k0, F. rewrite layout_size by (cbn; lia). cbn [nth ns]. "
                f"{'cbn; ' if rest == 'ring' else ''}{rest}. }}"
            )
        yield (
            "  assert (K : (0 < k0)%nat). "
            "{ unfold k0, categories, list_of_classes. cbn. rewrite ?app_length, ?repeat_length; cbn; lia. }"
        )
        yield (
            f"  assert (D : forall d, (d < m0)%nat -> (decision F d < {len(self.owners)})%nat) by (intros "
            "d Y; apply (layout_decision ns owners d Y))."
        )
        yield (
            f"  assert (E : forall h, (h < {len(self.owners)})%nat -> one_output_each k0 m0 F h) by "
            "(intros h Y; apply (layout_outputs ns owners h Y))."
        )
        for n, one in enumerate(self.parameters):
            if one["whole"]:
                yield f"  rewrite E{n} in *."
        count = len(self.claim["formulas"])
        pattern = "[" + "|[".join(["<-"] * count) + "|[]" + "]" * count
        yield "  apply least_formula; intros w I."
        branches = " | ".join(
            f"apply ({self.name}_attained_{i} k0 m0 F {' '.join(self.variables)}); auto" for i in range(count)
        )
        yield f"  - destruct I as {pattern}; [{branches}]."
        listed = []
        for i in range(count):
            listed.append(
                f"intros X P M R; apply ({self.name}_bound_{i} k0 m0 F {' '.join(self.variables)} P); "
                "auto; apply X; cbn; auto 9"
            )
        yield f"  - destruct I as {pattern}; [{' | '.join(listed)}].\nQed."

    def __str__(self) -> str:
        lines: list[str] = [f"(* {self.name} *)", *self.definitions()]
        for i in range(len(self.claim["formulas"])):
            lines += self.bound(i)
            lines += self.attained(i)
        return "\n".join([*lines, *self.closing()])


def text_of(named: Sequence[tuple[str, dict[str, Any]]]) -> str:
    """Return the file of theorems."""
    tactics = (
        "Ltac quotient x := match goal with |- 0 <= ?y => replace y with x by (field; nonzero) end.\n"
        "Ltac nonneg_quotient := first [solve [nonneg] | apply quotient_nonneg; [nonneg|positive]].\n"
    )
    return "\n\n".join([HEADER + tactics, *(str(Theorem(name, data)) for name, data in named)]) + "\n"


if __name__ == "__main__":
    pairs = zip(sys.argv[1::2], sys.argv[2::2], strict=True)
    sys.stdout.write(text_of([(name, json.loads(Path(file).read_text())) for name, file in pairs]))
