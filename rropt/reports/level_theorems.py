"""A certificate of every level as one file for the proof assistant Coq, which needs nothing but Coq's own library.

The file has the definitions and the proofs of ``kernels/coq/EveryLevel.v``, the numbers of the certificate, a theorem
about all levels, and one for each piece in ordinary formulas. Coq runs the checker of that file on the numbers
(``vm_compute``), and its theorem gives the rest.
"""

from __future__ import annotations

import re
from fractions import Fraction
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

from rropt.claims.positivity.coq import number
from rropt.core.certificates import Certificate
from rropt.core.errors import UnsupportedProblemError

_MODULES = ("Definitions", "Sums", "Statement", "Numbers", "EveryLevel")  # each reads those before it
_LIBRARY = "Reals QArith Qreals Qreduction Lra Lia List Bool Arith"
# of Statement.v only what this statement needs: from a first line up to the line before another one
_PARTS = (
    ("(* A list of rationals is read as", "(* Levels: epsilon"),
    ("(* One cost for every output", "Inductive claim"),
)
_MOST_BYTES = 40_000  # of a certificate; Coq then computes for minutes


def level_theorems(certificate: Certificate) -> str:
    """Return a file for ``coqc``: the optimum at every level of an accepted certificate ``every-level``.

    Raises:
        UnsupportedProblemError: the certificate is longer than 40 000 characters.
    """
    document = certificate.to_dict()
    if len(certificate.to_json()) > _MOST_BYTES:
        raise UnsupportedProblemError(
            f"the certificate is too long for Coq: received {len(certificate.to_json())} characters; allowed are "
            f"{_MOST_BYTES}; let the checker judge it that is proved in Coq (make coq)"
        )
    problem, pieces = document["problem"], document["claim"]["pieces"]
    costs, names = problem["costs"], [f"piece{i}" for i in range(1, len(pieces) + 1)]
    m, k = len(costs), len(costs[0])
    starts = [problem["from"], *(piece["to"] for piece in pieces[:-1])]
    all_costs = _listed(_listed(map(_rational, row)) for row in costs)
    lines = [
        *_library(),
        f"Import {' '.join(_MODULES)} ListNotations.\nLocal Open Scope R_scope.\n",
        "(* The problem: costs of outputs (rows) and categories (columns), and the interval of gamma. *)",
        f"Definition costs : list (list Q) := {all_costs}.",
        f"Definition start : level_point := {_point(problem['from'])}.",
        f"Definition stop : option level_point := {_end(problem['to'])}.\n",
        "(* The claim: each piece with its end, its value (a + b gamma)/(c + gamma), and the rows of its mechanism. *)",
    ]
    lines += [_piece(name, piece) for name, piece in zip(names, pieces, strict=True)]
    lines += [
        f"Definition pieces : list level_piece := {_listed(names)}.\n",
        "(* The proof: quadratics in gamma - 1. *)",
    ]
    lines += [_cells(f"cells_of_{name}", own) for name, own in zip(names, document["proof"]["cells"], strict=True)]
    lines += [
        f"Definition cells : list (list level_cell) := {_listed(f'cells_of_{name}' for name in names)}.\n",
        f"Lemma accepted : check_every_level {k} costs start stop pieces cells = true.",
        "Proof. vm_compute. reflexivity. Qed.\n",
        "(* At every gamma of the interval some piece holds, and each piece that holds has the least cost. *)",
        f"Theorem every_level_is_solved : best_at_every_level {k} costs start stop pieces.",
        "Proof. exact (check_every_level_ok _ _ _ _ _ _ accepted). Qed.\n",
        _LTAC,
    ]
    ends = pairwise([*starts, pieces[-1]["to"]])
    lines += [_theorem(name, m, k, piece, *at) for name, piece, at in zip(names, pieces, ends, strict=True)]
    return "\n".join(lines) + "\nPrint Assumptions every_level_is_solved.\n"


_LTAC = """\
Ltac numbers := cbn [ending up_to]; unfold point_of, Q2R; cbn [rational factor radicand Qnum Qden]; lra.
Ltac is_a_piece := cbn; repeat (first [left; reflexivity | right]).
"""


def _library() -> list[str]:
    """Return the proofs that a certificate needs, each file as a module; Coq's library is read once, in front."""
    texts = {name: _source(name) for name in _MODULES}
    statement = texts["Statement"]
    kept = [statement[statement.index(first) : statement.index(last)] for first, last in _PARTS]
    texts["Statement"] = "\n".join(["Import Definitions ListNotations.\nLocal Open Scope R_scope.\n", *kept])
    lines = [f"From Coq Require Import {_LIBRARY}.\n"]
    for name, text in texts.items():
        text = re.sub(r"^From Coq Require Import .*\n", "", text, flags=re.MULTILINE)
        text = re.sub(r"^From (?:Rropt|Kernel) Require ", "", text, flags=re.MULTILINE)
        lines.append(f"Module {name}.\n{text.strip()}\nEnd {name}.\n")
    return lines


def _source(name: str) -> str:
    """Return a file of proofs: of the registry, or of the proved checker (in the wheel, or in the repository)."""
    here = Path(__file__)
    places = (here.parent / "coq", here.parents[2] / "kernels" / "coq", files("rropt_proofs") / "coq")
    for place in places:
        if (file := place / f"{name}.v").is_file():
            return file.read_text("utf-8")
    raise FileNotFoundError(f"the proofs {name}.v are missing: install rropt again")


def _listed(parts: Any) -> str:
    return f"[{'; '.join(parts)}]"


def _rational(text: str) -> str:
    value = Fraction(text)
    return f"({value.numerator} # {value.denominator})"


def _point(parts: list[str]) -> str:
    p, q, root = parts if len(parts) == 3 else (parts[0], "0", "1")
    return f"(LevelPoint {_rational(p)} {_rational(q)} {root})"


def _end(parts: list[str] | None) -> str:
    return "None" if parts is None else f"(Some {_point(parts)})"


def _piece(name: str, piece: dict[str, Any]) -> str:
    rows = [
        f"CoverRow {d} {_listed('true' if bit == '1' else 'false' for bit in members)} {_rational(x)}"
        for d, members, x in piece["rows"]
    ]
    value = " ".join(map(_rational, piece["value"]))
    return f"Definition {name} : level_piece :=\n  LevelPiece {_end(piece['to'])} {value}\n    {_listed(rows)}."


def _cells(name: str, cells: list[dict[str, Any]]) -> str:
    told = [
        f"LevelCell {_end(cell['to'])} {_listed('Quadratic ' + ' '.join(map(_rational, y)) for y in cell['y'])}"
        for cell in cells
    ]
    return f"Definition {name} : list level_cell :=\n  [" + ";\n   ".join(told) + "]."


def _theorem(name: str, m: int, k: int, piece: dict[str, Any], low: list[str], high: list[str] | None) -> str:
    """Return the theorem of one piece, with its ends and its value in ordinary formulas, and its proof."""
    a, b, c = (number(Fraction(text)) for text in piece["value"])
    upper = "" if high is None else f" -> gamma <= {_formula(high)}"
    value = f"({a} + {b} * gamma) / ({c} + gamma)"
    return f"""\
Theorem {name}_is_best : forall gamma, 1 <= gamma -> {_formula(low)} <= gamma{upper} ->
  least_cost {k} {m} (mat costs) gamma ({value}) (cover_mechanism (cover {name}) gamma).
Proof.
  intros gamma G L{"" if high is None else " U"}. replace ({value}) with (piece_value {name} gamma).
  - apply (check_every_level_piece _ _ _ _ _ _ accepted gamma {_point(low)} {name} G); [is_a_piece | numbers |].
    {"exact I" if high is None else "unfold " + name + "; numbers"}.
  - unfold piece_value, {name}. cbn [value_a value_b value_c]. unfold Q2R. cbn [Qnum Qden]. f_equal; lra.
Qed.
"""


def _formula(parts: list[str]) -> str:
    """Return a point as an expression of Coq's reals."""
    p = number(Fraction(parts[0]))
    return p if len(parts) == 1 else f"{p} + {number(Fraction(parts[1]))} * sqrt {parts[2]}"
