"""The theorems of Coq that state claims: table, texts, and, where coqc is installed, proofs, statements and axioms."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import coq_proofs
import pytest
from shared_outcomes import record

import rropt_proofs

FOLDER = Path(rropt_proofs.__path__[0])
SOURCES = FOLDER / "coq"
TABLE = json.loads((SOURCES / "theorems.json").read_text(encoding="utf-8"))
ROWS = TABLE["theorems"]
RECORD = record()
AXIOMS = {  # of the real numbers of the standard library, and the law of the excluded middle
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}
CHANGES = [  # a theorem, and a part of its statement with what replaces it
    (
        "chai_nayak_lemma_4_1_garbling_does_not_raise_parity",
        "(parity k m A) (parity k r P)",
        "(parity k r P) (parity k m A)",
    ),
    ("chai_nayak_theorem_4_4a_trace_bound", "gamma + INR k - 1", "gamma + INR k"),
    ("chai_nayak_theorem_1_1_condition_is_necessary", "0 < rho1 < rho2", "0 < rho2 < rho1"),
    ("chai_nayak_theorem_1_2_factor_private_iff_parity_is_at_most_beta", "1 < beta", "0 < beta"),
    ("chai_nayak_proposition_4_1_optimal_binary_procedure", "garbling 2 2 m", "garbling 2 m 2"),
    ("chai_nayak_theorem_4_2_the_core_is_admissible", "in_core k m gamma A", "in_class k m gamma A"),
    ("chai_nayak_theorem_4_3_admissible_iff_in_the_core", "1 < gamma", "1 <= gamma"),
    ("chai_nayak_theorem_4_3_the_core_is_a_complete_class", "better k r m A P", "better k m r P A"),
    ("chai_nayak_lemma_4_4_C1_without_C2_is_inadmissible", "~ condition_C2 k m A", "condition_C2 k m A"),
]
UNPROVED = re.compile(
    r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Abort|bypass_check|Unset|Extract|Declare|Load|Add|native_compute)\b"
)


def _without_comments(text: str) -> str:
    return re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)


def _theorems(text: str) -> dict[str, str]:
    """Return the statement of each theorem of a file."""
    found = re.findall(r"^Theorem (\w+) :(.*?)\.\s*\nProof\b", text, re.DOTALL | re.MULTILINE)
    return {name: " ".join(statement.split()) for name, statement in found}


def test_the_table_names_claims_and_theorems_that_exist() -> None:
    assert {row["claim"] for row in ROWS} <= set(RECORD)
    assert len({row["claim"] for row in ROWS}) >= 30
    assert len({row["theorem"] for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert set(row) == {"claim", "theorem", "proves", "file", "statement"}
        assert row["file"] in TABLE["files"]
        assert _theorems((SOURCES / row["file"]).read_text(encoding="utf-8"))[row["theorem"]] == row["statement"]


def test_every_theorem_of_the_files_is_in_the_table() -> None:
    assert {path.name for path in SOURCES.glob("*.v")} == set(TABLE["files"])
    written = {name for file in TABLE["files"] for name in _theorems((SOURCES / file).read_text(encoding="utf-8"))}
    assert written == {row["theorem"] for row in ROWS}


def test_what_the_table_says_of_a_claim_fits_its_verdict() -> None:
    """A claim that fails has a theorem of its correction, and one that holds has none."""
    for row in ROWS:
        verdict = RECORD[row["claim"]]["verdict"]
        if verdict in {"holds", "fails"}:  # else the label says which reading, or which assumption
            assert row["proves"].startswith("the correction") == (verdict == "fails"), row["claim"]


@pytest.mark.parametrize("file", TABLE["files"])
def test_the_files_assume_nothing(file: str) -> None:
    text = _without_comments((SOURCES / file).read_text(encoding="utf-8"))
    assert UNPROVED.findall(text) == []
    imports = re.findall(r"^(?:From (\w+) )?Require Import (.*)\.$", text, re.MULTILINE)
    assert {library for library, _ in imports} <= {"Coq", "Rropt"}
    if file == "Definitions.v":  # definitions alone
        assert not re.search(r"\b(Theorem|Lemma|Axiom|Hypothesis|Variable|Instance|Notation)\b", text)


def test_what_coq_reads_otherwise_has_another_hash() -> None:
    """The hash of accepted proofs does not depend on comments, but on all that Coq makes of them."""
    digest = coq_proofs.digest
    assert digest("intros x. (* one *) ring.") == digest("intros x. (* another *) ring.")
    assert digest("intros x. (* (* no end *) ring.") != digest("intros x. (* one *) ring.")
    assert digest("intros x(**)y.") != digest("intros xy.")


@pytest.mark.skipif(
    shutil.which("coqc") is None,
    reason="coqc is not installed (apt-get install coq)",
)
def test_the_theorems_are_proved_as_stated(tmp_path: Path) -> None:
    """At most the named axioms are used; a run at the default size compiles accepted files without their proofs.

    A theorem is proved a second time as the statement of the table, and both have the same text when Coq prints them.
    """
    names = [file.removesuffix(".v") for file in TABLE["files"]]
    parts = [f"Module {name}.\n{(SOURCES / f'{name}.v').read_text('utf-8')}\nEnd {name}." for name in names]
    text = "\n".join(parts)
    lines = [
        coq_proofs.to_compile(text),
        "From Coq Require Import Reals List.",
        f"Import {' '.join(names)} ListNotations.",
    ]
    lines += ["Local Open Scope R_scope.", "Set Printing Width 200.", *_changed_statements()]
    for i, row in enumerate(ROWS):
        lines += [f"Lemma stated_{i} : {row['statement']}.\nProof. exact {row['theorem']}. Qed."]
        lines += [f"Check {row['theorem']}.\nCheck stated_{i}."]
    lines += [
        f"Definition all_of_them := ({', '.join(row['theorem'] for row in ROWS)}).\nPrint Assumptions all_of_them.\n"
    ]
    (tmp_path / "Whole.v").write_text("\n".join(lines).replace("From Rropt Require Import", "Import"), encoding="utf-8")
    # one process: each would read the real numbers again
    command = ["coqc", "-w", "-require-in-module", "Whole.v"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=600)
    assert done.returncode == 0, done.stderr
    types, axioms = done.stdout.split("Axioms:\n")
    printed = {name: " ".join(told.split()) for name, told in _printed(types)}
    for i, row in enumerate(ROWS):
        assert printed[row["theorem"]] == printed[f"stated_{i}"] != ""
    if text not in lines:
        return  # without its proofs
    used = set(re.findall(r"^(\S+)", axioms, re.MULTILINE))  # types stand behind a name, or indented below it
    assert used <= AXIOMS
    assert "ClassicalDedekindReals.sig_forall_dec" in used  # the pattern sees them
    coq_proofs.require_recorded(text)


def _changed_statements() -> list[str]:
    """Statements with one relation or bound changed are not what the theorem proves: Coq refuses each.

    `Fail` is an error where the theorem proves the changed statement.
    """
    statements = {row["theorem"]: row["statement"] for row in ROWS}
    assert all(old in statements[theorem] for theorem, old, _ in CHANGES)
    return [
        f"Goal {statements[theorem].replace(old, new)}.\nProof. Fail exact {theorem}. Abort."
        for theorem, old, new in CHANGES
    ]


def _printed(text: str) -> list[tuple[str, str]]:
    """Return the types that Coq printed, by name."""
    return re.findall(r"^(\w+)\n\s+: (.*?)(?=^\w+\n\s+: |\Z)", text, re.DOTALL | re.MULTILINE)
