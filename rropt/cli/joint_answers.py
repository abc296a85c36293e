"""``rropt estimate`` of several questions at once: the joint distribution, or all marginals of some order."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rropt.cli.answer_files import asked_of, device_names, note_read, read_record
from rropt.cli.arguments import whole_number
from rropt.cli.output import note, print_json, print_table
from rropt.errors import InvalidParameterError

if TYPE_CHECKING:
    from fractions import Fraction

    from rropt.estimation import Answers, JointEstimate, TableEstimate
    from rropt.mechanisms import Mechanism

_SHOWN_CELLS = 64  # of a table in the terminal; --json has all
_SEARCHED = 1 << 12  # cells up to which marginals are also those of the most likely joint distribution


def print_joint(args: argparse.Namespace, mechanism: Mechanism | None) -> int:
    """Estimate from rows or counts of several questions, and print; without a mechanism by the one of each row."""
    from rropt.certificates.certificate import certify_estimate
    from rropt.estimation import estimate_cells, estimate_joint, estimate_marginals
    from rropt.estimation.joint_likelihood import QUOTIENT_BITS

    if args.contrast is not None or args.reference is not None:
        raise InvalidParameterError(
            "contrast and reference belong to one question: received one of them beside several questions; use "
            "--counts with the mechanism written out"
        )
    answers = _answers(args, mechanism)
    product = answers[0].mechanism
    both: JointEstimate | None = None
    if args.marginals is None:
        tables: tuple[TableEstimate, ...] = (estimate_cells(answers),)
    else:
        tables = estimate_marginals(answers, whole_number(args.marginals, "--marginals", 1, answers[0].questions))
    if product.inputs <= (1 << 16 if args.marginals is None else _SEARCHED):
        both = estimate_joint(answers)
    remarks = list(dict.fromkeys(remark for table in tables for remark in table.remarks()))
    if both is not None:
        remarks = list(dict.fromkeys([*remarks, *both.remarks()]))
    else:
        remarks.append("the joint distribution has too many cells for the most likely one: unbiased estimates alone")
    certificate = None
    if args.certificate is not None:
        if both is None:
            raise InvalidParameterError(
                "there is no most likely distribution to certify: received --certificate beside too many cells; leave "
                "it out, or name fewer questions with --columns"
            )
        certificate = certify_estimate(
            both.groups, both.population, both.likelihood_gap, QUOTIENT_BITS
        ).require_accepted()
        args.pending.put(args.certificate, certificate.file_text)
    if args.json:
        print_json(_record(answers, tables, both, args) | {"remarks": remarks} | read_record(args))
        return 0
    _print(answers, tables, both, args)
    note_read(args)
    for remark in remarks:
        note(f"remark: {remark}")
    return 0


def _answers(args: argparse.Namespace, mechanism: Mechanism | None) -> list[Answers]:
    """Return the answers of respondents, by mechanism."""
    from rropt.estimation import answers_of_counts
    from rropt.estimation.answers import product_of
    from rropt.responses import read_answers

    product = None if mechanism is None else product_of(mechanism)
    if args.data is None:
        assert product is not None
        counts = [whole_number(text, f"counts[{i}]", 0) for i, text in enumerate(args.counts.split(","))]
        return [answers_of_counts(product, counts)]
    asked = asked_of(args, None if product is None else len(product.factors))
    found, args.read = read_answers(args.data, asked, product, device_names(args), exclude_missing=args.exclude_missing)
    return found


def _record(
    answers: Sequence[Answers], tables: Sequence[TableEstimate], both: JointEstimate | None, args: argparse.Namespace
) -> dict[str, Any]:
    from rropt.estimation import simultaneous_intervals
    from rropt.exact import as_text
    from rropt.mechanisms import question_levels
    from rropt.results import written

    intervals = {kind: simultaneous_intervals(tables, args.confidence, kind=kind) for kind in ("normal", "hoeffding")}
    listed = []
    for i, table in enumerate(tables):
        likely = None if both is None else both.marginal(table.questions)
        listed.append(
            {
                "questions": list(table.questions),
                "sizes": list(table.sizes),
                "estimate": _numbers(table.estimate),
                "constrained_estimate": None if likely is None else _numbers(likely),
                "standard_error": table.standard_errors.tolist(),
                "intervals": {kind: found.ends[i].tolist() for kind, found in intervals.items()},
                "decimals": {
                    "estimate": table.decimals().tolist(),
                    "constrained_estimate": None if likely is None else [float(x) for x in likely],
                },
            }
        )
    record: dict[str, Any] = {
        "n": sum(group.n for group in answers),
        "excluded": sum(group.excluded for group in answers),
        "order": "cell sum_l x_l 2^l for bits: the first question of a table varies fastest",
        "condition": as_text(_condition(answers, tables)),
        "likelihood_gap": None if both is None else as_text(both.likelihood_gap),
        "guarantees": {kind: found.guarantee for kind, found in intervals.items()},
    }
    devices = [{"name": g.mechanism.name, "epsilon": written(question_levels(g.mechanism))[0]} for g in answers]
    if args.devices is None:
        record["mechanism"] = devices[0]
    else:
        record["devices"] = [{**each, "n": group.n} for each, group in zip(devices, answers, strict=True)]
    if args.marginals is None:
        return record | listed[0]
    return record | {"tables": listed}


def _condition(answers: Sequence[Answers], tables: Sequence[TableEstimate]) -> Fraction:
    return max(group.mechanism.condition(questions=len(tables[0].questions)) for group in answers)


def _numbers(cells: Any) -> list[Any]:
    """Return exact numbers as strings, floats as they are."""
    from rropt.exact import as_text

    return [as_text(x) for x in cells] if isinstance(cells, tuple) else cells.tolist()


def _print(
    answers: Sequence[Answers], tables: Sequence[TableEstimate], both: JointEstimate | None, args: argparse.Namespace
) -> None:
    from rropt.estimation import simultaneous_intervals
    from rropt.exact import both_texts, decimal_text

    n, excluded = sum(group.n for group in answers), sum(group.excluded for group in answers)
    head = [("mechanism", answers[0].mechanism.name or "product")]
    if args.devices is not None:
        head = [("mechanisms", f"{len(answers)} different ones; epsilon of the one that tells most")]
    for name, differing in (("whole answer", None), ("worst question", 1)):
        largest = max((group.mechanism.epsilon(differing=differing) for group in answers), key=float)
        head.append((name, f"epsilon = {both_texts(largest, 6)}"))
    head += [
        ("answers", f"n = {n}, {excluded} excluded"),
        (
            "condition number",
            f"{both_texts(_condition(answers, tables), 6)}: errors of shares grow at most so many times",
        ),
    ]
    found = simultaneous_intervals(tables, args.confidence)
    head.append(("intervals", f"{decimal_text(100 * found.confidence)} % for all cells. {found.guarantee}"))
    print_table(head, title="Estimates of several questions from randomized answers")
    for table, ends in zip(tables, found.ends, strict=True):
        likely = None if both is None else both.marginal(table.questions)
        rows = []
        for cell, (share, error) in enumerate(zip(table.decimals(), table.standard_errors, strict=True)):
            most = "" if likely is None else f"{float(likely[cell]):.6f}"
            low, high = ends[cell]
            rows.append((_label(cell, table.sizes), f"{share:.6f}", f"{error:.6f}", f"{low:.4f} to {high:.4f}", most))
        left = len(rows) - _SHOWN_CELLS
        rows = rows[:_SHOWN_CELLS] + ([("...", f"{left} more: --json", "", "", "")] if left > 0 else [])
        title = f"Questions {', '.join(map(str, table.questions))}"
        print_table(rows, title=title, header=("answers", "unbiased", "standard error", "interval", "most likely"))


def _label(cell: int, sizes: Sequence[int]) -> str:
    digits = []
    for size in sizes:
        cell, digit = divmod(cell, size)
        digits.append(str(digit))
    return " ".join(digits)
