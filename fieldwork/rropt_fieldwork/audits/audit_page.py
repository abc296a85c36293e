"""The report of an audit in plain words: the claim, the result, and the limits of its interpretation.

Input: an ``Audit``. Output: a document. Its sentences are in ``texts/audit_page.toml``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rropt.core.exact.display import decimal_outwards
from rropt.reports.document_writers import Block, Document, Heading, Paragraph
from rropt.reports.records import table
from rropt_fieldwork.audits import Audit

_MOST_NAMED = 12  # responses of the set that are listed
_TEXTS: Mapping[str, str] = table("texts/audit_page.toml")


def audit_page(found: Audit) -> Document:
    """Return the page on an audit.

    Args:
        found: the result of ``rropt_fieldwork.audit``.
    """
    called = _TEXTS["called"].format(calls=found.calls, stopped=found.stopped)
    done = [called] * (found.calls is not None) + [_test(found)] * bool(found.event)
    blocks: list[Block] = [Paragraph(_answer(found)), *(Paragraph(f"Remark: {text}") for text in found.remarks())]
    blocks += [Heading("What was done"), *map(Paragraph, done)] if done else []
    blocks += [Heading("How to read it"), *map(Paragraph, _reading(found))]
    blocks += [Heading("All numbers"), ("", None, found.lines())]
    return Document("Audit of a black box", tuple(blocks))


def _answer(found: Audit) -> str:
    """Return the answer in one sentence."""
    if found.gamma == 1:
        return _TEXTS["nothing"]
    beside = "" if found.delta == 0 else f" (with delta = {decimal_outwards(found.delta, up=False, digits=6)})"
    bound = decimal_outwards(found.epsilon_at_least, up=False, digits=6)
    said = _TEXTS["bound"].format(sure=_percent(found.confidence, up=False), bound=bound, beside=beside)
    if found.claim is None:
        return said
    verdict = "refuted" if found.refuted else "not refuted"
    return _TEXTS["claim"].format(claim=found.claim, beside=beside, verdict=verdict, said=said)


def _test(found: Audit) -> str:
    """Return the description of the test."""
    (first, second), (n0, n1), (hits0, hits1) = found.inputs, found.samples, found.hits
    return _TEXTS["test"].format(
        chosen=_TEXTS["chosen"].format(explored=max(found.explored)) if any(found.explored) else "",
        listed=", ".join(found.event[:_MOST_NAMED]),
        more=f" and {len(found.event) - _MOST_NAMED} more" if len(found.event) > _MOST_NAMED else "",
        first=first,
        second=second,
        n0=n0,
        n1=n1,
        hits0=hits0,
        hits1=hits1,
    )


def _reading(found: Audit) -> list[str]:
    """Return the interpretation of the result and its limits."""
    rule = "e-value" if found.method == "e-value" else "clopper-pearson"
    error = 1 - found.confidence
    return [
        _TEXTS["chance"].format(error=_percent(error, up=True)),
        *(_TEXTS[key] for key in ("lower", rule)),
        _TEXTS["one" if found.tests == 1 else "several"].format(
            error=decimal_outwards(error, up=False, digits=6), tests=found.tests
        ),
        _TEXTS["exact"],
    ]


def _percent(value: Fraction, *, up: bool) -> str:
    return f"{decimal_outwards(100 * value, up=up, digits=6)} %"
