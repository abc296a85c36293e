"""An outcome as the parts of a text that can be cited: statement, scope, verdict, counterexample, evidence, hashes.

``Outcome.to_latex`` and the documents of reports write the same parts; formulas stand between dollar signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rropt.claims.claim_formulas import formula, tex_with_formulas, with_formulas
from rropt.claims.outcomes import Counterexample, Outcome, value_text
from rropt.core.results.layout import without_empty_columns
from rropt.core.results.markup import tex
from rropt.core.visible import with_noun

_MOST_CERTIFICATES, _MOST_CELLS = 12, 20  # that are listed
_MOST_ROWS = 20  # of a table that stays on one page
_SHORT = 24  # letters of a column that is not wrapped

_PARTS_OF_PROOFS = {  # by the names in ``positivity/prover.py``
    "the denominator": "the sign of the denominator",
    "the other factor": "the sign of the other factor",
    "the difference of the sides, in factors": "the difference of the sides is a product of factors",
    "a square": "a term is a square",
    "less its squares": "the difference from the sum of squares is 0",
    "as a sum of squares": "the sign of the sum of squares",
}


class WrittenPart(NamedTuple):
    """A part of a text on a claim: a title, and texts or a table; formulas stand between dollar signs.

    Attributes:
        title: what the part is about.
        texts: one text, or the items of a list.
        header: the titles of the columns of a table.
        rows: the rows of the table.
    """

    title: str
    texts: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()

    def to_latex(self) -> str:
        """Return the part as LaTeX, for the packages amsmath, amssymb, booktabs and longtable."""
        head = rf"\paragraph{{{tex(self.title)}.}}"
        if self.rows:
            kind = "longtable" if len(self.rows) > _MOST_ROWS else "tabular"  # a longtable goes on over pages
            lines = [rf"\begin{{{kind}}}{{{''.join(self._columns())}}}", r"\toprule"]
            lines += [" & ".join(map(tex_with_formulas, self.header)) + r" \\", r"\midrule"]
            lines += [" & ".join(map(_cell, row)) + r" \\" for row in self.rows]
            table = "\n".join([*lines, r"\bottomrule", rf"\end{{{kind}}}"])
            return "\n".join([head, *map(tex_with_formulas, self.texts), r"\par\medskip\noindent", table, ""])
        if len(self.texts) == 1:
            return f"{head} {tex_with_formulas(self.texts[0])}\n"
        items = (rf"\item {tex_with_formulas(text)}" for text in self.texts)
        return "\n".join([head, r"\begin{itemize}", *items, r"\end{itemize}", ""])

    def _columns(self) -> Iterator[str]:
        """Yield the kind of each column: short ones as they are, long ones wrapped to equal parts of the line."""
        longest = [max(map(_length, column)) for column in zip(self.header, *self.rows, strict=True)]
        left = 0.92 - sum(0.02 * length + 0.03 for length in longest if length <= _SHORT)
        share = max(left / max(1, sum(length > _SHORT for length in longest)) - 0.03, 0.2)
        for length in longest:
            yield rf"p{{{share:.2f}\linewidth}}" if length > _SHORT else "l"


def _length(text: str) -> int:
    """Return about how many letters wide a text is."""
    return len(re.sub(r"\\[A-Za-z]+|[${}^_\\]", "", text))


def _cell(text: str) -> str:
    """Return a cell; a long word without blanks, as a hash, may be broken after each 16 characters."""
    if len(text) == 64 and text.isalnum():
        broken = r"\allowbreak{}".join(text[i : i + 16] for i in range(0, 64, 16))
        return rf"\texttt{{{broken}}}"
    return tex_with_formulas(text)


def written_parts(outcome: Outcome) -> list[WrittenPart]:
    """Return the parts of a text on a claim, in their order; parts without content are left out."""
    found = []
    for part in _parts(outcome):
        header, rows = without_empty_columns(part.header, part.rows)
        texts = tuple(" ".join(text.split()) for text in part.texts)
        if any(texts) or rows:
            found.append(WrittenPart(part.title, texts, header, tuple(rows)))
    return found


def _parts(outcome: Outcome) -> Iterator[WrittenPart]:
    yield WrittenPart("Source", (outcome.source,))
    yield WrittenPart("Statement as printed", (outcome.printed,))
    precise, relations = with_formulas(outcome.precise), tuple(map(_named, outcome.relations))
    yield WrittenPart("Precise statement", (precise,))
    if not all(each in precise for each in relations):  # of a card without `precise` it is made of them
        yield WrittenPart("In formulas", relations)
    yield WrittenPart("Scope", (with_formulas(outcome.scope),))
    label = f" ({outcome.label})" if outcome.label else ""
    yield WrittenPart("Verdict", (f"{outcome.verdict_text}{label}",))
    yield WrittenPart(
        "Readings",
        tuple(
            f"Read as {each.name}: {each.verdict} ({each.label}); it rests on: {each.rests_on}"
            for each in outcome.readings
        ),
    )
    yield WrittenPart("Why it is not checkable", (outcome.reason,))
    yield WrittenPart("Missing assumption", (with_formulas(outcome.assumption),))
    if outcome.counterexample is not None:
        yield from _counterexample(outcome, outcome.counterexample)
    yield WrittenPart("What is true", tuple(filter(None, [_corrected(outcome)])))
    yield WrittenPart("Note", (with_formulas(outcome.note),))
    yield from _evidence(outcome)


def _corrected(outcome: Outcome) -> str:
    """Return the correction; rows of a card, which stand between semicolons, as formulas."""
    rows = [formula(text) for text in outcome.correction.split("; ")]
    if outcome.correction and all(rows):
        return "; ".join(f"${row}$" for row in rows)
    return with_formulas(outcome.correction)


def _named(text: str) -> str:
    """Return an expression as a formula if it is one, else as it is."""
    latex = formula(text)
    return text if latex is None else f"${latex}$"


def _counterexample(outcome: Outcome, example: Counterexample) -> Iterator[WrittenPart]:
    """Yield the table of a counterexample, and its calculation by hand."""
    told = example.to_dict()
    meanings = dict(line.split(" is ", 1) for line in outcome.definitions if " is " in line.partition(":")[0])
    rows = [
        (_named(name), _value(value), with_formulas(meanings.get(name, ""))) for name, value in told["point"].items()
    ]
    says, is_ = example.differing()
    are_named = isinstance(says, Mapping) and isinstance(is_, Mapping)
    if not are_named:
        rows += [
            (what, _value(value_text(x)), "") for what, x in (("the statement says", says), ("the true value is", is_))
        ]
        rows.append(("the true value should be", told["should"], ""))
    count = f"The statement is false at {outcome.failing} of {with_noun(outcome.points, 'point')}. One of them:"
    yield WrittenPart("Counterexample", (count,) * bool(outcome.failing), ("", "value", "meaning"), tuple(rows))
    if are_named:
        header = ("", "the statement says", "the true value is")
        values = tuple(
            (with_formulas(key), _value(value_text(says[key])), _value(value_text(is_[key]))) for key in says
        )
        yield WrittenPart("Both values", (f"It should be: {told['should']}.",), header, values)
    yield WrittenPart("By hand", tuple(map(with_formulas, example.working.splitlines())))
    cells = outcome.cells[:_MOST_CELLS]
    more = len(outcome.cells) - len(cells)
    yield WrittenPart("Every failing case", (*map(with_formulas, cells), *[f"{more} more"] * bool(more)))


def _value(text: str) -> str:
    """Return a value of a counterexample; a rounded one has the sign for it."""
    is_rounded = text.startswith("~")
    latex = formula(text[is_rounded:])
    if latex is None or (text.isidentifier() and len(text) > 1):
        return with_formulas(text)
    return f"$\\approx {latex}$" if is_rounded else f"${latex}$"


def _evidence(outcome: Outcome) -> Iterator[WrittenPart]:
    """Yield what the verdict rests on, and the hash of the file with the certificates."""
    undefined = f", {outcome.undefined} undefined" * bool(outcome.undefined)
    points = f"{with_noun(outcome.points, 'point')} compared, {outcome.failing} failing{undefined}"
    is_told = outcome.verdict == "fails"  # the label names the correction
    about = f", for the statement {outcome.about}" * bool(outcome.about and not is_told)
    yield WrittenPart("Evidence", (f"{outcome.label or 'none'}{about}; {points}.",))
    yield WrittenPart("Argument", (with_formulas(outcome.argument),))
    yield WrittenPart("Definitions", tuple(map(_definition, outcome.definitions)))
    yield WrittenPart("Theorems in Coq that state the claim", outcome.theorems)
    yield WrittenPart("Steps that no machine checked", tuple(map(with_formulas, outcome.unchecked_steps)))
    yield WrittenPart("Defects of this entry", outcome.problems)
    listed = [*dict.fromkeys(outcome.steps)]
    some = f", {_MOST_CERTIFICATES} of {len(listed)} listed here" * (len(listed) > _MOST_CERTIFICATES)
    rows = tuple((_certified(name),) for name in listed[:_MOST_CERTIFICATES])
    yield WrittenPart("Certificates", (), (f"what is proved{some}",), rows)
    texts = (
        f"`rropt verify {outcome.id} --certificate FILE.json` writes the file, and `rropt check FILE.json` prints a "
        "verdict on each certificate.",
    )
    digest = ((str(len(listed)), outcome.sha256),) if listed else ()
    yield WrittenPart("One file with all certificates", texts if listed else (), ("steps", "SHA-256"), digest)


def _definition(text: str) -> str:
    """Return a definition of a card with its formula."""
    told, _, defined = text.partition("): ")
    latex = formula(defined) if defined else None
    if latex is not None:
        return f"{told}): ${latex}$"
    name, _, meaning = text.partition(" is ")
    is_meaning = name.isidentifier() and bool(meaning)
    return f"{_named(name)} is {with_formulas(meaning)}" if is_meaning else with_formulas(text)


def _certified(name: str) -> str:
    """Return what a certificate proves: the relation of its step as a formula, or a part of its proof in words."""
    step, *parts = name.split(": ")
    latex = formula(step.removeprefix("step "))
    is_relation = latex is not None and not step.isidentifier()
    head = f"{'step ' * step.startswith('step ')}${latex}$" if is_relation else with_formulas(step)
    return ": ".join([head, *map(_part_of_proof, parts)])


def _part_of_proof(part: str) -> str:
    """Return a part of the proof of a step, as the prover names it, in words."""
    if part in _PARTS_OF_PROOFS:
        return _PARTS_OF_PROOFS[part]
    if part.startswith("the divisor "):
        return f"{with_formulas(part)} is not 0"
    latex = formula(part)
    return with_formulas(part) if latex is None else f"the sign of the factor ${latex}$"


def outcome_latex(outcome: Outcome) -> str:
    """Return an outcome as LaTeX: the parts one below the other."""
    return "\n".join(part.to_latex() for part in written_parts(outcome))
