"""Aggregated counts: counting, merging, estimates with joint intervals, heavy hitters, prefix trees, the commands."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import comb
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows

from rropt.cli.main import main
from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import decimal_text
from rropt.estimates import estimates_of_memberships
from rropt.estimates.estimated import Estimates
from rropt.estimates.membership_basis import clopper_pearson
from rropt.mechanisms import Mechanism, OrbitMechanism, named_mechanism
from rropt.mechanisms.families import (
    Affine,
    AffineClasses,
    AllSubsets,
    BitVectorMechanism,
    BlockMechanism,
    Cyclic,
    Direct,
    Projective,
)
from rropt.mechanisms.sampling import Randomizer
from rropt.mechanisms.sampling.block_samplers import BlockSampler
from rropt_fieldwork.counts import (
    AggregatedCounts,
    PrefixTree,
    estimate_counts,
    heavy_hitters,
    merge,
    nearest_distribution,
)
from rropt_fieldwork.counts.lines import numbers_of
from rropt_fieldwork.counts.membership_estimates import detectable_proportion
from rropt_fieldwork.from_tables.counted_responses import count

F = Fraction
MADE = [
    BlockMechanism(AffineClasses(20, 23, 11, 3, False), 3),
    BlockMechanism(Projective(13, 3, 3, False), F(5, 2)),
    BlockMechanism(Cyclic.paley(19, 15), 2),
    BlockMechanism(Direct(7), 9),
    BlockMechanism(Affine(9, 11, 3), 3),
]


def _truth(k: int, n: int, seed: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    pi = rng.dirichlet(np.ones(k))
    return pi, rng.choice(k, size=n, p=pi)


def _contains(found: Estimates, pi: Any) -> bool:
    """Return whether the intervals that hold together contain a distribution."""
    return all(own.lower <= p <= own.upper for own, p in zip(found.conf_int(simultaneous=True), pi, strict=True))


@few_rows(4)
@pytest.mark.parametrize("made", MADE, ids=repr)
def test_blocks_are_counted_merged_and_estimated(made: BlockMechanism, tmp_path: Path) -> None:
    pi, answers = _truth(made.inputs, 40_000, 1)
    drawn = np.asarray(Randomizer(made).simulate_many(answers, rng=2), np.int64)
    parts = []
    for i, part in enumerate(np.array_split(drawn, 3)):
        path = tmp_path / f"{i}.txt"
        path.write_text("".join(f"{x}\n" for x in part))
        parts.append(count(str(path), made))
    total = merge(parts)
    each = Counter(drawn.tolist()).items()
    held = [sum(c for b, c in each if made.blocks.holds(b, x)) for x in (0, made.inputs - 1)]
    assert [total.counts[0], total.counts[-1]] == held
    assert total == merge([AggregatedCounts.from_dict(json.loads(json.dumps(part.to_dict()))) for part in parts])
    assert total.n == 40_000
    found = estimate_counts(total)
    shares = [(Fraction(c, total.n) - made.miss) / (made.hit - made.miss) for c in total.counts[:2]]
    assert [one.estimate for one in found[:2]] == shares
    assert _contains(found, pi)
    values, errors = (np.array([*own], float) for own in (found.params, found.bse))
    assert np.abs(values - pi).max() < 6 * errors.max()
    assert made.blocks.hits(drawn, 0) == held[0]


def test_sets_are_counted_from_text_bits_and_rows(tmp_path: Path) -> None:
    made = BlockMechanism(AllSubsets(50, 13), F(27, 10))
    pi, answers = _truth(50, 3000, 3)
    rows = BlockSampler(made).sets(answers, np.random.default_rng(4).bytes)
    chosen = np.nonzero(rows)[1].reshape(-1, 13)
    path = tmp_path / "sets.txt"
    path.write_text("".join("&".join(map(str, row)) + "\r\n" for row in chosen.tolist()))
    wanted = tuple(rows.sum(0).tolist())
    assert count(str(path), made).counts == count(rows, made).counts == count(chosen, made).counts == wanted
    assert count(chosen[:, ::-1], made).counts == wanted
    orbit = OrbitMechanism.subset_selection(50, 13, F(27, 10))
    assert count(str(path), orbit).counts == wanted
    found = estimate_counts(count(str(path), orbit))
    assert [*found.params] == [*estimate_counts(count(rows, made)).params]
    assert _contains(found, pi)
    oue = BitVectorMechanism(20, "1/2", "1/4")
    bits = Randomizer(oue)._sampler.sets(answers % 20, np.random.default_rng(5).bytes)  # type: ignore[attr-defined]
    path.write_text("".join("".join(map(str, row.astype(int))) + "\n" for row in bits))
    assert count(str(path), oue).counts == tuple(bits.sum(0).tolist())


def test_outputs_of_a_small_mechanism_keep_the_likelihood() -> None:
    made = named_mechanism("grr:3,1/2")
    counts = count(np.array([0, 1, 2, 2, 0, 2]), made)
    assert (counts.counted, counts.counts) == ("outputs", (2, 1, 3))
    likely = [float(one.most_likely) for one in estimate_counts(counts)]
    assert sum(likely) == pytest.approx(1)
    assert likely[1] == 0  # the unbiased estimates are 1/3, -1/3 and 1


def test_a_block_that_ends_within_a_number_is_read_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("rropt_fieldwork.counts.lines._CHUNK", 7)
    path = tmp_path / "x.txt"
    values = [0, 12345, 7, 99999, 100, 3, 0, 42]
    path.write_text("\n".join(map(str, values)))
    made = BlockMechanism(Direct(100_000), 2)
    assert sorted(x for x, c in enumerate(count(str(path), made).counts) for _ in range(c)) == sorted(values)
    assert numbers_of(b"1 22;333\n\n4&5\n", 1)[1].tolist() == [3, 0, 2]
    few, many = count([1, 0, 1], named_mechanism("warner:3/4"), shard="a"), count(str(path), made)
    assert few.lines()[:3] == [("responses", "3"), ("counted", "outputs"), ("counts", "1, 2")]
    assert "counts" not in dict(many.lines())
    assert numbers_of(b"1 22;333\n\n4&5\n", 1)[0].tolist() == [1, 22, 333, 4, 5]


@pytest.mark.parametrize("names", [None, ("no", "yes")])
def test_whole_numbers_with_a_decimal_are_responses(names: tuple[str, str] | None, tmp_path: Path) -> None:
    """Pandas writes 1.0 for 1 in a column with gaps; ``estimate`` reads it as 1 too."""
    path, table = tmp_path / "x.txt", tmp_path / "x.csv"
    path.write_bytes(b"\xef\xbb\xbf1.0\r\n0.0\n1\n\n1.0")  # with the mark that Windows writes
    table.write_text("q\n1.0\n0.0\n1\n1.0\n")
    device = named_mechanism("warner:3/4")
    device = device if names is None else device.labelled(responses=names)
    assert count(str(path), device).counts == count(str(table), device, column="q").counts == (1, 3)
    path.write_text("1.5\n")
    with pytest.raises(FileFormatError, match="line 1"):
        count(str(path), device)


def test_a_line_with_several_numbers_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("0\n\n0 1\n")
    with pytest.raises(FileFormatError, match=r"line 3 of the responses .* received 2; allowed is one"):
        count(str(path), named_mechanism("warner:3/4"))
    path.write_text("0\n2\n")
    with pytest.raises(InvalidParameterError, match="numbers from 0 to 2; allowed are whole numbers from 0 to 1"):
        count(str(path), named_mechanism("warner:3/4"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0&1\n0&x\n", "line 2 of the responses is no list of numbers: its character 3 is no digit"),
        ("0&1\n\n0&1&2\n", "line 3 of the responses has another number of categories: received 3; allowed are 2"),
        ("0&0\n", "a category twice"),
        ("0&9\n", "not from 0 to 4"),
        ("0&1234567890123456789012\n", "more than 18 digits"),
        ("browser\n0&1\n", "semicolons between them; of a table give `column=NAME`"),
        ("0&1\nyes\n", "between them; texts such as yes are counted where the mechanism names .* `rropt estimate`"),
    ],
)
def test_lines_that_are_no_response_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(text)
    with pytest.raises((FileFormatError, InvalidParameterError), match=message):
        count(str(path), BlockMechanism(AllSubsets(5, 2), 3))


PAIRS = BlockMechanism(AllSubsets(5, 2), 3)


def test_one_column_of_several_questions_is_remarked(cli, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("q1,q2\n0,1\n1,1\n")
    told = (
        "q1 is counted as one output of both questions together; columns with a response to each question are read by"
    )
    for mechanism, expected in (("bits:3/4*2", True), ("bits:3/4*1", False), ("warner:3/4", False)):
        status, _, err = cli("count", str(table), "--column", "q1", "--mechanism", mechanism)
        assert (status, told in err, "remark: q1" in err) == (0, expected, expected)


def test_a_column_of_a_table_is_counted_as_the_lines_of_a_file(tmp_path: Path) -> None:
    responses = ["0&1", "3&4", "1&2", "0&4"] * 20
    lines, table = tmp_path / "lines.txt", tmp_path / "table.csv"
    lines.write_text("\n".join(responses))
    expected = tuple(sum(str(x) in each for each in responses) for x in range(5))
    assert count(str(lines), PAIRS).counts == expected
    for text in ("y,z\n{},1\n", "z;y\n1;{}\n", "\ufeffy\tz\r\n{}\tb\u2028c\r\n", 'y,z\n"{}","a\nb"\n'):
        header, row, _ = text.replace('"a\nb"', '"a\0b"').split("\n")
        rows = "".join(row.format(each).replace("\0", "\n") + "\n" for each in responses)
        table.write_text(f"{header}\n{rows}", newline="")
        assert count(str(table), PAIRS, column="y").counts == expected, text
    assert count({"y": np.array(responses, object)}, PAIRS, column="y").counts == expected


def test_tables_of_equal_responses_are_different_parts(tmp_path: Path) -> None:
    """A part is named by its file: a table given twice is refused, another one with equal responses is not."""
    files = [tmp_path / f"{day}.csv" for day in ("monday", "tuesday")]
    for path in files:
        path.write_text(f"id,y\n{path.stem},0\n,1\n")
    one, other, again = (count(str(path), "warner:3/4", column="y") for path in (*files, files[0]))
    assert merge([one, other]).counts == (2, 2)
    with pytest.raises(InvalidParameterError, match="a shard is given twice"):
        merge([one, again])
    frames = [{"id": np.array([k, 7]), "y": np.array([0, 1])} for k in (5, 6, 5)]  # named by all their columns
    steps: list[tuple[int, int]] = []
    first, other, second = (
        count(frame, "warner:3/4", column="y", progress=lambda *step: steps.append(step)) for frame in frames
    )
    assert merge([first, other]).counts == (2, 2)
    assert steps == [(2, 2)] * 3
    with pytest.raises(InvalidParameterError, match="or name the parts"):
        merge([first, second])
    assert merge([first, count(frames[0], "warner:3/4", column="y", shard="tuesday")]).counts == (2, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("y,w\n0&1,1,2\n", "line 2 of the data has 3 values, and 2 are expected"),
        ("y,w\n0&1,1\n,1\n", "line 3 of the data is no response: received none in 'y'"),
        ('y,w\n"0&1\n0&2",1\n', "is no response: received several lines"),
        ('y,w\n"0&1,1\n', "line 2 of the data is not CSV"),
        ("y,w\n0&9,1\n", "not from 0 to 4"),
        ("v,w\n0&1,1\n", "a column does not fit the data: received 'y', and no column"),
        ("y,y\n0&1,1\n", "a column does not fit the data: received 'y', and more than one column"),
        ("", "data are empty"),
        ("y,w\n0&" + "1" * 200_000 + ",1\n", "more than 18 digits"),
        ("y" * 200_000 + ",w\n0&1,1\n", "a column does not fit the data"),
    ],
)
def test_columns_that_are_no_responses_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises((FileFormatError, InvalidParameterError), match=message):
        count(str(path), PAIRS, column="y")
    with pytest.raises(InvalidParameterError, match="the data are no table"):
        count([[True, True, False, False, False]], PAIRS, column="y")


SECRET = "sekret"
HOSTILE = {
    "text": b"0&1\n" + SECRET.encode() + b"\n",
    "NUL": b"0&1\n0\0" + SECRET.encode() + b"\n",
    "no UTF-8": b"0&1\n\xff" + SECRET.encode() + b"\n",
    "a long line": b"0&1\n" + b"1" * (1 << 12) + SECRET.encode(),
    "a long number": b"0&" + b"1" * 30 + b"\n",
}


@pytest.mark.parametrize("column", [(), ("--column", "y")])
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_bad_line_is_refused_in_one_line_that_does_not_repeat_it(
    kind: str, column: tuple[str, ...], tmp_path: Path, cli
) -> None:
    path, design = tmp_path / "x.csv", tmp_path / "design.json"
    path.write_bytes((b"y,z\n" + HOSTILE[kind].replace(b"\n", b",1\n") + b",1\n") if column else HOSTILE[kind])
    design.write_text(PAIRS.to_json())
    status, out, err = cli("count", str(path), *column, "--mechanism", str(design))
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert SECRET not in err
    assert "111111" not in err


def test_an_endless_line_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("rropt_fieldwork.counts.lines.MAX_FILE_BYTES", 1 << 16)
    monkeypatch.setattr("rropt_fieldwork.counts.lines._CHUNK", 1 << 12)
    with pytest.raises(FileFormatError, match="line 1 of the responses is too long"):
        count("/dev/zero", PAIRS)
    path = tmp_path / "x.txt"
    path.write_bytes(b"0&1\n" * 70_000 + b"0" * 70_000)
    with pytest.raises(FileFormatError, match="line 70001 of the responses is too long"):
        count(str(path), PAIRS)


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import sys

    path = tmp_path / "x.csv"
    path.write_text("y\n0&1\n3&4\n")
    for text, column in (("0&1\n3&4\n", None), ("y\n0&1\n3&4\n", "y")):
        path.write_text(text)
        with path.open() as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            assert count("-", PAIRS, column=column) == count(str(path), PAIRS, column=column)


def test_merge_refuses_other_mechanisms_and_a_shard_that_is_given_twice() -> None:
    made, rows = BlockMechanism(AllSubsets(3, 2), 3), [[True, True, False]]
    one = count(rows, made)
    with pytest.raises(InvalidParameterError, match="a shard is given twice"):
        merge([one, count(rows, made)])
    with pytest.raises(InvalidParameterError, match="different mechanisms"):
        merge([one, count(rows, BlockMechanism(AllSubsets(3, 2), 4), shard="b")])
    assert merge([one, count(rows, made, shard="b")]).n == 2
    with pytest.raises(InvalidParameterError, match="no counts to merge"):
        merge([])
    with pytest.raises(UnsupportedProblemError, match="most likely proportions are not determined"):
        estimate_counts(one, likelihood=True)
    with pytest.raises(InvalidParameterError, match="counts of 0 responses"):
        estimate_counts(count(np.zeros((0, 3), bool), made))
    with pytest.raises(UnsupportedProblemError, match="heavy hitters are found from counts of memberships"):
        heavy_hitters(count([0, 1], named_mechanism("warner:3/4")), "1/2")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"result": "Estimate"}, "the result is no AggregatedCounts"),
        ({"result": ["Estimate"]}, "the result is no AggregatedCounts"),
        ({"mechanism_hash": "0" * 64}, "mechanism_hash contradicts the rest"),
        ({"n": 0}, "the counts do not fit"),
        ({"counts": [1, 1]}, "the counts do not fit"),
        ({"counts": [1, 1, -1]}, "the counts do not fit"),
        ({"counts": [1, 1, 0.5]}, "allowed is an integer"),
        ({"counted": "sets"}, "the counts do not fit"),
        ({"shards": ["b", "a"]}, "the shards are not a sorted list"),
        ({"shards": []}, "the shards are not a sorted list"),
        ({"shards": ["\x1b[31m"]}, "the shards are not a sorted list"),
        ({"more": 1}, "holds 'more'"),
    ],
)
def test_a_file_of_counts_is_not_believed(change: dict[str, Any], message: str) -> None:
    written = count([[True, True, False]], BlockMechanism(AllSubsets(3, 2), 3), shard="a").to_dict()
    with pytest.raises(FileFormatError, match=message):
        AggregatedCounts.from_dict({**written, **change})


def test_counts_of_sets_that_are_too_many_to_list_come_back() -> None:
    counts = AggregatedCounts(BlockMechanism(AllSubsets(2000, 900), 3), 4, "memberships", (2,) * 2000, ("a",))
    assert AggregatedCounts.from_json(counts.to_json()) == counts


def _binomial_tail(n: int, p: Fraction, least: int) -> Fraction:
    return sum((comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(least, n + 1)), F(0))


def test_intervals_and_p_values_are_those_of_exact_binomial_tails() -> None:
    n = 40
    low, high = clopper_pearson(np.arange(n + 1), n, 0.01)
    for c in range(n + 1):
        if c:
            assert abs(float(_binomial_tail(n, F(float(low[c])), c)) - 0.005) < 1e-7
            assert _binomial_tail(n, F(float(low[c])), c) < F(5, 1000)  # outwards
        if c < n:
            assert abs(float(1 - _binomial_tail(n, F(float(high[c])), c + 1)) - 0.005) < 1e-7
            assert 1 - _binomial_tail(n, F(float(high[c])), c + 1) < F(5, 1000)
    assert low[0] == 0
    assert high[n] == 1
    made = BlockMechanism(AllSubsets(4, 2), 9)
    rows = BlockSampler(made).sets(np.zeros(n, np.int64), np.random.default_rng(1).bytes)
    counts = count(rows, made)
    found = heavy_hitters(counts, "1/10", level="9999999999/10000000000")
    rate = made.miss + (made.hit - made.miss) / 10
    exact = sorted((_binomial_tail(n, rate, c), x) for x, c in enumerate(counts.counts))
    adjusted, worst = [], F(0)
    for place, (p, _) in enumerate(exact):
        worst = max(worst, (4 - place) * p)
        adjusted.append(min(worst, F(1)))
    kept = [x for x in adjusted if x < F(9999999999, 10**10)]
    quantiles = [NormalDist().inv_cdf(1 - x) for x in (0.9999999999 / 4, 0.2)]
    error = float(rate * (1 - rate) / n) ** 0.5 / float(made.hit - made.miss)
    detected = detectable_proportion(made, 4, n, F(1, 10), 1 - F(1, 10**10))
    assert detected == pytest.approx(0.1 + sum(quantiles) * error, rel=1e-9)
    assert heavy_hitters(counts, "1/10") == heavy_hitters(counts, "1/10", level="1/20")
    assert estimate_counts(counts) == estimate_counts(counts, confidence="19/20")
    assert len(kept) == len(found)
    assert np.allclose([*found.pvalues], [float(x) for x in kept], rtol=1e-9)


@pytest.mark.slow
def test_the_familywise_error_and_the_power_of_heavy_hitters(size: Callable[[int, int], int]) -> None:
    """At the threshold a category is named in at most 5 % of the surveys; at the detectable share in most of them."""
    made = BlockMechanism(AffineClasses(20, 23, 11, 3, False), 9)
    surveys, wrong, hit = size(150, 2000), 0, 0
    n = 4000
    for seed in range(surveys):
        answers = np.arange(n) % 20  # every proportion is 1/20
        drawn = np.asarray(Randomizer(made).simulate_many(answers, rng=seed), np.int64)
        counts = count(drawn, made)
        wrong += bool(heavy_hitters(counts, "1/20").rows)
        share = detectable_proportion(made, 20, n, F(1, 20), F(1, 20))
        many = round(share * n)
        answers = np.concatenate([np.zeros(many, np.int64), 1 + np.arange(n - many) % 19])
        drawn = np.asarray(Randomizer(made).simulate_many(answers, rng=10_000 + seed), np.int64)
        found = heavy_hitters(count(drawn, made), "1/20")
        hit += "0" in [one.name for one in found]
    assert wrong <= 0.05 * surveys + 3 * (0.05 * 0.95 * surveys) ** 0.5
    assert hit >= 0.65 * surveys


@pytest.mark.slow
def test_a_prefix_tree_finds_the_frequent_values_of_a_million() -> None:
    tree, rng = PrefixTree(20, 5, 4), np.random.default_rng(1)
    frequent = [np.full(60_000, 123_456), np.full(50_000, 999_999)]
    values = rng.permutation(np.concatenate([*frequent, rng.integers(0, 1 << 20, 290_000)]))
    parts = np.array_split(values, tree.depth)
    responses = [tree.simulate(part, depth, rng=depth) for depth, part in enumerate(parts)]
    found = tree.find(responses, "1/20")
    assert [one.name for one in found] == ["123456", "999999"]
    assert [one.conf_int().lower <= p <= one.conf_int().upper for one, p in zip(found, (0.15, 0.125), strict=True)] == [
        True,
        True,
    ]
    assert all("familywise error rate of 0.0125," in text for text in found.remarks())
    assert len(found.remarks()) == 4
    assert tree.find(responses, "1/2").rows == ()
    assert all(mechanism.parity() <= F(5460, 100) for mechanism in tree.mechanisms)
    with pytest.raises(InvalidParameterError, match="other levels than the tree"):
        tree.find(responses[:2], "1/20")
    with pytest.raises(InvalidParameterError, match="bits is out of range"):
        PrefixTree(49, 4, 1)


def test_a_small_prefix_tree() -> None:
    tree = PrefixTree(5, 3, 5)
    values = np.random.default_rng(1).permutation(np.r_[np.full(900, 21), np.full(600, 6), np.arange(500) % 32])
    responses = [tree.simulate(part, depth, rng=depth) for depth, part in enumerate((values[::2], values[1::2]))]
    found = tree.find(responses, "1/10")
    assert [one.name for one in found] == ["6", "21"]
    assert all(one.p_value <= 0.025 for one in found)
    assert found.remarks() == tuple(
        f"level {depth} of 2: 1000 responses, 8 prefixes tested at a familywise error rate of 0.025, 2 above 0.1"
        for depth in (1, 2)
    )
    assert found == tree.find(responses, "1/10", level="1/20")
    assert tree.find(responses, "3/5") == tree.find([responses[0], responses[1][:0]], "3/5")  # no prefix exceeds it


def test_no_responses_are_not_tested() -> None:
    empty = count(np.zeros((0, 2), int), PAIRS, shard="a")
    for call in (lambda: heavy_hitters(empty, "0.1"), lambda: PrefixTree(8, 4, 1).find([[], []], "0.1")):
        with pytest.raises(InvalidParameterError, match="nothing to test: received 0 responses"):
            call()


@pytest.mark.slow
def test_a_prefix_tree_finds_values_of_48_bits() -> None:
    """A domain of 2.8 x 10^14 values, of which only candidates are looked at."""
    tree, rng = PrefixTree(48, 8, 5), np.random.default_rng(2)
    words = [int.from_bytes(word, "big") for word in (b"cheese", b"violin")]
    values = rng.permutation(np.concatenate([np.full(14_000, words[0]), np.full(12_000, words[1]),
                                             rng.integers(0, 1 << 48, 34_000)]))  # fmt: skip
    responses = [tree.simulate(part, depth, rng=depth) for depth, part in enumerate(np.array_split(values, 6))]
    found = tree.find(responses, "1/20")
    assert [one.name for one in found] == [*map(str, words)]
    assert [mechanism.output_bits <= 62 for mechanism in tree.mechanisms] == [True] * 6
    assert [mechanism.inputs for mechanism in tree.mechanisms] == [1 << 8 * i for i in range(1, 7)]
    last = tree.mechanisms[-1]
    assert Mechanism.from_json(last.to_json()) == last
    with pytest.raises(UnsupportedProblemError, match="too many to be listed"):
        last.blocks.members(0)


def test_the_commands_count_merge_and_estimate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = MADE[0]
    design = tmp_path / "m.json"
    design.write_text(made.to_json())
    pi, answers = _truth(20, 20_000, 9)
    for i in range(2):
        drawn = Randomizer(made).simulate_many(answers[i::2], rng=i)
        (tmp_path / f"{i}.txt").write_text("".join(f"{x}\n" for x in drawn.tolist()))
        words = [
            "count",
            str(tmp_path / f"{i}.txt"),
            "--mechanism",
            str(design),
            "--output",
            str(tmp_path / f"{i}.json"),
        ]
        assert main(words) == 0
    total = tmp_path / "all.json"
    assert main(["count", "--add", str(tmp_path / "0.json"), str(tmp_path / "1.json"), "--output", str(total)]) == 0
    capsys.readouterr()
    assert main(["estimate", str(total), "--confidence", "95%", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {row["n"] for row in told["rows"]} == {20_000}
    assert not any("most_likely" in row for row in told["rows"])
    joint = [row["simultaneous"]["exact"] for row in told["rows"]]
    assert all(low <= p <= high for (low, high), p in zip(joint, pi, strict=True))
    assert main(["count", str(total), "--exceeding", "1/50", "--confidence", "95%", "--json"]) == 0
    above = json.loads(capsys.readouterr().out)["exceeding"]
    assert above["threshold"] == "1/50"
    assert all(row["p_value"] <= 0.05 and float(Fraction(row["estimate"])) > 0.02 for row in above["rows"])
    assert main(["count", "--add", str(total), str(tmp_path / "1.json")]) == 2
    assert "a shard is given twice" in capsys.readouterr().err
    assert main(["estimate", str(total), "--likelihood"]) == 2
    assert "`--likelihood` is now `rropt estimate DATA" in capsys.readouterr().err
    assert main(["count", str(total), "--exceeding", "1/50"]) == 0
    out = capsys.readouterr().out
    assert "Categories above 1/50" in out
    assert "20 categories tested at a familywise error rate of 0.05" in " ".join(out.split())


def test_the_largest_are_listed_and_heavy_hitters_have_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    made = BlockMechanism(AllSubsets(25, 2), 9).labelled([f"item {x}" for x in range(25)])
    bits = np.eye(25, dtype=bool)[np.arange(200) % 25] | np.eye(25, dtype=bool)[np.where(np.arange(200) % 3, 7, 8)]
    bits[np.arange(200) % 25 == 7, 6] = bits[np.arange(200) % 25 == 8, 6] = True
    counts = count(np.stack([row for row in bits if row.sum() == 2]), made)
    found = estimate_counts(counts)
    monkeypatch.setattr("rropt.estimates.estimated._SHOWN", 20)
    shown = [row[0] for row in found.as_tables()[0][2][:20]]
    assert found.as_tables()[0][0] == "The 20 largest of 25 estimates (--output FILE writes all)"
    assert shown[:2] == ["item 7", "item 8"]
    assert sorted(counts.counts)[5] <= counts.counts[int(shown[-1].split()[1])]
    assert [one.name for one in heavy_hitters(counts, "1/10")] == ["item 7", "item 8"]
    for wrong in (np.eye(25, dtype=bool), np.ones((2, 25), bool)):
        with pytest.raises(InvalidParameterError, match="a set has another size"):
            count(wrong, made)


def test_the_table_of_memberships_has_a_row_for_each_category() -> None:
    """The unbiased estimate (c/n - 1/4)/(1/2 - 1/4) of one-hot bits; 10 of 10 have an interval above 1: none."""
    found = estimates_of_memberships(named_mechanism("oue:3,3"), (40, 25, 100), 100)
    rows = found.frame_rows()
    assert [row["category"] for row in rows] == ["0", "1", "2"]
    assert [row["estimate"] for row in rows] == pytest.approx([0.6, 0, 3])
    assert [row["se"] for row in rows] == pytest.approx([4 * x**0.5 for x in (0.0024, 0.001875, 0)])
    own = [(float(end) - 0.25) / 0.25 for end in (x[0] for x in clopper_pearson(np.array([40]), 100, 0.05))]
    assert (rows[0]["low"], rows[0]["high"]) == pytest.approx((max(own[0], 0), min(own[1], 1)))
    assert (rows[2]["low"], rows[2]["high"]) == (None, None)
    assert nearest_distribution([row["estimate"] for row in rows]).tolist() == [0, 0, 1]
    lines = found.to_csv().splitlines()
    assert lines[0] == "name,question,category,n,estimate,se,low,high,interval,device_se"
    assert len(lines) == 4
    with pytest.raises(InvalidParameterError, match="covariance of several categories is not determined"):
        found.cov_params()
    with pytest.raises(InvalidParameterError, match="covariance of several categories is not determined"):
        found.contrast({"0": 1, "1": -1})
    assert found.contrast({"0": 2}).se == pytest.approx(2 * rows[0]["se"])


def test_results_come_back() -> None:
    counts = count([[True, True, False], [False, True, True]], BlockMechanism(AllSubsets(3, 2), 3), shard="a")
    for result in (counts, estimate_counts(counts), heavy_hitters(counts, "1/2", level="9/10")):
        assert type(result).from_dict(json.loads(json.dumps(result.to_dict()))) == result
        assert isinstance(result, (AggregatedCounts, Estimates))
    assert isinstance(counts.mechanism, Mechanism)


def test_counts_of_outputs_are_estimated_as_if_they_were_typed(
    cli: Callable[..., tuple[int, str, str]], cli_json: Callable[..., dict], tmp_path: Path
) -> None:
    file, lines = tmp_path / "m.json", tmp_path / "lines.txt"
    named = ("--categories", "never,once,often", "--output", str(file))
    assert cli("design", "kary", "-k", "3", "--gamma", "4", "--objective", "a-optimal", *named)[0] == 0
    lines.write_text("never\nonce\nonce\n2\n" * 25)
    counts = tmp_path / "counts.json"
    assert cli("count", str(lines), "--mechanism", str(file), "--output", str(counts))[0] == 0
    found = cli_json("estimate", str(counts), "--contrast", "1,-1,0")
    typed = cli_json("estimate", "--counts", "25,50,25", "--mechanism", str(file), "--contrast", "1,-1,0")
    assert found == typed
    out = cli("estimate", str(counts))[1]
    assert "\nonce " in out
    assert "95 % interval" in out
    lines.write_text("never\nseldom\n")
    status, _, err = cli("count", str(lines), "--mechanism", str(file))
    assert status == 2
    assert "line 2 of the responses is no response of the mechanism: allowed are 'never, once, often'" in err
    assert "seldom" not in err


def test_memberships_of_a_file_fit_its_mechanism() -> None:
    data = estimates_of_memberships(named_mechanism("oue:3,3"), (4, 0, 10), 10).to_dict()
    assert Estimates.from_dict(data).memberships == (4, 0, 10)
    zero = [{**row, "n": 0} for row in data["rows"]]
    for changed, told in (
        ({"memberships": [4, 0, 11]}, "memberships do not fit"),
        ({"memberships": [4, 0, -1]}, "memberships do not fit"),
        ({"memberships": [4, 0]}, "memberships do not fit"),
        ({"rows": zero}, "memberships do not fit"),
        ({"confidence": "1"}, "confidence"),
        ({"memberships": [4, 1, 10]}, "do not follow from the memberships"),
        ({"mechanisms": [{"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}]}, "memberships do not fit"),
        ({"mechanisms": []}, "damaged"),
        ({"rows": []}, "memberships do not fit"),
    ):
        with pytest.raises(FileFormatError, match=told):
            Estimates.from_dict(data | changed)


@pytest.mark.parametrize("theta", ["0", "1/10", "1/2"])
def test_the_detectable_proportion_has_its_formula(theta: str) -> None:
    """theta + (z_{1 - alpha/k} + z_0.8) sqrt(r (1 - r) / n) / (a - b), where r = b + (a - b) theta."""
    made = BlockMechanism(AllSubsets(4, 2), 3)  # a = 3/4 and b = 5/12
    found = heavy_hitters(count([[True, True, False, False]] * 25, made), theta, level="1/20")
    detected = detectable_proportion(made, 4, 25, F(theta), F(1, 20))
    assert decimal_text(detected, 3) in found.remarks()[0]
    rate = F(5, 12) + F(1, 3) * F(theta)
    quantiles = NormalDist().inv_cdf(1 - 0.05 / 4) + NormalDist().inv_cdf(0.8)
    error = math.sqrt(rate * (1 - rate) / 25) / float(F(1, 3))
    assert detected == pytest.approx(float(F(theta)) + quantiles * error, rel=1e-9)  # quantiles of two libraries


@pytest.mark.parametrize("most", [1 << 20, 3])
def test_lines_of_wrong_responses_are_those_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Rows above have line breaks; equal responses are counted first, or, if there are many, rows in their order."""
    monkeypatch.setattr("rropt_fieldwork.from_tables.counted_responses._MOST_DIFFERENT", most)
    monkeypatch.setattr("rropt_fieldwork.from_tables.counted_responses._ROWS", 2)
    path = tmp_path / "a.csv"
    good = 'note,q\n"two\nlines",0\n,1\n,2\n"a\nb\nc",3\n'
    path.write_text(good + ",1\n")
    assert count(str(path), "grr:4,1/2", column="q").counts == (1, 2, 1, 1)
    for wrong, told in (
        (",yes\n", "line 9 of the responses is no list of numbers"),
        (",\n", "line 9 of the data is no response: received none in 'q'"),
        (',";"\n', "line 9 of the data is no response: received none in 'q'"),
        (',"1\n2"\n', "of the data is no response: received several lines in 'q'"),
        (',"1;2"\n', "line 9 of the responses has another number of numbers: received 2"),
    ):
        path.write_text(good + wrong)
        with pytest.raises(FileFormatError, match=told):
            count(str(path), "grr:4,1/2", column="q")


@pytest.mark.slow
def test_a_column_has_the_counts_of_pandas(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    codes = np.random.default_rng(2).integers(0, 5, 400)
    frame = pandas.DataFrame({"q": codes, "text": codes.astype(str), "floats": codes.astype(float)})
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_csv(tmp_path / "a.csv", index=False)
    wanted = tuple(frame.q.value_counts().sort_index())
    for data in (frame, str(tmp_path / "a.parquet"), str(tmp_path / "a.csv")):
        for column in frame:
            assert count(data, "grr:5,1/2", column=column).counts == wanted
    names = [count(str(tmp_path / "a.csv"), "grr:5,1/2", column=column).shards for column in ("q", "floats", "q")]
    assert names[0] == names[2] != count(str(tmp_path / "a.csv"), "grr:5,1/2", column="text").shards
