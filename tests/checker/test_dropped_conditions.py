"""Every condition of the checker is needed: without it the checker accepts a wrong file.

``fuzz/dropped.py`` finds the conditions in the syntax of the checker. Each one has a witness: a false file, a file
built for it, or an honest file with one thing changed. With the condition, the checker rejects the
witness there; without it, the checker accepts the witness or crashes (a crash accepts nothing). Conditions without a
witness stand below, each with its reason.

``dropped_witnesses.jsonl`` holds them, so that the short run only replays them. The search asks them again, and the
stored files, forgeries and changed examples. After a change of the checker run, in ``tests/checker``,
``python -m test_dropped_conditions``: it keeps the witnesses that still serve and searches for the others.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from adversary import forger, stored
from adversary.built import built
from adversary.fuzz import dropped

import rropt.checker

RESOURCES = {  # they bound what is computed; test_hostile_files.py and its relatives hold files against them
    "formula_way._informations: 'the best size of the sets",
    "brackets._prove_power: f'gamma = q^(a/b) needs powers",
    "brackets._prove_exponential: f\"{where}'s bracket is too fine",
    "composition._read: f'the chance that nothing is revealed",  # this and the next three: test_composition.py
    "composition._Powers.upto: f'the lattice has more than",
    "composition._Powers.around: _NOT_APART",
    "composition._split: _NOT_APART",
    "branches_way.read_branches: f'the way of branches needs at most",  # test_branches_way.py
    "documents.Budget.spend: ",
    "documents.parse: f'the file has more than {MAX_BYTES}",
    "documents.parse: f'the file has more than {MAX_TOKENS}",
    "likelihood_gap._group: f'a mechanism has more than",  # test_likelihood_gap.py
    "likelihood_gap._carried: ",
    "matrices.over_one_denominator: ",
    "matrices._product: ",
    "parity_bound.constants.Constants._named: f'a criterion has more than",  # test_cover_rule.py
    "polynomials.Ring.add: ",
    "polynomials.Ring.multiply: ",
    "rays.Staircase.__init__: f'the rays of",  # this and the next: test_rays_way.py
    "rays._Growth.rays: f'the region has more than",
}
ELSEWHERE = {  # no text of this kind comes from json.dumps: test_arbitrary_values.py, test_hostile_files.py
    "documents.parse: 'the file is not UTF-8'",
    "documents.parse: f'the file is not JSON",
    "invariants._require: ",  # as the next
    "invariants.require_possible",  # the rules imply them: test_invariants.py, where no rule rejects anything
    # arguments that no rule gives them: test_tail_sums.py
    "long_products.product: ",
    "tail_sums.binomial_law: ",
    "tail_sums._side: ",
    # the operations of ``parity-bound`` alone: test_weakened.py
    "intervals.Arithmetic.inverse: ",
    "intervals.Arithmetic.power: ",
    "intervals.Arithmetic.log: ",
}
EQUIVALENT = {
    "mechanism_levels._check_dominated: \"gamma's bracket begins at 1": "a member of C_1 has proportional rows",
    "mechanism_levels._check_dominated: 'dominating has another": "the garbling asks for equal inputs again",
    "mechanism_levels._require_member: f'{where} has a row of zeros": "it is proportional to every row",
    "binary_bracket.Designs.vertices: 'nothing can be estimated": "no mechanism is allowed at such a level",
    "binary_bracket._merged: 'the mechanism estimates nothing'": "0 has no inverse",
    "block_families.read_reports: 'no block tells two categories apart'": "the families reject empty and full blocks",
    "block_families.read_reports: 'gamma of the mechanism is not positive'": "gamma is above 1, or p below 1",
    "block_families._classes: 'T is empty, or the whole field'": "its density is the chance of a pair: rejected later",
    'brackets._prove_power: "epsilon\'s times is not positive, or is whole: then it is carried out" [0]': (
        "q^(a/b) < 1 for a < 0, and the bracket begins at 1 or above"
    ),
    "brackets._prove_exponential: f\"{where}'s bracket does not hold the number": (
        "what is false stays undecided at any precision: rejected as too fine, later"
    ),
    "branches_way.require_on_branches: 'cells end before the last": "what is missing is no list of three either",
    "block_families.read_base: f'the base block is not a text of {digits} digits to base 16' [0]": (
        "what is no text has no digits: the checker falls"
    ),
    "block_families.read_base: 'the base block has a character that is no digit to base 16' [0]": "as the other half",
    "block_families.read_base: 'the base block has a character that is no digit to base 16' [1]": "as the other half",
    "block_families.constant_autocorrelation: 'the base block is empty": "no block tells two categories apart then",
    "documents.fraction: f'{where} has more than {digits} digits'": "asked again of each integer, after the split",
    "groups_way._check_d: 'the bound of the proof is not positive'": "it has no logarithm",
    "groups_way._check_d: 'the information between the groups is not positive definite'": "a zero has no logarithm",
    "groups_way._check_d: 'a number of inside": "a zero has no logarithm; none is negative",
    "groups_way._check_d: 'the information within a group is not positive": "a zero has no logarithm; none is negative",
    "groups_way._check_information: 'all weights of the slices are 0": "without a slope no number t bounds a box",
    "linear_programs._check_no_mechanism: 'without bounds": "it has mechanisms: nothing proves that it has none",
    "polynomials.Ring.quotient: f'{where} has the unknown name": "it is no canonical number either",
    "parity_bound.constants.require_nonnegative: 'a denominator may change its sign on a cell' [0]": (
        "a function without a denominator is rejected where it divides by zero"
    ),
    "parity_bound.judgement.Criterion.at_most: self._judge(piece, cell, 'maximum', judged_limit) [": (
        "a cell at 0 or 1 that is no limit is judged as a whole, which proves more"
    ),
    "parity_bound.pieces.read_tree: f'a function has the unknown name": "a name is no number either",
    "parity_bound.pieces.read_pieces: 'the pieces do not end at 1, closed' [0]": "without a piece none ends at 1",
    "parity_bound.pieces._end: 'the end of a piece is not in [0, 1]'": "the pieces ascend from 0 to 1",
    "cells_way._Cells.require: 'the inequality is not proved": "the budget ends: cells are halved until then",
    "cells_way._allowed: 'the bound of the dual is not finite": "an infinite number is no fraction",
    "rays.Staircase.__init__: 'gamma is not above 1": "rays_way lists the rays of gamma = 1 as those of walls",
    "rays_sums._needed: ": "the arithmetic is made wherever the objective needs it",
    "design_bracket.check_design_bracket: 'lower is above upper'": "both bounds are proved, as above",
    "groups_way.check_groups: 'lower is above upper'": "as the one before",
    "design_bracket._check_determinant: 'a weight of a vector is not positive'": "it has no logarithm",
    "design_bracket._check_determinant: 'the covariance is not positive definite'": "a zero has no logarithm",
}
LISTED = (*RESOURCES, *ELSEWHERE, *EQUIVALENT)


def is_listed(condition: dropped.Dropped) -> bool:
    """Whether a condition stands above."""
    return condition.name.startswith(LISTED)


def accepted_examples() -> list[Any]:
    """Return the certificates of the pages that the checker accepts."""
    text = "".join(page.read_text("utf-8") for page in Path(rropt.checker.__file__).parent.glob("*.md"))
    blocks = [block for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL) if '"format"' in block]
    return [json.loads(block) for block in blocks if dropped.answer(block) == "accepted"]


WITNESSES = Path(__file__).with_name("dropped_witnesses.jsonl")
WEAKER = Path(__file__).with_name("weaker.jsonl")  # built for other changes of the checker


def files(each: int, step: int) -> Iterator[tuple[str, str]]:
    """Iterate over kind and text of what is not to be accepted; of an example every ``step``-th change."""
    yield from ((witness.kind, witness.text) for witness in recorded().values())
    yield from (("planted", json.loads(line)["text"]) for line in WEAKER.read_text("utf-8").splitlines())
    yield from (("planted", text) for text in built("planted", "false", "form"))
    yield from (("stored", text) for text, verdict in stored.texts().items() if verdict == "rejected")
    for document in accepted_examples():
        yield from (("ill-formed", text) for text in islice(dropped.ill_formed(document), 0, None, step))
    for name, documents in stored.accepted().items():
        fit = [document for document in documents if forger.is_fit(document)]
        yield from (("false", json.dumps(made)) for made in forger.forgeries(fit, 10 * each, len(name)))


def recorded() -> dict[str, dropped.Witness]:
    """Return the witnesses of the file by the name of their condition."""
    lines = map(json.loads, WITNESSES.read_text("utf-8").splitlines())
    return {line["condition"]: dropped.Witness(line["kind"], line["text"]) for line in lines}


def record() -> None:
    """Write the file of witnesses again: keep those that serve, search for the others."""
    old = recorded() if WITNESSES.exists() else {}
    wanted = {name: each for name, each in dropped.named_conditions().items() if not is_listed(each)}
    kept = {name: old[name] for name, each in wanted.items() if name in old and dropped.serves(each, old[name])}
    sought = {name: each for name, each in wanted.items() if name not in kept}
    found = dropped.witnesses(files(70, 3), sought, 40) if sought else {}
    lines = [
        json.dumps({"condition": name, "kind": each.kind, "text": each.text})
        for name, each in sorted({**kept, **found}.items())
    ]
    WITNESSES.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    print(f"{len(kept)} kept, {len(found)} found, {len(sought) - len(found)} without a witness")


def test_every_condition_is_needed_or_has_its_reason() -> None:
    wanted = {name: each for name, each in dropped.named_conditions().items() if not is_listed(each)}
    witnesses = recorded()
    assert witnesses.keys() == wanted.keys(), "run python -m test_dropped_conditions in tests/checker"
    kinds: Counter[str] = Counter()
    for name, condition in wanted.items():
        assert dropped.serves(condition, witnesses[name]), name
        kinds[witnesses[name].kind] += 1
    print(f"{len(wanted)} conditions: {dict(kinds)}")
    assert kinds["false"] >= 120
    assert len(wanted) >= 400


@pytest.mark.full_size
def test_a_new_search_finds_a_witness_for_every_condition() -> None:
    wanted = {name: each for name, each in dropped.named_conditions().items() if not is_listed(each)}
    found = dropped.witnesses(files(700, 1), wanted, 300)
    assert sorted(wanted.keys() - found.keys()) == []


def test_what_stands_in_the_list_is_a_condition() -> None:
    names = [condition.name for condition in dropped.conditions()]
    assert [entry for entry in LISTED if not any(name.startswith(entry) for name in names)] == []


def test_a_dropped_condition_is_restored() -> None:
    text = built("planted")[0]
    before = dropped.answer(text)
    (condition,) = (c for c in dropped.conditions() if before[-1] == (c.module, c.first) and c.alternative is None)
    with dropped.without(condition):
        assert dropped.answer(text) == "accepted"
    assert dropped.answer(text) == before


if __name__ == "__main__":
    record()
