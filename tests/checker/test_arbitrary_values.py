"""A fuzz: any JSON-like value at any position of an honest certificate: never an exception, never a lie accepted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from adversary.asking import ask
from adversary.boundary import oracle
from adversary.stored import short_texts
from adversary.writing import at, put, walk
from hypothesis import example, given
from hypothesis import strategies as st

BINARY = [
    text for text in short_texts("binary-bracket") if '"goal": "variance"' in text and oracle.truth(json.loads(text))
]
HONEST = {part: next(text for text in BINARY if part in text) for part in ('"optima": [{', '"exp"', '"set": {')}
PLACES = [(name, path) for name, text in HONEST.items() for path, _ in [((), None), *walk(json.loads(text))]]
KEYS = sorted({str(key) for _, path in PLACES for key in path} | {"log", "times", "exp", "rational", "infinite", ""})
WORDS = sorted({value for text in HONEST.values() for _, value in walk(json.loads(text)) if isinstance(value, str)})

fractions = st.fractions().map(str)
digits = st.text("0123456789/-+.eE_ ", max_size=12)
anything = st.text(st.characters(codec=None, categories=None), max_size=20)
leaves = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), fractions, digits, st.sampled_from(WORDS + KEYS), anything
)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from(KEYS) | anything, inner, max_size=5)
        | st.builds(lambda matrix: {"matrix": matrix}, st.lists(st.lists(inner, max_size=3), max_size=3))
    ),
    max_leaves=12,
)


@given(st.lists(st.tuples(st.sampled_from(PLACES), values), min_size=1, max_size=3), st.booleans())
@example([(PLACES[0], {})], True)
def test_any_value_at_any_position(changes: list[tuple[tuple[str, tuple[Any, ...]], Any]], escape: bool) -> None:
    name = changes[0][0][0]
    document = json.loads(HONEST[name])
    for (_, path), value in changes:
        try:
            at(document, path)
            document = put(document, path, value)
        except (LookupError, TypeError, AttributeError):  # a position of another certificate, removed or in a text now
            continue
    text = json.dumps(document, ensure_ascii=escape)
    verdict = ask(text)
    assert not verdict or oracle.truth(json.loads(text))


@given(st.one_of(st.binary(max_size=200), st.text(st.characters(codec=None, categories=None), max_size=200)))
def test_any_bytes_and_any_text(data: bytes | str) -> None:
    assert not ask(data)


@given(values)
def test_any_value_as_the_document(value: Any) -> None:
    assert not ask(json.dumps(value))


@pytest.mark.slow
@given(
    st.deferred(lambda: st.sampled_from(sorted(short_texts("binary-bracket")))),
    st.randoms(use_true_random=False),
    st.sampled_from([None, 0, 1, 7]),
)
def test_the_order_of_keys_and_white_space_mean_nothing(text: str, random: Any, indent: int | None) -> None:
    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            keys = random.sample(list(value), len(value))
            return {key: shuffled(value[key]) for key in keys}
        return [shuffled(entry) for entry in value] if isinstance(value, list) else value

    document = shuffled(json.loads(text))
    for form in (json.dumps(document, indent=indent), json.dumps(document, separators=(",", ":")), f"\n\t {text}\r\n "):
        assert ask(form)
        assert ask(form.encode())
