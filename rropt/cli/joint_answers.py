"""``rropt estimate`` of several questions at once: the joint distribution, or all marginals of some order."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rropt.cli.answer_files import asked_of, note_read, read_record
from rropt.cli.arguments import whole_number
from rropt.cli.output import print_json, print_table, say_remarks
from rropt.errors import InvalidParameterError

if TYPE_CHECKING:
    from rropt.estimation import Answers, QuestionsEstimate
    from rropt.mechanisms import Mechanism


def print_joint(args: argparse.Namespace, mechanism: Mechanism | None) -> int:
    """Estimate from rows or counts of several questions, and print; without a mechanism by the one of each row."""
    from rropt.estimation import estimate_questions

    if args.contrast is not None or args.reference is not None:
        raise InvalidParameterError(
            "contrast and reference belong to one question: received one of them beside several questions; use "
            "--counts with the mechanism written out"
        )
    answers = _answers(args, mechanism)
    most = answers[0].questions
    order = None if args.marginals is None else whole_number(args.marginals, "--marginals", 1, most)
    found = estimate_questions(answers, marginals=order, confidence=args.confidence)
    if args.certificate is not None:
        _certify(args, found)
    if args.json:
        print_json(found.to_dict() | read_record(args))
        return 0
    print_table(found.lines(), title="Estimates of several questions from randomized answers")
    for title, (header, *rows) in found.table_rows():
        print_table(rows, title=title, header=header)
    note_read(args)
    say_remarks(found)
    return 0


def _certify(args: argparse.Namespace, found: QuestionsEstimate) -> None:
    from rropt.certificates.certificate import certify_estimate
    from rropt.estimation.joint_likelihood import QUOTIENT_BITS

    if found.joint is None:
        raise InvalidParameterError(
            "there is no most likely distribution to certify: received --certificate beside too many cells; leave it "
            "out, or name fewer questions with --columns"
        )
    joint = found.joint
    certificate = certify_estimate(joint.groups, joint.population, joint.likelihood_gap, QUOTIENT_BITS)
    args.pending.put(args.certificate, certificate.require_accepted().file_text)


def _answers(args: argparse.Namespace, mechanism: Mechanism | None) -> list[Answers]:
    """Return the answers of respondents, by mechanism."""
    from rropt.estimation import answers_of_counts
    from rropt.estimation.answers import product_of
    from rropt.responses import read_answers
    from rropt.responses.devices import load_devices

    product = None if mechanism is None else product_of(mechanism)
    if args.data is None:
        assert product is not None
        counts = [whole_number(text, f"counts[{i}]", 0) for i, text in enumerate(args.counts.split(","))]
        return [answers_of_counts(product, counts)]
    asked = asked_of(args, None if product is None else len(product.factors))
    devices = load_devices(args.device_file, args.devices)
    options = {"exclude_missing": args.exclude_missing, "engine": args.engine or "duckdb"}
    found, args.read = read_answers(args.data, asked, product, devices, **options)
    return found
