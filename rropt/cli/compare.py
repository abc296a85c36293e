"""``rropt compare``: Blackwell's order between two mechanisms, or among several.

Blackwell's order: A is sufficient for B when B is A randomized again (B = C A, C a
garbling). Of two mechanisms: is A better, worse, equivalent or incomparable? Each
"yes" comes with C, each "no" with a task at which no post-processing helps. Of more:
the partial order, with its classes of equivalence and its Hasse diagram.
Exit status for two: 0 if A is sufficient for B (better or equivalent), 1 if it is
not (worse or incomparable); for more than two always 0.
Beside a product of devices, grr and subset are k-ary randomized response and subset
selection on all combinations of answers: their precision at equal privacy, of the
whole answer and of each question; exit status 0. The designs of the literature, each
tuned to one budget, are another command: `rropt compare-designs`.

example: is Warner's design at p = 3/4 better than the forced response of a die?
  rropt compare warner:3/4 forced:2/3,1/6,1/6 --certificate proof
n bits as one of 2^n categories: traces, the loss L, the worst variance of a marginal
  rropt compare bits:3/4*20 grr subset --marginals 1
certificates: PREFIX-1-to-2.json decides whether mechanism 1 is sufficient for mechanism 2
(rule garbling: yes, rule decision: no), PREFIX-2-to-1.json the reverse; of two products that ask
the same questions each question is decided by itself (1-to-2-question-0.json, ...): A is sufficient
for B where it is in every question, and only there
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import read_mechanism, whole_number
from rropt.cli.options import declare
from rropt.cli.output import note, print_json, print_matrices, print_table, print_text
from rropt.cli.pending import put_picture
from rropt.errors import CertificateError, InvalidParameterError

if TYPE_CHECKING:
    from rropt.certificates import Certificate
    from rropt.mechanisms import Mechanism
    from rropt.orders import PartialOrder, ProductComparison


_OPTIONS = """
mechanisms MECHANISM...
--certificates >DIR       write the certificates to DIR/1-to-2.json, ...
| --certificate PREFIX    write the certificates to PREFIX-1-to-2.json, ...
--plot >FILE              draw the order as a graph: FILE.png, FILE.svg or FILE.pdf
--style STYLE = color     of the graph: color or grey
--marginals K             with grr, subset: of K questions (default: 1)
--json
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    declare(parser, __doc__, _OPTIONS, run=run)


def run(args: argparse.Namespace) -> int:
    """Compare, print, write certificates and graph; for two, status 1 if the first is not sufficient."""
    from rropt.orders import compare_products
    from rropt.plots.windows import require_drawable

    if any(text in _COMBINED for text in args.mechanisms):
        return _precision(args)
    if args.marginals is not None:
        raise InvalidParameterError(
            "--marginals belongs to a comparison with grr or subset: received mechanisms alone; leave it out, or write "
            "rropt compare bits:3/4*4 grr subset"
        )
    n = len(args.mechanisms)
    if n < 2:
        raise InvalidParameterError(
            f"there is nothing to compare with: received one mechanism, {args.mechanisms[0]}; allowed are 2 or more; "
            "add another file or name"
        )
    if args.plot is not None:
        require_drawable(args.plot, size="paper", style=args.style)
    mechanisms = [read_mechanism(text) for text in args.mechanisms]
    if n == 2 and args.plot is None and (products := compare_products(*mechanisms)) is not None:
        return _by_question(args, products)
    if args.certificate is not None or args.certificates is not None:
        args.pending.expect(*(_certificate_path(args, i, j) for i in range(n) for j in range(n) if i != j))
    return _two(args, mechanisms) if n == 2 else _several(args, mechanisms)


def _by_question(args: argparse.Namespace, result: ProductComparison) -> int:
    """Print how two products of the same questions compare, with the certificates of the questions."""
    record = result.to_dict()
    verdicts: dict[Any, Certificate | None] = {}
    for each, comparison in zip(record["by_question"], result.comparisons, strict=True):
        first = each["questions"][0]
        found = _certificates(args, comparison.answers, f"-question-{first}")
        each["certificates"] = _directions(found)
        verdicts |= {(first, *pair): certificate for pair, certificate in found.items()}
    if args.json:
        print_json({**record, "explanation": result.explain()})
    else:
        for letter, text in zip(("A", "B"), args.mechanisms, strict=True):
            print_text(f"{letter} = {text}")
        print_text(result.explain())
        _print_verdicts(verdicts)
    return 0 if record["relation"] in ("better", "equivalent") else 1


_COMBINED = ("grr", "subset")  # without parameters: on all combinations of answers


def _precision(args: argparse.Namespace) -> int:
    """Print the precision of a product beside designs on all combinations of answers."""
    from rropt.estimation.combined_answers import compare_precision, precision_rows
    from rropt.mechanisms.vectors import size_text

    others = [text for text in args.mechanisms if text not in _COMBINED]
    if len(others) != 1 or (args.certificate, args.certificates, args.plot) != (None, None, None):
        raise InvalidParameterError(
            f"{' and '.join(_COMBINED)} stand beside one product of devices, without certificates and graph: received "
            f"{len(others)} other mechanisms; write rropt compare bits:3/4*4 grr subset"
        )
    order = whole_number(args.marginals or "1", "--marginals", 1)
    product = read_mechanism(others[0])
    rows = [row for row in compare_precision(product, order=order) if not row.at_equal or row.design in args.mechanisms]
    if args.json:
        print_json({"combinations": product.inputs, "marginals": order, "designs": [row.to_dict() for row in rows]})
        return 0
    header, *listed = precision_rows(rows, order)
    title = f"{others[0]} beside designs on all {size_text(product.inputs)} combinations, at the uniform population"
    print_table(listed, title=title, header=header)
    return 0


def _two(args: argparse.Namespace, mechanisms: list[Mechanism]) -> int:
    from rropt.orders import compare

    result = compare(*mechanisms)
    certificates = _certificates(args, result.answers)
    _draw(args, mechanisms)
    if args.json:
        more = {"explanation": result.explain(), "certificates": _directions(certificates)}
        print_json({**result.to_dict(), **more})
    else:
        for letter, text, mechanism in zip(("A", "B"), args.mechanisms, mechanisms, strict=True):
            print_text(f"{letter} = {text}: {mechanism.outputs} outputs, {mechanism.inputs} inputs")
        print_text(result.explain())
        print_matrices(result)
        _print_verdicts(certificates)
    return 0 if result.forward else 1


def _directions(found: Mapping[tuple[int, int], Certificate | None]) -> dict[str, Any]:
    """Return the certificates of both directions for JSON."""
    named = {"b_from_a": found[0, 1], "a_from_b": found[1, 0]}
    return {name: certificate and certificate.to_dict() for name, certificate in named.items()}


def _several(args: argparse.Namespace, mechanisms: list[Mechanism]) -> int:
    from rropt.orders import partial_order

    order = partial_order(mechanisms, _labels(args.mechanisms))
    certificates = _certificates(args, order.answers)
    _draw(args, mechanisms, order)
    if args.json:
        proofs = [
            {"source": order.names[i], "target": order.names[j], "certificate": None if c is None else c.to_dict()}
            for (i, j), c in certificates.items()
        ]
        print_json({**order.to_dict(), "certificates": proofs})
        return 0
    n = len(mechanisms)
    print_text(f"{n} mechanisms, {len(order.classes)} classes of equivalence; better ones first")
    print_text(str(order))
    print_text(f"{len(order.answers)} of {n * (n - 1)} sufficiencies computed, the others follow")
    _print_verdicts(certificates)
    return 0


def _labels(texts: list[str]) -> list[str]:
    """Return the arguments, repeated ones numbered."""
    return [text if texts.count(text) == 1 else f"{text} #{i}" for i, text in enumerate(texts, 1)]


def _certificates(
    args: argparse.Namespace, answers: Any, suffix: str = ""
) -> dict[tuple[int, int], Certificate | None]:
    """Return the accepted certificates, and write them where that was asked for."""
    found: dict[tuple[int, int], Certificate | None] = {}
    for (i, j), answer in sorted(answers.items()):
        try:
            found[i, j] = answer.certificate()
        except CertificateError as error:
            note(f"rropt: no certificate for {i + 1} to {j + 1}: {error}")
            found[i, j] = None
    if args.certificates is not None or args.certificate is not None:
        for (i, j), certificate in found.items():
            if certificate is not None:
                args.pending.put(_certificate_path(args, i, j, suffix), certificate.file_text)
    return found


def _certificate_path(args: argparse.Namespace, i: int, j: int, suffix: str = "") -> str:
    name = f"{i + 1}-to-{j + 1}{suffix}.json"
    return f"{args.certificate}-{name}" if args.certificates is None else str(Path(args.certificates, name))


def _print_verdicts(certificates: Mapping[Any, Certificate | None]) -> None:
    written = sum(certificate is not None for certificate in certificates.values())
    print_text(f"certificates: {written} of {len(certificates)} accepted by the checker")


def _draw(args: argparse.Namespace, mechanisms: list[Mechanism], order: PartialOrder | None = None) -> None:
    if args.plot is not None:
        from rropt.orders import partial_order
        from rropt.plots.data import order_picture

        picture = order_picture(order or partial_order(mechanisms, _labels(args.mechanisms)))
        put_picture(args, args.plot, picture, size="paper", style=args.style)
