"""Export to Coq, the second proof kernel: a certificate becomes a self-contained theorem about real numbers.

The proof script contains no search, so Debian's ``coq`` package (8.16) compiles a theorem in a fraction of a second.

A theorem of a Handelman sum proves the identity by ``field`` and the sign of each product of hypotheses by
``Rmult_le_pos``.

A theorem of an identity states both sides as they are in the certificate, for all numbers at which no divisor is 0.
Without relations, ``field`` proves it. With relations r_i = 0 and sides n/d and m/e, the certificate states
``n e - m d = sum c_i r_i``. The difference of the sides is therefore ``(sum c_i r_i)/(d e)``, which is 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rropt.core.certificates import Certificate
from rropt.core.errors import UnsupportedProblemError

NO_DIVISOR_IS_ZERO = """\
(* what field leaves over: a divisor is not 0, by a hypothesis that says so of it or of a multiple *)
Ltac no_divisor_is_zero :=
  repeat split;
  first
    [ assumption
    | lra
    | let Z := fresh in intro Z; match goal with H : _ <> 0 |- _ =>
        solve
          [ apply H; nsatz
          | apply H; unfold Rdiv; repeat match goal with |- context [/ ?x] => generalize (/ x); intro end; nsatz ]
      end ].
"""
HEADER = f"Require Import Reals Lra Nsatz.\nOpen Scope R_scope.\n\n{NO_DIVISOR_IS_ZERO}"
_KEYWORDS = re.compile(  # a variable with this name gets an apostrophe, which cannot occur in a certificate's names
    "as|at|by|cofix|do|else|end|exists2?|fix|for|forall|fun|if|in|is|let|match|mod|of|return|then|using|where|with"
)


def coq_theorem(name: str, certificate: Certificate) -> str:
    """Return the text of a Coq theorem for a certificate; a file of theorems must begin with ``HEADER``.

    Args:
        name: the name of the theorem; characters that Coq does not allow become underscores.
        certificate: an accepted certificate that is proved by the way ``handelman`` or ``identity``.

    Raises:
        UnsupportedProblemError: the certificate is proved by another way.
    """
    document = certificate.to_dict()
    problem, proof = document["problem"], document["proof"]
    if proof["way"] == "identity":
        return identity_theorem(re.sub(r"[^A-Za-z0-9_]", "_", name), problem, proof)
    if proof["way"] != "handelman":
        raise UnsupportedProblemError(
            f"only the ways handelman and identity are exported: received the way {proof['way']}"
        )
    strict = document["claim"]["relation"] == ">"
    hypotheses = [(real(h["polynomial"]), h["relation"]) for h in problem["hypotheses"]]
    polynomial = real(problem["left"])
    terms = proof["terms"]
    assumed = "".join(f"  ({text} {relation} 0) ->\n" for text, relation in hypotheses)
    variables = " ".join(map(real, problem["parameters"]))
    quantified = f"forall {variables} : R,\n" if variables else ""
    goal = ">" if strict else ">="
    names = [f"H{i}" for i in range(len(hypotheses))]
    lines = [
        f"Theorem {re.sub(r'[^A-Za-z0-9_]', '_', name)} : {quantified}{assumed}  ({polynomial}) {goal} 0.",
        "Proof.",
        f"  intros {' '.join([variables, *names])}.",
    ]
    products = []
    for t, term in enumerate(terms):
        product = _product(term, [text for text, _ in hypotheses])
        positive = strict and all(hypotheses[int(i)][1] == ">" for i, _ in term["powers"])
        relation = "<" if positive else "<="
        lines.append(f"  assert (T{t} : 0 {relation} {product}).")
        lines.append(f"  {{ {_product_proof(term, hypotheses, positive)} }}")
        products.append((product, positive))
    total = " + ".join(product for product, _ in products) or "0"
    # the tactic `replace` fails if the polynomial is 0 (a contradiction), since it would replace the other 0 too
    lines.append(f"  assert (E : {total} = {polynomial}) by (field).")
    lines.append(f"  apply {'Rlt_gt' if strict else 'Rle_ge'}.")
    through = "Rlt_le_trans" if strict else "Rle_trans"
    lines.append(f"  apply ({through} 0 ({total}) ({polynomial})); [ | apply Req_le; exact E ].")
    lines.append(f"  {_sum_proof([positive for _, positive in products], strict)}")
    lines.append("Qed.")
    return "\n".join(lines) + "\n"


def _product(term: dict[str, Any], hypotheses: list[str]) -> str:
    text = number(Fraction(term["coefficient"]))
    for i, e in term["powers"]:
        text = f"({text} * {hypotheses[int(i)]} ^ {e})"
    return text


def _product_proof(term: dict[str, Any], hypotheses: list[tuple[str, str]], positive: bool) -> str:
    """Return tactics that prove that the product is > 0 or >= 0, from the outermost factor inwards."""
    steps = ""
    for i, _ in reversed(term["powers"]):
        _, relation = hypotheses[int(i)]
        name = f"H{i}"
        if positive:
            steps += f"apply Rmult_lt_0_compat; [ | apply pow_lt; apply Rgt_lt; exact {name} ]. "
        else:
            weak = f"Rge_le; exact {name}" if relation == ">=" else f"Rlt_le; apply Rgt_lt; exact {name}"
            steps += f"apply Rmult_le_pos; [ | apply pow_le; apply {weak} ]. "
    value = Fraction(term["coefficient"])
    above = f"(IZR_lt 0 {value.numerator} eq_refl)"
    base = above if value.denominator == 1 else f"(Rdiv_lt_0_compat _ _ {above} (IZR_lt 0 {value.denominator} eq_refl))"
    return steps + (f"exact {base}." if positive else f"apply Rlt_le; exact {base}.")


def _sum_proof(positive: list[bool], strict: bool) -> str:
    """Return tactics that prove that T0 + T1 + ... (nested to the left) is > 0 or >= 0."""
    if not positive:
        return "apply Rle_refl."
    text, is_positive = "T0", positive[0]
    for t in range(1, len(positive)):
        if strict and is_positive:
            lemma = "Rplus_lt_0_compat" if positive[t] else "Rplus_lt_le_0_compat"
        elif strict and positive[t]:
            lemma, is_positive = "Rplus_le_lt_0_compat", True
        else:
            lemma = "Rplus_le_le_0_compat"
        text = f"({lemma} _ _ {text} T{t})"
    return f"exact {text}."


def real(tree: Any) -> str:
    """Return an expression tree in Coq's syntax for reals."""
    if isinstance(tree, str):
        return (f"{tree}'" if _KEYWORDS.fullmatch(tree) else tree) if tree[0].isalpha() else number(Fraction(tree))
    ((operation, parts),) = tree.items()
    if operation == "negative":
        return f"(- {real(parts)})"
    if operation == "power":
        return f"({real(parts[0])} ^ {parts[1]})"
    sign = {"sum": " + ", "product": " * ", "quotient": " / "}[operation]
    return f"({sign.join(real(part) for part in parts)})"


def number(value: Fraction) -> str:
    """Return a rational number in Coq's syntax for reals."""
    text = str(abs(value.numerator)) if value.denominator == 1 else f"({abs(value.numerator)} / {value.denominator})"
    return f"(- {text})" if value < 0 else text


def divisors(tree: Any) -> Iterator[str]:
    """Iterate over the factors of the divisors in an expression tree; none of them may be 0."""
    if isinstance(tree, str):
        return
    ((operation, parts),) = tree.items()
    for part in (parts,) if operation == "negative" else parts[:1] if operation == "power" else parts:
        yield from divisors(part)
    if operation == "quotient":
        yield from map(real, _factors(parts[1]))


def _factors(tree: Any) -> list[Any]:
    """Return the factors of a product of powers, without constant factors."""
    if isinstance(tree, dict) and "product" in tree:
        return [factor for part in tree["product"] for factor in _factors(part)]
    if isinstance(tree, dict) and "power" in tree:
        return _factors(tree["power"][0])
    if isinstance(tree, dict) and "negative" in tree:
        return _factors(tree["negative"])
    return [] if isinstance(tree, str) and not tree[0].isalpha() else [tree]


def identity_theorem(name: str, problem: dict[str, Any], stated: dict[str, Any]) -> str:
    """Return the text of the theorem for the problem and the proof of an accepted identity."""
    left, right = real(problem["left"]), real(problem["right"])
    relations = [real(hypothesis["polynomial"]) for hypothesis in problem["hypotheses"]]
    used = {i: real(c) for i, c in enumerate(stated["cofactors"]) if c != "0"}
    apart = list(dict.fromkeys((*divisors(problem["left"]), *divisors(problem["right"]))))
    variables = " ".join(map(real, problem["parameters"]))
    quantified = f"forall {variables} : R,\n" if variables else ""
    assumed = "".join(f"  ({divisor} <> 0) ->\n" for divisor in apart)
    assumed += "".join(f"  ({relation} = 0) ->\n" for relation in relations)
    names = [variables, *(f"D{i}" for i in range(len(apart))), *(f"E{i}" for i in range(len(relations)))]
    steps = [f"intros {' '.join(names)}."]
    if problem["left"] == problem["right"]:
        steps.append("reflexivity.")
    elif used:
        zero = " + ".join(f"({c} * {relations[i]})" for i, c in used.items())
        below = " * ".join(_divisor(problem[side]) for side in ("left", "right"))
        steps += [
            "apply Rminus_diag_uniq.",
            f"replace ({left} - {right}) with (({zero}) / ({below})) by (field; no_divisor_is_zero).",
            f"assert (Z : {zero} = 0) by ({_zero_proof(list(used))}).",
            "rewrite Z; unfold Rdiv; apply Rmult_0_l.",
        ]
    else:
        steps.append("field; no_divisor_is_zero." if apart else "field.")
    proof = "".join(f"  {step}\n" for step in steps)
    return f"Theorem {name} : {quantified}{assumed}  {left} = {right}.\nProof.\n{proof}Qed.\n"


def _zero_proof(used: list[int]) -> str:
    """Return a tactic that proves c r + c' r' + ... = 0 (nested to the left) from the relations with these indices.

    Each product is proved from its own relation, since rewriting with one relation would change other products that
    contain it.
    """
    parts = [f"(eq_trans (f_equal (Rmult _) E{i}) (Rmult_0_r _))" for i in used]
    text = parts[0]
    for part in parts[1:]:
        text = f"(eq_trans (f_equal2 Rplus {text} {part}) (Rplus_0_l 0))"
    return f"exact {text}"


def _divisor(side: Any) -> str:
    """Return the denominator of a side; 1 if the side is not a quotient."""
    return real(side["quotient"][1]) if isinstance(side, dict) and "quotient" in side else "1"
