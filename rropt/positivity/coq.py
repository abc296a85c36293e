"""Coq export, the second kernel: a certificate as a self-contained theorem about real numbers.

The proof is generated without search, so that Debian's ``coq`` package (8.16) compiles a theorem in a fraction of a
second. Of a Handelman sum: the identity by ``field``, each product of hypotheses by ``Rmult_le_pos``. Of an identity:
both sides as they stand in the certificate, for all numbers at which no divisor is 0.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from rropt.certificates import Certificate
from rropt.errors import UnsupportedProblemError
from rropt.positivity.coq_identities import NO_DIVISOR_IS_ZERO, identity_theorem
from rropt.positivity.coq_terms import number, real

HEADER = f"Require Import Reals Lra Nsatz.\nOpen Scope R_scope.\n\n{NO_DIVISOR_IS_ZERO}"


def coq_theorem(name: str, certificate: Certificate) -> str:
    """Return the text of a Coq theorem for a certificate; ``HEADER`` goes before the first.

    Args:
        name: of the theorem; characters that Coq does not allow become underscores.
        certificate: an accepted certificate of the rule ``handelman`` or ``identity``.

    Raises:
        UnsupportedProblemError: a certificate of another rule.
    """
    document = certificate.to_dict()
    problem, witness = document["problem"], document["witness"]
    if witness["rule"] == "identity":
        return identity_theorem(re.sub(r"[^A-Za-z0-9_]", "_", name), problem, witness)
    if witness["rule"] != "handelman":
        raise UnsupportedProblemError(
            f"only the rules handelman and identity are exported: received rule {witness['rule']}"
        )
    strict = document["claim"]["kind"] == "positive"
    hypotheses = [(real(h["polynomial"]), h["relation"]) for h in problem["hypotheses"]]
    polynomial = real(problem["polynomial"])
    terms = witness["terms"]
    assumed = "".join(f"  ({text} {relation} 0) ->\n" for text, relation in hypotheses)
    quantified = f"forall {' '.join(problem['parameters'])} : R,\n" if problem["parameters"] else ""
    goal = ">" if strict else ">="
    names = [f"H{i}" for i in range(len(hypotheses))]
    lines = [
        f"Theorem {re.sub(r'[^A-Za-z0-9_]', '_', name)} : {quantified}{assumed}  ({polynomial}) {goal} 0.",
        "Proof.",
        f"  intros {' '.join([*problem['parameters'], *names])}." if problem["parameters"] or names else "  intros.",
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
    # not by `replace`: where the polynomial is 0, a contradiction, it would replace the other 0 as well
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
    """Return tactics that prove 0 < or <= the product, from the outermost factor inwards."""
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
    """Return tactics that prove 0 < or <= T0 + T1 + ... (nested to the left)."""
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
