"""``rropt privacy --respondents N``: what the answers of all respondents tell about one of them, by what is seen."""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import read_criterion, read_epsilon, read_mechanism, whole_number
from rropt.cli.output import note, print_json, print_table, print_text
from rropt.errors import InvalidParameterError, UnsupportedProblemError
from rropt.exact.written import listed

if TYPE_CHECKING:
    from rropt.exact import Delta, Epsilon
    from rropt.mechanisms import DealtDeck, DrawnAnswers
    from rropt.mechanisms.joint import AnyView, Breach


VIEWS = {
    "one": "one answer, seen alone",
    "all": "all answers, with names",
    "counts": "all answers, without names",
    "sum": "the sum or the estimate alone",
}


def add_respondents(command: argparse.ArgumentParser) -> None:
    """Add the options of N respondents together."""
    command.add_argument(
        "--respondents", metavar="N", help="the privacy of one of N respondents, who may or may not have a trait"
    )
    command.add_argument(
        "--dealt", action="store_true", help="christofides: a deck of N cards is dealt, and no card is put back"
    )
    command.add_argument("--view", choices=tuple(VIEWS), help="what is seen of the answers (default: each in turn)")
    knows = command.add_mutually_exclusive_group()
    knows.add_argument("--others", metavar="T", help="who sees it knows that T of the other respondents have the trait")
    knows.add_argument(
        "--belief",
        metavar="Q,..",
        help="who sees it believes that each of the others has the trait with chance Q, independently; or several Q",
    )


def read_device(text: str, respondents: str, *, dealt: bool) -> DealtDeck | DrawnAnswers:
    """Return the device of N respondents that the arguments name."""
    from rropt.mechanisms import DealtDeck, DrawnAnswers
    from rropt.mechanisms.drawn import MAX_RESPONDENTS

    n, mechanism = whole_number(respondents, "--respondents", 1, MAX_RESPONDENTS), read_mechanism(text)
    if dealt:
        return DealtDeck.of(mechanism, n)
    return DrawnAnswers(mechanism, n, first=int((mechanism.name or "").startswith("christofides")))


def print_views(args: argparse.Namespace) -> int:
    """Print what each view of the answers of N respondents tells about one of them; return the exit status."""
    from rropt.exact import Delta

    if args.transposed or args.profile or args.properties is not None:
        raise InvalidParameterError(
            "--respondents takes no --transposed, --profile or --properties: received one of them; leave it out"
        )
    device = read_device(args.mechanism, args.respondents, dealt=args.dealt)
    epsilon, asked = read_epsilon(args), Delta.of(args.delta)
    if asked != Delta.of(0) and (epsilon is None or read_criterion(args) is not None):
        raise InvalidParameterError("--delta stands beside --epsilon or --gamma: received it alone; leave it out")
    known: list[dict[str, Any]] = [{}]
    if args.others is not None:
        known = [{"others": whole_number(args.others, "--others", 0, max(device.respondents - 1, 0))}]
    elif args.belief is not None:
        known = [{"belief": q} for q in listed(args.belief)]
    names = [args.view] if args.view else list(VIEWS)
    found = []
    for name in names:
        for one in known if name != "one" else [{}]:
            view = device.view(name, **one)
            found.append({"view": name, **one, **_told(view, epsilon, asked, alone=args.view is not None)})
    meets = None if epsilon is None else all(one["meets"] is True for one in found)
    if args.json:
        record: dict[str, Any] = {"respondents": device.respondents, "dealt": args.dealt, "views": found}
        if args.dealt:
            record["deck"] = list(device.deck)  # type: ignore[union-attr]
        if epsilon is not None:
            record |= {"meets": meets, "level": {"epsilon": str(epsilon), "delta": str(asked)}}
        if args.belief is not None and args.view in (None, "all"):
            record["beliefs"] = _beliefs(device)
        if len(found) == 1:
            record |= {key: found[0][key] for key in ("parity", "epsilon", "delta")}
        print_json(record)
    else:
        _print_views(args, device, found, epsilon, asked)
    return 0 if meets in (None, True) else 1


def _told(view: AnyView, epsilon: Epsilon | None, asked: Delta, *, alone: bool) -> dict[str, Any]:
    """Return what a view tells, as in ``--json``; ``remark``: what could not be computed, unless it was asked alone."""
    from rropt.exact import Epsilon

    remarks, parities = [], view.parity_bracket()
    level = Epsilon("infinite") if epsilon is None else epsilon
    delta = None
    try:
        delta = _delta_of(view, level, parities)
    except UnsupportedProblemError as error:
        if alone and epsilon is not None:
            raise
        remarks.append(str(error))
    breach = None
    try:
        breach = view.worst()
    except UnsupportedProblemError as error:
        remarks.append(str(error))
    record = {
        "parity": _ends(parities),
        "epsilon": _ends((Epsilon.of_parity(parities[0]), Epsilon.of_parity(parities[1]))),
        "delta": None if delta is None else _ends(delta),
        "witness": None if breach is None else _witness(breach),
        "remarks": remarks,
    }
    return record if epsilon is None else {**record, "meets": _view_meets(parities, delta, level, asked)}


def _delta_of(
    view: AnyView, level: Epsilon, parities: tuple[Fraction | None, Fraction | None]
) -> tuple[Fraction, Fraction]:
    upper = parities[1]
    if upper is not None and (level.is_infinite or not level.exact_gamma() < upper):
        return Fraction(0), Fraction(0)
    lower, most = view.delta_bracket(level)
    return lower, most


def _view_meets(
    parities: tuple[Fraction | None, Fraction | None],
    delta: tuple[Fraction, Fraction] | None,
    level: Epsilon,
    asked: Delta,
) -> bool | None:
    if asked.rational == 0:
        gamma, (low, high) = level.exact_gamma(), parities
        if high is not None and not gamma < high:
            return True
        return False if low is None or gamma < low else None
    if delta is None:
        return None
    if not asked.exact() < delta[1]:
        return True
    return False if asked.exact() < delta[0] else None


def _ends(ends: tuple[Any, Any]) -> Any:
    from rropt.exact.display import extended_text

    lower, upper = (extended_text(end) if end is None or isinstance(end, Fraction) else str(end) for end in ends)
    return lower if lower == upper else {"lower": lower, "upper": upper}


_LONGEST = 4000  # bits of a probability that is written out


def _witness(breach: Breach) -> dict[str, Any]:
    from rropt.exact import decimal_text
    from rropt.exact.display import as_text

    chances = [as_text(p) if p.denominator.bit_length() <= _LONGEST else f"~{decimal_text(p)}" for p in breach.chances]
    return {"likely": breach.likely, "rare": breach.rare, "seen": breach.seen, "chances": chances}


def _print_views(
    args: argparse.Namespace,
    device: DealtDeck | DrawnAnswers,
    found: list[dict[str, Any]],
    epsilon: Epsilon | None,
    asked: Delta,
) -> None:
    n = device.respondents
    how = f"a deck of {n} cards is dealt" if args.dealt else "each answers independently"
    where = "delta beyond any epsilon" if epsilon is None else f"delta at epsilon = {epsilon}"
    rows = []
    for one in found:
        knows = f", {one['others']} others have the trait" if "others" in one else ""
        knows += f", belief {one['belief']}" if "belief" in one else ""
        row = (VIEWS[one["view"]] + knows, _range_text(one["epsilon"]), _range_text(one["delta"]))
        answer = {True: "yes", False: "no", None: "not decided"}
        rows.append(row if epsilon is None else (*row, answer[one["meets"]]))
    header = ("what is seen", "epsilon", where) + (() if epsilon is None else (f"meets delta = {asked}",))
    print_table(rows, title=f"Privacy of one of {n} respondents: {how}", header=header)
    for one in found:
        if one["witness"] is not None and (one["epsilon"] == "inf" or one.get("meets") is False):
            print_text(f"{VIEWS[one['view']]}: {_witness_text(one, args.dealt)}")
    for remark in dict.fromkeys(remark for one in found for remark in one["remarks"]):
        note(f"remark: {remark}")
    if args.dealt and args.view != "one":
        note(
            "remark: dealt cards make answers depend on each other: what one answer tells alone says little of them all"
        )
    if args.dealt and args.belief is not None and args.view in (None, "all"):
        note(f"remark: {_belief_text(device)}")


def _beliefs(device: DealtDeck | DrawnAnswers) -> dict[str, Any]:
    """Return what all answers with names tell over all beliefs: no less than one answer, which is what 1/2 leaves.

    Who is sure of the others (q = 0 or 1) knows their cards, and so the respondent's.
    """
    least = device.view("one").epsilon()
    certain = device.view("all", belief=0).epsilon()
    at = [] if not certain.is_infinite else ["all q"] if least.is_infinite else ["0", "1"]
    return {"least": str(least), "at": "1/2", "supremum": str(certain), "infinite_at": at}


def _belief_text(device: DealtDeck | DrawnAnswers) -> str:
    beliefs = _beliefs(device)
    if not beliefs["infinite_at"]:
        return f"whatever the belief, all answers with names tell epsilon = {beliefs['least']}"
    return (
        f"over all beliefs q epsilon is at least {beliefs['least']}, at q = 1/2, and infinite at "
        f"{' and '.join(beliefs['infinite_at'])}: it grows beyond any bound towards them"
    )


def _range_text(value: Any) -> str:
    from rropt.exact import Epsilon, both_texts
    from rropt.exact.display import decimal_outwards

    if value is None:
        return "not computed"
    if isinstance(value, dict):
        low, high = value["lower"], value["upper"]
        if "log" in low or "log" in high or "inf" in (low, high):
            return f"from {low} to {high}"
        ends = decimal_outwards(Fraction(low), up=False, digits=6), decimal_outwards(Fraction(high), up=True, digits=6)
        return f"from {ends[0]} to {ends[1]}"
    if value == "inf":
        return "infinite"
    return both_texts(Epsilon.of(value) if "log" in value else Fraction(value), 6)


def _witness_text(one: dict[str, Any], dealt: bool) -> str:
    """Return neighbours and what tells them apart in words."""
    witness, name = one["witness"], one["view"]
    own = name in ("one", "all") or "belief" in one
    seen, likely, rare = witness["seen"], witness["likely"], witness["rare"]
    if name == "all" and dealt:
        what = (
            f"the answer {seen[0]}, given by {seen[1]} of the others too"
            if "belief" in one
            else f"the answer {seen[0]}, and of the others, of whom nobody has the trait, {_counts_text(seen[1])}"
        )
    else:
        what = {"sum": f"the sum {seen}", "counts": _counts_text(seen) if name == "counts" else ""}.get(
            name, f"the answer {seen}"
        )
    words = ("without the trait", "with it") if own else (f"when {likely} have the trait", f"when {rare} have it")
    first, second = (words[likely], words[rare]) if own else words
    p, q = witness["chances"]
    return f"{what}: probability {p} {first}, {q} {second}"


def _counts_text(counts: Any) -> str:
    return ", ".join(f"{count} x answer {answer}" for answer, count in counts) or "no answers"
