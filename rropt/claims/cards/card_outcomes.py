"""The outcome of a card: verdict, label, scope and counterexample from its statements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rropt.claims.cards.card_files import Card
from rropt.claims.cards.judge import Statement, StatementProof, Values, prove, require_defined, require_no_hole
from rropt.claims.language import RELATIONS, StatementRow, Tree, evaluate, nodes
from rropt.claims.outcomes import AT_SHAPES, REFUTED, UNREPAIRED, Counterexample, Outcome, in_error, value_text


def precise_text(card: Card) -> str:
    """Return the statement made precise: the text of the card, or what its rows say."""
    return card.texts["precise"] or f"For {scope_text(card.raw, 'for')}: {'; '.join(card.raw['says'])}."


def scope_text(raw: Mapping[str, Any], *keys: str) -> str:
    """Return the scope as the card writes it."""
    return ", ".join(text for key in keys for text in raw.get(key, [])) or "all values"


def relation_lines(card: Card) -> list[str]:
    """Return the rows of the statement, after the abbreviations that they use."""
    rows = [" ".join(text.split()) for text in card.raw["says"]]
    return [card.names[name].text for name in card.abbreviations(" ".join(rows))] + rows


def definition_lines(card: Card) -> list[str]:
    """Return the meaning of the variables, and the definitions that the card uses, each with its tie to the law."""
    symbols, ties = card.told["symbols"], card.told["tie"]
    lines = [f"{name} is {symbols[name]}" for name in card.printed.names if name in symbols]
    for name, text in card.definitions.items():
        by = ties.get(name, "")
        tied = (
            f"proved from the law of the answers by {'' if ':' in by else 'the Coq theorem '}{by}"
            if by
            else "to be read"
        )
        lines.append(f"definition ({tied}): {text}")
    if grow := card.raw.get("grow"):
        told = "; ".join(f"{name} = {text}, then {grow['step'][name]}" for name, text in grow["start"].items())
        over = f" with {', '.join(grow['over'])}" if grow["over"] else ""
        lines.append(f"for every list of elements{over}: {told}")
        lines.append(f"by induction on the length of the list: {', '.join(grow['keeps'])}")
    return lines or ["the text of the card is what is proved; it uses no definition of the paper's file"]


def outcome_of(card: Card) -> Outcome:
    """Return the outcome of a card without readings."""
    problems: list[str] = []
    printed = card.printed
    points = printed.points()
    if card.fails is not None and card.fails not in points:
        points.append(card.fails)
    if not points:
        return in_error(card.id, "no point is in the scope of `for`")
    failing = [(point, row) for point in points for row in printed.rows if not require_defined(row, point)]
    require_no_hole(printed, points)
    form, final, keys = _form(card, points, failing, problems)
    for row in form.rows:
        if row.link == "if" and not any(evaluate(row.condition, point) for point in final):
            problems.append(f"the condition of {row.text} is true at no point: add one to `also`, or leave the row out")
    rejected = [_mutant(row, form, final, problems) for row in card.false]
    is_repaired = not failing or bool(card.assume) or card.true is not None
    proof = prove(form, final) if is_repaired and not problems else StatementProof()
    verdict = "holds" if not failing else "holds-with-assumption" if card.assume else "fails"
    words = tuple(card.raw.get("words", ()))
    label = "tested" if proof.unproved else "argued" if words else AT_SHAPES if card.sizes else "proved"
    simplest = _simplest(failing) if failing else None
    if card.fails is not None:
        simplest = next(((point, row) for point, row in failing if point == card.fails), None)
        if simplest is None:
            problems.append("the statement is true at the point of `fails`")
    scope = "; ".join([f"all {scope_text(card.raw, *keys)}", *card.sizes])
    if failing and card.raw.get("true_for"):  # the statement is refuted in its own scope, and repaired in a smaller one
        scope = f"all {scope_text(card.raw, 'for')}; what is true: {scope}"
    return Outcome(
        id=card.id,
        verdict="error" if problems else verdict,
        evidence="" if problems else REFUTED if verdict == "fails" else label,
        correction_evidence=label if verdict == "fails" and card.true is not None and not problems else "",
        about={"holds": "as printed", "fails": "corrected" * is_repaired}.get(verdict, "with the assumption"),
        scope=scope,
        points=len(points),
        failing=len({tuple(point.items()) for point, _ in failing}),
        seconds=0.0,
        assumption="; ".join(card.raw.get("assume", ())) if failing else "",
        correction=(card.texts["correction"] or _true_rows(card.raw)) if failing and card.true else "",
        mutant_rejected_at=rejected[0],
        counterexample=None if simplest is None else _counterexample(card, *simplest),
        certificates=tuple(proof.certificates),
        unchecked_steps=(*(f"not proved: {each}" for each in proof.unproved), *words),
        problems=tuple(problems),
        remarks=() if is_repaired else (UNREPAIRED,),
        sizes=", ".join(card.sizes),
    )


def _true_rows(raw: Mapping[str, Any]) -> str:
    """Return the true rows of a refuted card: its own rows where only the scope is smaller, which is then said."""
    rows = "; ".join(" ".join(text.split()) for text in raw.get("true") or raw["says"])
    return f"for {', '.join(raw['true_for'])}: {rows}" if raw.get("true_for") else rows


def _form(
    card: Card, points: list[Values], failing: list[tuple[Values, StatementRow]], problems: list[str]
) -> tuple[Statement, list[Values], tuple[str, ...]]:
    """Return the true form of a card's statement, its points, and the keys of its scope."""
    if not failing:
        if card.assume or card.true is not None or card.fails is not None:
            problems.append("the statement as printed is true at all points, yet the card repairs it")
        return card.printed, points, ("for",)
    point, row = _simplest(failing)
    if card.assume:
        form = replace(card.printed, scope=(*card.printed.scope, *card.assume))
        keys: tuple[str, ...] = ("for", "assume")
        for i, text in enumerate(card.raw["assume"]):
            others = (*card.assume[:i], *card.assume[i + 1 :])
            if not any(all(evaluate(other, at) for other in others) for at, _ in failing):
                problems.append(f"the assumption {text} is not needed beside the others")
        if any(condition == each.relation for condition in card.assume for each in form.rows):
            problems.append("the assumption repeats the statement")
    elif card.true is None:
        return card.printed, points, ("for",)  # refuted, and not repaired
    elif card.fails is None:
        at = {name: point[name] for name in card.printed.names}
        problems.append(f"{row.text} is false at {value_text(at)}: give such a point as `fails`, or `assume`")
        return card.printed, points, ("for",)
    else:
        form, keys = card.true, ("for", "true_for")
    final = form.points()
    if not final:
        problems.append("no point is in the scope of the repaired statement")
    wrong = [(each, at) for at in final for each in form.rows if not require_defined(each, at)]
    if wrong:
        each, at = min(wrong, key=lambda pair: _length(pair[1]))
        problems.append(f"the repaired statement {each.text} is false at {value_text(at)}")
    return form, final, keys


def _mutant(row: StatementRow, form: Statement, points: list[Values], problems: list[str]) -> Values | None:
    """Return a point at which a mutant is false; report one that is true, or shares no side with a row."""
    sides = {side for each in form.rows for side in _sides(each.relation)}
    if not sides & _sides(row.relation):
        problems.append(f"the mutant {row.text} shares no side with a row of the statement")
    wrong = [point for point in points if not require_defined(row, point)]
    if not wrong:
        problems.append(f"the mutant {row.text} is true at all points; write it sharper, or add a point to `also`")
    return min(wrong, key=_length, default=None)


def _simplest(failing: list[tuple[Values, StatementRow]]) -> tuple[Values, StatementRow]:
    return min(failing, key=lambda each: _length(each[0]))


def _length(point: Values) -> int:
    return len(value_text(point))


def _sides(tree: Tree) -> set[Tree]:
    return {side for node in nodes(tree) if node[0] in RELATIONS for side in node[1:] if side[0] != "number"}


_WORDS = {"=": "equal", "!=": "unequal", "<=": "at most that", ">=": "at least that", "<": "less", ">": "greater"}


def _counterexample(card: Card, point: Values, row: StatementRow) -> Counterexample:
    """Return a counterexample with the values of the abbreviations and of both sides of each relation of a row."""
    used, point = card.abbreviations(row.text), {name: point[name] for name in card.printed.names}
    lines = [f"{card.names[name].text} = {value_text(evaluate(tree, point))}" for name, tree in used.items()]
    for node in nodes(row.relation):
        if node[0] in RELATIONS:
            left, right = (value_text(evaluate(side, point)) for side in node[1:])
            lines.append(f"{left} {node[0]} {right} is {'true' if evaluate(node, point) else 'false'}")
    lines.append(f"so this is false: {row.text}")
    if row.relation[0] not in RELATIONS or row.link == "iff":
        return Counterexample(dict(point), row.text, "false", "true", "\n".join(lines))
    sign, left, right = row.relation
    values = evaluate(right, point), evaluate(left, point)
    return Counterexample(dict(point), *values, _WORDS[sign], "\n".join(lines))
