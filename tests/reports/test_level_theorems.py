"""A certificate of every level as a file for Coq: its text, that Coq accepts it, and that it refuses a false one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from few_rows import few_rows
from level_certificates import level_certificate

import rropt
from rropt.claims.positivity import prove_identity
from rropt.core.certificates import Certificate
from rropt.core.errors import UnsupportedProblemError
from rropt.reports.coq_files import certificate_theorems

TIES = (("0", "1/3", "1/3", "-1/2"), ("1/3", "0", "1/3", "0"), ("1/3", "1/3", "0", "0"), ("1/4", "1/4", "1/4", "0"))
with_coq = pytest.mark.skipif(
    shutil.which("coqc") is None,
    reason="coqc is not installed (apt-get install coq)",
)


def compiled(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "levels.v").write_text(text, encoding="utf-8")
    command = ["coqc", "-w", "-require-in-module", "levels.v"]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=120)


def test_the_file_needs_nothing_else() -> None:
    """Only Coq's own library is read, nothing is assumed, and each piece has its theorem with its interval."""
    text = certificate_theorems(Certificate(level_certificate()))
    assert set(re.findall(r"From (\w+) ", text)) == {"Coq"}
    bare = re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)
    assert not re.search(r"\b(Admitted|admit|Axiom|Parameter|Conjecture|Hypothesis|Abort)\b", bare)
    assert "Theorem piece1_is_best : forall gamma, 1 <= gamma -> 1 <= gamma -> gamma <= 2 + 1 * sqrt 5 ->" in text
    assert "gamma (((5 / 4) + (1 / 4) * gamma) / (1 + gamma)) (cover_mechanism" in text
    assert "Theorem piece2_is_best : forall gamma, 1 <= gamma -> 2 + 1 * sqrt 5 <= gamma ->" in text
    assert text.count("Theorem piece") == 2
    assert text.count("\nModule ") == text.count("\nEnd ") == 5


def test_other_statements() -> None:
    """A polynomial identity has its theorem too; what has none says so."""
    assert "Theorem certificate : " in certificate_theorems(prove_identity("x + x", "2*x"))
    binary = rropt.design.binary("1/10", epsilon="log(3)", fast=True)
    with pytest.raises(UnsupportedProblemError, match="allowed are every-level and polynomial"):
        certificate_theorems(binary.certificate)
    document = json.loads(level_certificate())
    document["question"] = "x" * 50_000
    with pytest.raises(UnsupportedProblemError, match="too long for Coq"):
        certificate_theorems(Certificate(json.dumps(document)))


@with_coq
@few_rows(1)
@pytest.mark.parametrize(
    "text", [level_certificate(), level_certificate(TIES, "3/2", "10")], ids=["to infinity", "ties"]
)
def test_coq_accepts_it(text: str, tmp_path: Path) -> None:
    done = compiled(certificate_theorems(Certificate(text)), tmp_path)
    assert done.returncode == 0, done.stderr
    used = set(re.findall(r"^(\S+)(?: :|$)", done.stdout.partition("Axioms:\n")[2], re.MULTILINE))
    assert used <= {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }


@pytest.mark.slow
@with_coq
@few_rows(1)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"2","1","5"', '"3","1","5"'),  # a breakpoint moved, of the piece and of its cell
        ('["11/4","0","2"]', '["21/8","0","2"]'),  # a lower value
    ],
)
def test_coq_refuses_a_false_one(old: str, new: str, tmp_path: Path) -> None:
    text = level_certificate()
    assert old in text
    done = compiled(certificate_theorems(Certificate(text.replace(old, new))), tmp_path)
    assert done.returncode == 1
    assert "Unable to unify" in done.stderr
    assert "Error" in done.stderr
