"""The report of an audit in plain words: the claim, the result, and the limits of its interpretation.

Input: an ``Audit``. Output: a document.
"""

from __future__ import annotations

from rropt.audits import Audit
from rropt.core.exact import decimal_text
from rropt.reports.documents import Block, Document, Heading, Paragraph

_MOST_NAMED = 12  # responses of the set that are listed


def audit_page(found: Audit) -> Document:
    """Return the page on an audit.

    Args:
        found: the result of ``rropt.audit``.
    """
    called = f"A black box was called {found.calls} times. The audit ended for this reason: {found.stopped}."
    done = [called] * (found.calls is not None) + [_test(found)] * bool(found.event)
    blocks: list[Block] = [Paragraph(_answer(found)), *(Paragraph(f"Remark: {text}") for text in found.remarks())]
    blocks += [Heading("What was done"), *map(Paragraph, done)] if done else []
    blocks += [Heading("How to read it"), *map(Paragraph, _reading(found))]
    blocks += [Heading("All numbers"), ("", None, found.lines())]
    return Document("Audit of a black box", tuple(blocks))


def _answer(found: Audit) -> str:
    """Return the answer in one sentence."""
    sure = _percent(found)
    bound = decimal_text(found.epsilon_at_least, 6)
    beside = "" if found.delta == 0 else f" (with delta = {decimal_text(found.delta, 6)})"
    if found.gamma == 1:
        return "The responses refute no level above 0: this audit is no evidence against the box."
    said = f"At confidence {sure}, the epsilon of the box is at least {bound}{beside}."
    if found.claim is None:
        return said
    claim = found.claim
    if found.refuted:
        return f"The claim that epsilon is {claim}{beside} is refuted. {said}"
    return f"The claim that epsilon is {claim}{beside} is not refuted. {said}"


def _test(found: Audit) -> str:
    """Return the description of the test."""
    listed = ", ".join(found.event[:_MOST_NAMED])
    first, second = found.inputs
    more = f" and {len(found.event) - _MOST_NAMED} more" if len(found.event) > _MOST_NAMED else ""
    chosen = (
        f"The pair of inputs and the set S were chosen on {max(found.explored)} other responses of each input, and "
        "tested on the responses below. "
        if any(found.explored)
        else ""
    )
    return (
        f"{chosen}The set S contains these responses: {listed}{more}. Of {found.samples[0]} responses to the input "
        f"{first}, {found.hits[0]} lie in S; of {found.samples[1]} responses to the input {second}, {found.hits[1]}. "
        "Under the claim, S is at most exp(epsilon) times as likely from one input as from the other, plus delta."
    )


def _reading(found: Audit) -> list[str]:
    """Return the interpretation of the result and its limits."""
    rule = (
        "The test is an e-value. It stays valid although the audit looked after every pair of responses and stopped."
        if found.method == "e-value"
        else "The test is that of Clopper and Pearson. It is valid if the number of samples was fixed beforehand. "
        "Anyone who looks in between and stops needs an e-value instead."
    )
    several = (
        "If this is one of N audits of the box, with other sets, pairs or seeds, make each at the confidence "
        f"1 - {decimal_text(1 - found.confidence, 6)}/N. The most favourable of several audits alone is not valid at "
        "this confidence."
        if found.tests == 1
        else f"The error is shared by {found.tests} tests (Bonferroni). No more than these may be made."
    )
    return [
        "A box that keeps its claim is refuted by such an audit with a chance of at most "
        f"{_percent(found, error=True)}.",
        "An audit gives a lower bound. It never shows that a box is private: a defect outside S, or one that is rarer "
        "than these samples show, is not seen.",
        rule,
        several,
        "The bound is computed exactly from these counts, without a certificate. Nothing here shows that the responses "
        "are independent, or that they are from this box.",
    ]


def _percent(found: Audit, *, error: bool = False) -> str:
    value = 1 - found.confidence if error else found.confidence
    return f"{decimal_text(100 * value, 6)} %"
