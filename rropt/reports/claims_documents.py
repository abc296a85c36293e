"""Verdicts on claims as a document for a paper: HTML, Markdown or LaTeX, from a run or from the file that it wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rropt.claims.outcomes import Outcome
from rropt.claims.verifications import Verification
from rropt.claims.written_claims import WrittenPart, written_parts
from rropt.core.version import installed_version
from rropt.core.visible import with_noun
from rropt.reports.document_writers import Block, Document, Heading, Paragraph
from rropt.reports.records import table

WORDS: Mapping[str, str] = table("texts/claims_page.toml")["verdicts"]


def claims_document(runs: Sequence[Verification], title: str | None = None) -> Document:
    """Return the verdicts of runs of claims: a table, and for each claim what can be cited.

    Args:
        runs: the runs; a claim that several of them judged is shown once.
        title: the title; by default that of the paper, if there is one.
    """
    papers = {paper.id: paper.title for run in runs for paper in run.papers}
    named = next(iter(papers.values())) if len(papers) == 1 else "Claims and their verdicts"
    return Document(title or named, (*claims_blocks(runs), Paragraph(f"Computed by rropt {installed_version()}.")))


def verdict_counts(outcomes: Sequence[Outcome]) -> str:
    """Return the number of claims of each verdict, in words."""
    counts = {verdict: sum(outcome.verdict == verdict for outcome in outcomes) for verdict in WORDS}
    return ", ".join(f"{count} {_verb(WORDS[verdict], count)}" for verdict, count in counts.items() if count)


def _verb(word: str, count: int) -> str:
    """Return the words of a verdict for so many claims: one holds, two hold."""
    first, blank, rest = word.partition(" ")
    return word if count == 1 or first not in ("holds", "fails") else f"{first[:-1]}{blank}{rest}"


def claims_blocks(runs: Sequence[Verification]) -> Iterator[Block]:
    """Yield the blocks of the verdicts of runs of claims."""
    outcomes = {outcome.id: outcome for run in runs for outcome in run.outcomes}
    yield Paragraph(f"{with_noun(len(outcomes), 'claim')}: {verdict_counts([*outcomes.values()])}.")
    rows = tuple((name, outcome.verdict_text, outcome.label) for name, outcome in outcomes.items())
    yield WrittenPart("Verdicts", (), ("claim", "verdict", "evidence"), rows)
    yield from (block for outcome in outcomes.values() for block in _claim(outcome))


def _claim(outcome: Outcome) -> Iterator[Block]:
    yield Heading(outcome.id)
    yield from written_parts(outcome)
    again = f"rropt verify {outcome.id} --explain; for a claim of your own file of cards, rropt verify FILE --explain"
    yield Paragraph(f"Compute it again: {again}")
