"""Identities as Coq theorems: two rational functions, as they are written, are equal where no divisor is 0.

Without relations ``field`` proves the identity. With relations r_i = 0 the certificate says
``n e - m d = sum c_i r_i`` for the sides n/d and m/e, so their difference is ``(sum c_i r_i)/(d e)``, which is 0.
"""

from __future__ import annotations

from typing import Any

from rropt.positivity.coq_terms import divisors, real

NO_DIVISOR_IS_ZERO = """\
(* what field leaves over: a divisor is not 0, by a hypothesis that says so of it or of a multiple *)
Ltac no_divisor_is_zero :=
  repeat split;
  first
    [ assumption
    | lra
    | let Z := fresh in intro Z; match goal with H : _ <> 0 |- _ => apply H; nsatz end ].
"""


def identity_theorem(name: str, problem: dict[str, Any], witness: dict[str, Any]) -> str:
    """Return the text of the theorem for the problem and the witness of an accepted identity."""
    left, right = real(problem["left"]), real(problem["right"])
    relations = [real(relation) for relation in problem["relations"]]
    apart = list(dict.fromkeys((*divisors(problem["left"]), *divisors(problem["right"]))))
    quantified = f"forall {' '.join(problem['variables'])} : R,\n" if problem["variables"] else ""
    assumed = "".join(f"  ({divisor} <> 0) ->\n" for divisor in apart)
    assumed += "".join(f"  ({relation} = 0) ->\n" for relation in relations)
    names = [*problem["variables"], *(f"D{i}" for i in range(len(apart))), *(f"E{i}" for i in range(len(relations)))]
    steps = [f"intros {' '.join(names)}." if names else "intros."]
    if problem["left"] == problem["right"]:
        steps.append("reflexivity.")
    elif relations:
        zero = " + ".join(f"({real(c)} * {r})" for c, r in zip(witness["cofactors"], relations, strict=True))
        below = " * ".join(_divisor(problem[side]) for side in ("left", "right"))
        steps += [
            "apply Rminus_diag_uniq.",
            f"replace ({left} - {right}) with (({zero}) / ({below})) by (field; no_divisor_is_zero).",
            f"replace ({zero}) with 0 by ({'; '.join(f'rewrite E{i}' for i in range(len(relations)))}; ring).",
            "unfold Rdiv; apply Rmult_0_l.",
        ]
    else:
        steps.append("field; no_divisor_is_zero." if apart else "field.")
    proof = "".join(f"  {step}\n" for step in steps)
    return f"Theorem {name} : {quantified}{assumed}  {left} = {right}.\nProof.\n{proof}Qed.\n"


def _divisor(side: Any) -> str:
    """Return what a side is divided by as a whole; 1 where it is no quotient."""
    return real(side["quotient"][1]) if isinstance(side, dict) and "quotient" in side else "1"
