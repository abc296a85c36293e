"""The mechanism: exactness, parity and profile against brute force, text forms, and bad input."""

from __future__ import annotations

import math
import pickle
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy
from column_stochastic import column_stochastic
from later import later

from rropt import Mechanism
from rropt.core.errors import FileFormatError, InvalidMechanismError, InvalidParameterError
from rropt.core.exact import Epsilon
from rropt.mechanisms import RestrictedResponse, load_mechanism
from rropt.mechanisms.columns import listed

sparse = later("scipy.sparse")
DIE = [["5/6", "1/6"], ["1/6", "5/6"]]


def _delta(mechanism: Mechanism, gamma: Fraction) -> Fraction:
    """The definition itself: the largest of Pr(S | j) - gamma Pr(S | l) over all pairs and all sets S of outputs."""
    columns = mechanism.design_matrix
    return max(
        sum((p - gamma * q for p, q, inside in zip(a, b, subset, strict=True) if inside), Fraction(0))
        for a in columns
        for b in columns
        for subset in product([0, 1], repeat=mechanism.outputs)
    )


@pytest.mark.slow
def test_profile_is_the_definition(rng: random.Random, size: Callable[[int, int], int]) -> None:
    points = 0
    for _ in range(size(120, 2000)):
        mechanism = Mechanism(column_stochastic(rng, rng.randint(1, 4), rng.randint(1, 4)))
        profile = mechanism.profile()
        gammas = {Fraction(1), Fraction(7, 5), Fraction(3), Fraction(1000), *profile.breakpoints}
        gammas |= {g + Fraction(1, 1000) for g in profile.breakpoints}
        for gamma in gammas:
            expected = _delta(mechanism, gamma)
            assert profile.at(gamma) == expected
            assert mechanism.delta(Epsilon.of_parity(gamma)) == expected
            points += 1
        parity = mechanism.parity()
        if parity is None:
            assert profile.limit > 0
        else:
            assert profile.limit == 0
            assert _delta(mechanism, parity) == 0
            assert parity == 1 or _delta(mechanism, parity - Fraction(1, 10**9)) > 0
        starts = [piece.gamma_from for piece in profile.pieces]
        assert starts == sorted(set(starts))
        slopes = [-piece.slope for piece in profile.pieces]
        assert slopes == sorted(slopes, reverse=True)  # convex
    assert points >= 500


def test_profile_of_close_ratios_and_unlike_denominators(rng: random.Random) -> None:
    """Ratios that differ beyond float precision keep their order; the denominators of the columns have no factor."""
    points = 0
    for _ in range(20):
        columns = []
        for prime in (10**9 + 7, 10**9 + 9, 10**9 + 21):
            a, b = rng.randint(1, prime // 4), rng.randint(1, prime // 4)
            columns.append([Fraction(x, prime) for x in (a, b, b + 1, prime - a - 2 * b - 1)])
        mechanism = Mechanism(list(zip(*columns, strict=True)))
        profile = mechanism.profile()
        for gamma in {Fraction(1), *profile.breakpoints, *(x + Fraction(1, 10**25) for x in profile.breakpoints)}:
            assert profile.at(gamma) == _delta(mechanism, gamma)
            points += 1
    assert points > 60


def test_equal_columns_change_no_profile(rng: random.Random) -> None:
    for _ in range(30):
        mechanism = Mechanism(column_stochastic(rng, 4, 3))
        rows = [(*row, *row) for row in mechanism.matrix]
        assert Mechanism(rows).profile() == mechanism.profile()


def test_a_profile_of_many_categories() -> None:
    k = 102
    matrix = [[Fraction(3 if i == j else 1, k + 2) for j in range(k)] for i in range(k)]
    assert Mechanism(matrix).profile().breakpoints == (3,)


def test_irrational_delta_is_exact() -> None:
    delta = Mechanism.binary("3/4", "3/4").delta("1/2")
    assert str(delta) == "3/4 - 1/4*exp(1/2)"
    assert delta == Fraction(3, 4) - Epsilon.of("1/2").exact_gamma() * Fraction(1, 4)
    assert Mechanism.binary("3/4", "3/4").delta("2") == 0  # beyond its own epsilon = log 3


def test_parity_conventions() -> None:
    assert Mechanism(DIE).parity() == 5
    assert Mechanism([["1", "1"], ["0", "0"]]).parity() == 1  # 0/0 is 1
    assert Mechanism([["1", "1/2"], ["0", "1/2"]]).parity() is None
    assert str(Mechanism([["1", "1/2"], ["0", "1/2"]]).epsilon) == "inf"
    assert str(Mechanism(DIE).epsilon) == "log(5)"


@pytest.mark.parametrize(
    ("text", "gamma"),
    [
        ("warner:3/4", 3),
        ("warner:1", math.inf),  # a zero beside a nonzero entry
        ("rappor:1/2", 3),
        ("bits:crosswise:1/4", 3),
        ("rappor:1/3", 5),
    ],
)
def test_gamma_is_the_number_whose_logarithm_is_epsilon(text: str, gamma: float) -> None:
    mechanism = Mechanism(text)
    assert mechanism.gamma == gamma
    assert float(mechanism.epsilon) == pytest.approx(math.log(gamma))


def test_gamma_of_truths_that_may_be_revealed() -> None:
    assert RestrictedResponse([(2, True), (3, False)], 3).gamma == 3
    assert RestrictedResponse([(2, True), (3, False)], 3, "1/10").gamma == math.inf
    assert RestrictedResponse([(3, True)], 3, "1/10").gamma == Fraction(32, 9)  # (3/5 * 9/10 + 1/10)/(1/5 * 9/10)


def test_relabelling_and_garbling(rng: random.Random) -> None:
    """Permuting rows and columns keeps the profile; post-processing never raises it."""
    points = 0
    for _ in range(60):
        mechanism = Mechanism(column_stochastic(rng, 3, 3))
        rows = list(mechanism.matrix)
        rng.shuffle(rows)
        order = rng.sample(range(3), 3)
        shuffled = Mechanism([[row[j] for j in order] for row in rows])
        assert [(p.gamma_from, p.intercept, p.slope) for p in shuffled.profile().pieces] == [
            (p.gamma_from, p.intercept, p.slope) for p in mechanism.profile().pieces
        ]
        after = mechanism.then(Mechanism(column_stochastic(rng, 2, 3)))
        assert after == _matmul(after, mechanism) or after.shape == (2, 3)
        for gamma in (Fraction(1), Fraction(2), Fraction(5)):
            assert after.profile().at(gamma) <= mechanism.profile().at(gamma)
            points += 1
    assert points == 180


def _matmul(left: Mechanism, right: Mechanism) -> Mechanism:
    return left @ right if left.inputs == right.outputs else left


def test_composition_is_the_matrix_product() -> None:
    first, second = Mechanism.binary("3/4", "2/3"), Mechanism(DIE)
    assert first.then(second) == second @ first
    expected = np.array(second.to_numpy()) @ np.array(first.to_numpy())
    assert np.allclose((second @ first).to_numpy(), expected, rtol=1e-15)  # one rounding per entry
    with pytest.raises(InvalidMechanismError, match="do not compose"):
        first.then(Mechanism([["1/2"] * 3, ["1/2"] * 3]))


def test_the_headline_of_one_output_is_in_the_singular() -> None:
    assert Mechanism([["1", "1"]]).headline == "1 output, 2 inputs, epsilon = 0"


def test_views_and_text() -> None:
    mechanism = Mechanism.binary(1, "1/4", name="example")
    assert mechanism.form() == {"matrix": [["1", "3/4"], ["0", "1/4"]]}
    assert Mechanism.from_dict(mechanism.to_dict()).name == "example"
    assert Mechanism.from_dict(mechanism.named("two\nlines").to_dict()).name is None
    assert mechanism.design_matrix == ((1, 0), (Fraction(3, 4), Fraction(1, 4)))
    assert (mechanism.p00, mechanism.p11, mechanism[0, 1]) == (1, Fraction(1, 4), Fraction(3, 4))
    assert mechanism == Mechanism.from_json(mechanism.to_json())
    assert mechanism == Mechanism([line.split(",") for line in mechanism.to_csv().split()])
    assert mechanism == pickle.loads(pickle.dumps(mechanism)) == Mechanism(mechanism)
    assert hash(mechanism) == hash(Mechanism.binary(1, "1/4"))
    assert "3/4" in str(mechanism)
    assert "<td>3/4</td>" in mechanism._repr_html_()
    assert eval(repr(mechanism), {"Mechanism": Mechanism}) == mechanism
    assert "..." in str(Mechanism([["1/20"] * 20] * 20))
    assert "printed: 12 of 20 rows and 2 of 2 columns" in str(Mechanism([["1/20", "1/20"]] * 20))
    assert "printed" not in str(Mechanism([["1/12"] * 12] * 12))
    with pytest.raises(AttributeError):
        mechanism.matrix = ()  # type: ignore[misc]


@pytest.mark.parametrize(
    "form",
    [
        lambda: np.array([[0.9, 0.1], [0.1, 0.9]]),
        lambda: sympy.Matrix([["9/10", "1/10"], ["1/10", "9/10"]]),
        lambda: sparse.csr_array([[0.9, 0.1], [0.1, 0.9]]),
        lambda: sparse.csc_matrix([[0.9, 0.1], [0.1, 0.9]]),
    ],
    ids=["NumPy", "SymPy", "sparse array", "sparse matrix"],
)
def test_matrices_of_other_libraries(form: Callable[[], object]) -> None:
    assert Mechanism(form()) == Mechanism.binary("9/10", "9/10")


def test_an_array_of_one_row_or_one_column_is_a_list_of_numbers() -> None:
    one, two = [1.0, 2.0, 3.0], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert listed(np.array([one]), flat=True) == listed(np.array([one]).T, flat=True) == one
    assert listed(np.array(two), flat=True) == two
    assert listed(np.array([one])) == [one]


def test_refused_entries() -> None:
    for entry in (float("nan"), None, "x", [1]):
        with pytest.raises(InvalidParameterError, match=r"entry \(0, 0\)"):
            Mechanism([[entry, 0], [0, 1]])


def test_a_negative_entry_is_reported_before_a_sum_that_is_rounded() -> None:
    with pytest.raises(InvalidMechanismError, match=r"entry \(1, 1\) is negative: received -1/2"):
        Mechanism([["0.3333", "3/2", "5/4"], ["0.6666", "-1/2", "-1/4"]])


def test_a_form_may_have_a_matrix_in_place_of_a_shape() -> None:
    class Written(Mechanism):
        """A form without formulas."""

    made = Written.made("die", matrix=Mechanism(DIE).matrix)
    assert (made.shape, made.outputs, made.inputs, made.is_small, str(made.epsilon)) == ((2, 2), 2, 2, True, "log(5)")
    assert pickle.loads(pickle.dumps(Mechanism(made))) == Mechanism(DIE)


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("a.json", b"", "empty"),
        ("a.json", b"  \n", "empty"),
        ("a.json", b"{", "not JSON"),
        ("a.json", b'{"matrix": NaN}', "finite"),
        ("a.json", b'{"matrix": [[1]], "matrix": [[1]]}', "twice"),
        ("a.json", b'{"m": [[1]]}', "not of the form"),
        ("a.json", b"[" * 100_000, "nested"),
        ("a.json", b'{"matrix": [["\xff"]]}', "UTF-8"),
        ("a.csv", b"a,b\nc,d\n", "not a number"),
        ("a.csv", b"1,0\n0\n", "differ in length"),
        ("a.csv", b"\n\n", "empty"),
    ],
)
def test_refused_files(tmp_path, name: str, content: bytes, word: str) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises((FileFormatError, InvalidMechanismError, InvalidParameterError), match=word):
        load_mechanism(file)


def test_files_both_ways(tmp_path) -> None:
    mechanism = Mechanism(DIE)
    for name, text in (("a.json", mechanism.to_json()), ("a.csv", mechanism.to_csv()), ("plain", mechanism.to_json())):
        (tmp_path / name).write_text(text)
        assert load_mechanism(tmp_path / name) == mechanism
    (tmp_path / "floats.json").write_text('{"matrix": [[0.9, 0.1], [0.1, 0.9]]}')
    assert load_mechanism(tmp_path / "floats.json") == Mechanism.binary("9/10", "9/10")
    for missing in (tmp_path / "none.json", tmp_path):
        with pytest.raises(FileFormatError, match="cannot be read"):
            load_mechanism(missing)


def test_missing_files_are_os_errors_too() -> None:
    with pytest.raises(OSError, match="cannot be read"):
        load_mechanism("/nonexistent/file.json")
    with pytest.raises(InvalidMechanismError, match="composes"):
        Mechanism(DIE).then(None)  # type: ignore[arg-type]


def test_names_travel_and_change_nothing() -> None:
    plain = Mechanism([["1/4", "1/2"], ["1/2", "1/4"], ["1/4", "1/4"]])
    named = plain.labelled(["no", "yes"], ["a", "b", "c"])
    assert (
        Mechanism.from_json(named.to_json()).to_dict() == named.to_dict() == pickle.loads(pickle.dumps(named)).to_dict()
    )
    assert named == plain
    assert hash(named) == hash(plain)
    assert named.identity == plain.identity
    assert (named.categories, named.responses) == (("no", "yes"), ("a", "b", "c"))
    assert plain.categories == plain.responses == plain.labelled(["no", "yes"]).responses == ()
    # of a square mechanism each response is named by the category that is likeliest to give it
    assert Mechanism.binary("1/4", "1/4").labelled(["no", "yes"]).responses == ("yes", "no")
    assert Mechanism.binary("1/2", "1/2").labelled(["no", "yes"]).responses == ()
    for wrong in (["no"], ["no", "no"], ["no", ""], ["no", "a\nb"], ["no", 1], "no", {"no": "yes"}, 3):
        with pytest.raises(InvalidParameterError, match="names of the categories do not fit"):
            plain.labelled(wrong)
