"""Named designs: their devices simulated by enumeration, and their exact epsilon against the stated formula."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from every_case import every_case
from few_rows import few_rows

import rropt
from rropt.core.errors import InvalidMechanismError, InvalidParameterError
from rropt.core.exact import Epsilon, rational
from rropt.mechanisms import DESIGNS, Mechanism, OrbitMechanism, named_mechanism
from rropt.mechanisms.columns import Column
from rropt.mechanisms.joint import _mixed
from rropt.mechanisms.left_inverse import gamma_diagonal
from rropt.mechanisms.matrix_privacy import _products
from rropt.mechanisms.named import Design, Parameter
from rropt.mechanisms.named.tuned import truth_probability, tuned_designs
from rropt.mechanisms.rounding import exact_matrix

F = Fraction
SETS = {"oue", "sue", "olh", "hadamard", "pgr", "projective", "affine", "affine-classes", "singer", "paley", "fano"}
FROZEN = json.loads(Path(__file__).with_name("named_designs.json").read_text())  # made by an earlier implementation


def _device(name: str, values: list[Fraction]) -> list[list[Fraction]]:
    """Pr(answer | truth) by walking through the device, not by the library's formula."""
    outputs: dict[tuple[int, int], Fraction] = {}

    def tell(truth: int, answer: int, probability: Fraction) -> None:
        outputs[answer, truth] = outputs.get((answer, truth), F(0)) + probability

    inputs = int(values[0]) if name in ("grr", "subset", "unary") else 2
    inputs = int(values[1] - values[0]) + 1 if name == "thresholds" else inputs
    for truth in range(inputs):
        if name == "grr":
            tell(truth, truth, values[1])
            for other in set(range(inputs)) - {truth}:
                tell(truth, other, (1 - values[1]) / (inputs - 1))
        elif name == "subset":
            subsets = list(combinations(range(inputs), int(values[1])))
            for hit, probability in ((True, values[2]), (False, 1 - values[2])):
                fitting = [i for i, each in enumerate(subsets) if (truth in each) == hit]
                for i in fitting:
                    tell(truth, i, probability / len(fitting))
        elif name == "unary":
            for report in range(2**inputs):
                probability = F(1)
                for x in range(inputs):
                    one = values[1] if x == truth else values[2]
                    probability *= one if report >> x & 1 else 1 - one
                tell(truth, report, probability)
        elif name == "warner":
            (p,) = values
            tell(truth, truth, p)  # the statement: true iff the attribute is there
            tell(truth, 1 - truth, 1 - p)
        elif name == "generalised":
            keep = values[truth]
            tell(truth, truth, keep)
            tell(truth, 1 - truth, 1 - keep)
        elif name == "forced":
            t, y, n = values
            tell(truth, truth, t)
            tell(truth, 1, y)
            tell(truth, 0, n)
        elif name == "unrelated":
            p, b = values
            tell(truth, truth, p)
            tell(truth, 1, (1 - p) * b)
            tell(truth, 0, (1 - p) * (1 - b))
        elif name == "crosswise":
            (p,) = values
            for harmless, probability in ((1, p), (0, 1 - p)):
                tell(truth, int(truth == harmless), probability)
        elif name == "triangular":
            (p,) = values
            for harmless, probability in ((1, p), (0, 1 - p)):
                tell(truth, int(truth == 1 or harmless == 1), probability)
        elif name == "mangat":
            (p,) = values
            if truth:
                tell(truth, 1, F(1))
            else:
                tell(truth, 0, p)
                tell(truth, 1, 1 - p)
        elif name == "mangat-singh":
            t, p = values
            tell(truth, truth, t + (1 - t) * p)
            tell(truth, 1 - truth, (1 - t) * (1 - p))
        elif name == "kuk":
            theta1, theta0, r = values
            theta = theta1 if truth else theta0
            for cards in range(2 ** int(r)):
                red = bin(cards).count("1")
                tell(truth, red, theta**red * (1 - theta) ** (int(r) - red))
        elif name == "christofides":
            for card, share in enumerate(values, 1):
                tell(truth, (len(values) + 1 - card if truth else card) - 1, share)
        elif name == "thresholds":
            low, high, p = values
            cards = int(high - low)
            for card in range(cards):  # between the scores card and card + 1
                is_above = truth > card
                tell(truth, card + cards * is_above, p / cards)
                tell(truth, card + cards * (not is_above), (1 - p) / cards)
        elif name == "rappor":
            f, p, q, n = values
            for kept in (0, 1):
                for reports in range(2 ** int(n)):
                    ones = bin(reports).count("1")
                    one = q if kept else p
                    drawn = 1 - f / 2 if kept == truth else f / 2
                    tell(truth, ones, drawn * one**ones * (1 - one) ** (int(n) - ones))
    rows = max(i for i, _ in outputs) + 1
    return [[outputs.get((i, j), F(0)) for j in range(inputs)] for i in range(rows)]


def _epsilon(name: str, values: list[Fraction]) -> float:
    """The formula that `rropt design list` states."""
    v = [float(x) for x in values]
    formula = {
        "warner": lambda p: abs(math.log(p / (1 - p))),
        "generalised": lambda a, b: math.log(max(a / (1 - b), b / (1 - a), (1 - b) / a, (1 - a) / b)),
        "forced": lambda t, y, n: math.log(1 + t / min(y, n)),
        "unrelated": lambda p, b: math.log(1 + p / ((1 - p) * min(b, 1 - b))),
        "crosswise": lambda p: abs(math.log(p / (1 - p))),
        "triangular": lambda _: math.inf,
        "mangat": lambda _: math.inf,
        "mangat-singh": lambda t, p: abs(math.log((t + (1 - t) * p) / (1 - t - (1 - t) * p))),
        "kuk": lambda a, b, r: r * math.log(max(a / b, b / a, (1 - a) / (1 - b), (1 - b) / (1 - a))),
        "grr": lambda k, p: abs(math.log(p * (k - 1) / (1 - p))),
        "subset": lambda k, d, p: abs(math.log(p * (k - d) / ((1 - p) * d))),
        "unary": lambda _, p, q: abs(math.log(p * (1 - q) / ((1 - p) * q))),
        "christofides": lambda *p: math.log(max(a / b for a, b in zip(p, reversed(p), strict=True))),
        "thresholds": lambda _, __, p: math.log(p / (1 - p)),
        "rappor": _rappor_epsilon,
    }
    return formula[name](*v)


def _rappor_epsilon(f: float, p: float, q: float, n: float) -> float:
    def u(x: float, y: float) -> float:
        return ((1 - f / 2) * x**n + f / 2 * y**n) / (f / 2 * x**n + (1 - f / 2) * y**n)

    return math.log(max(u(q, p), u(1 - p, 1 - q)))


def _values(name: str, rng: random.Random) -> list[Fraction]:
    draw = [F(rng.randint(1, 30), 31) for _ in range(3)]
    if name == "forced":
        t, y = draw[0], draw[1] * (1 - draw[0])
        return [t, y, 1 - t - y]
    if name == "christofides":
        cards = [rng.randint(1, 30) for _ in range(rng.randint(2, 7))]
        return [F(c, sum(cards)) for c in cards]
    if name == "kuk":
        return [draw[0], draw[1], F(rng.randint(1, 5))]
    if name == "rappor":
        f, *chances = draw
        return [f, *sorted(chances), F(rng.randint(1, 5))]
    if name == "subset":
        k = rng.randint(2, 6)
        return [F(k), F(rng.randint(1, k - 1)), draw[0]]
    if name == "thresholds":
        low = rng.randint(-3, 3)
        return [F(low), F(low + rng.randint(1, 6)), (draw[0] + 1) / 2]
    if name in ("grr", "unary"):
        return [F(rng.randint(2, 5)), *draw[: len(DESIGNS[name].parameters) - 1]]
    return draw[: len(DESIGNS[name].parameters)]


@few_rows(4)
@pytest.mark.parametrize("name", [name for name in DESIGNS if name not in SETS])
def test_device_and_epsilon(name: str, rng: random.Random) -> None:
    points = 0
    for _ in range(40):
        values = _values(name, rng)
        mechanism = DESIGNS[name](*values)
        assert [list(row) for row in mechanism.matrix] == _device(name, values)
        assert Mechanism(mechanism.matrix) == mechanism  # some devices are made without a check of their columns
        assert float(mechanism.epsilon) == pytest.approx(_epsilon(name, values), rel=1e-9, abs=1e-12)  # float formula
        assert named_mechanism(mechanism.name or "") == mechanism
        points += 1
    assert points == 40


def test_subset_selection_is_that_of_orbits() -> None:
    """Named with p = d gamma / (d gamma + k - d), at odds gamma."""
    for k, d, gamma in ((4, 2, F(3)), (5, 2, F(2)), (5, 4, F(7, 2)), (3, 1, F(5))):
        p = d * gamma / (d * gamma + k - d)
        named = named_mechanism(f"subset:{k},{d},{p}")
        assert sorted(named.matrix) == sorted(OrbitMechanism.subset_selection(k, d, gamma).matrix)
        assert named.parity() == gamma


def test_published_figures() -> None:
    assert str(named_mechanism("forced:2/3,1/6,1/6").epsilon) == "log(5)"  # the Nigeria survey's die
    assert named_mechanism("crosswise:1/4").matrix == ((F(1, 4), F(3, 4)), (F(3, 4), F(1, 4)))
    assert named_mechanism("kuk:4/5,1/5").shape == (2, 2)


def test_parameters_at_a_parity(rng: random.Random) -> None:
    points = 0
    for _ in range(50):
        gamma, b = F(rng.randint(11, 90), 10), F(rng.randint(1, 30), 31)
        assert DESIGNS["unrelated"](truth_probability(gamma, F(0), b), b).parity() == gamma
        assert DESIGNS["warner"](gamma / (1 + gamma)).parity() == gamma
        points += 1
    assert points == 50
    assert truth_probability(F(5), F(0), F(1, 4)) == F(1, 2)


def test_every_example_is_valid() -> None:
    for design in DESIGNS.values():
        mechanism = design(*design.example.split(","))
        if design.name not in SETS:
            first = int(F(design.example.split(",")[0]))
            known = {"grr": first, "subset": first, "unary": first, "thresholds": 5}
            assert mechanism.inputs == known.get(design.name, 2)
        assert rational(mechanism.matrix[0][0]) >= 0


@every_case("name", FROZEN)
def test_mechanisms_and_refusals_are_those_of_an_earlier_implementation(name: str) -> None:
    """Texts, and random parameters, some of them wrong: class, name and entries, or the words of the refusal."""
    design = DESIGNS[name]
    assert [list(design.line()), design.to_dict()] == FROZEN[name]["texts"]
    for text, expected in FROZEN[name]["calls"].items():
        assert _outcome(text) == expected, text
    assert len(FROZEN[name]["calls"]) >= 15


def _outcome(text: str) -> str:
    try:
        made = named_mechanism(text)
    except InvalidParameterError as error:
        return str(error)
    body = [list(map(str, row)) for row in made.matrix] if made.inputs * made.outputs < 4000 else made.form()
    return sha256(json.dumps([type(made).__name__, made.name, body]).encode()).hexdigest()[:16]


def test_tuned_decks_of_kuk_use_the_level_up(rng: random.Random) -> None:
    """A deck of several cards reaches the odds gamma, or delta."""
    for draws in (2, 3, 5):
        for delta in (Fraction(0), Fraction(1, 10), Fraction(1, 3)):
            gamma, pi = Fraction(rng.randint(11, 90), 10), Fraction(rng.randint(1, 9), 10)
            options = {"other": Fraction(1, 2), "middle": Fraction(1, 4), "draws": draws}
            found = tuned_designs(gamma, delta, Mechanism("warner:3/4"), pi, **options)["kuk"]
            assert found is not None
            assert found.delta(rropt.exact.Epsilon.of_gamma(gamma)) <= delta
            assert found.delta(rropt.exact.Epsilon.of_gamma(gamma - Fraction(1, 10**9))) > delta - Fraction(1, 10**8)
            assert delta or 1 - Fraction(1, 10**12) < found.parity() / gamma <= 1


def test_a_view_is_mixed_over_the_traits_of_the_others() -> None:
    laws = {(x, y): {f"{x}{y}": Fraction(1, 2), "same": Fraction(1, 2)} for x in (0, 1) for y in (0, 1)}
    quarter = Fraction(1, 4)
    assert _mixed(laws, 0, quarter) == {"00": Fraction(3, 8), "01": Fraction(1, 8), "same": Fraction(1, 2)}
    assert _mixed(laws, 1, Fraction(0)) == {"10": Fraction(1, 2), "same": Fraction(1, 2)}


def test_products_of_a_column_are_rounded_once_and_limited() -> None:
    column = Column(0, (1, 2, 0), 3)
    assert _products(Fraction(3, 2), column, range(3)) == [0.5, 1.0, 0.0]
    assert _products(Fraction(7, 2), column, range(3)) == [7 / 6, 2.0, 0.0]
    assert _products(Fraction(10**400), column, range(3)) == [2.0, 2.0, 0.0]


def test_the_form_of_one_truth_and_common_noise() -> None:
    found = gamma_diagonal(named_mechanism("grr:4,1/2"))
    assert found is not None
    assert (found.truth, found.other) == (Fraction(1, 3), (Fraction(1, 6),) * 4)
    for matrix in (
        [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]],
        [["3/5", "1/5"], ["2/5", "4/5"]],
    ):
        mechanism = Mechanism(matrix)
        form = gamma_diagonal(mechanism)
        assert form is not None
        for i, row in enumerate(mechanism.matrix):
            assert list(row) == [form.other[i] + form.truth * (i == j) for j in range(len(row))]
    assert gamma_diagonal(Mechanism([["1/2", "1/4", "1/4"], ["1/4", "3/8", "1/4"], ["1/4", "3/8", "1/2"]])) is None
    assert gamma_diagonal(Mechanism("warner:1/2")) is None


@few_rows(26)
@pytest.mark.parametrize(
    "text",
    [f"{design.name}:{design.example}" for design in DESIGNS.values()]
    + [
        "forced:0,1/3,2/3",
        "kuk:1,0,3",
        "christofides:0,1",
        "grr:2,0",
        "rappor:1,0,1,3",
        "unary:3,1,0",
        "unrelated:0,1",
    ],
)
def test_the_matrices_of_our_designs_need_no_check(text: str) -> None:
    """The builders return exact stochastic rows, also at the ends of their parameters: the check changes nothing."""
    matrix = named_mechanism(text).matrix
    assert exact_matrix(matrix) == (matrix, None)
    assert {type(x) for row in matrix for x in row} == {F}


def test_the_matrix_of_a_design_of_ones_own_is_checked() -> None:
    """The rows of somebody's builder are refused like every other matrix."""
    own: dict[str, Any] = {"title": "", "device": "", "epsilon": "", "source": "", "example": "1/2", "required": 1}
    chance = Parameter("t", "probability")
    design = Design(name="own", parameters=(chance,), build=lambda t: ((t, t), (t, F(1))), **own)
    with pytest.raises(InvalidMechanismError, match="column 1 does not sum to 1"):
        design("1/2")


@pytest.mark.parametrize(
    ("typed", "meant"), [("local-hashing-of:3", "olh"), ("binary:1,1/4", "generalised"), ("warnr:3/4", "warner")]
)
def test_a_word_of_a_title_finds_its_design(typed: str, meant: str) -> None:
    with pytest.raises(InvalidParameterError, match=rf"did you mean {meant}\?$"):
        named_mechanism(typed)


def _yes(p11: str, p10: str) -> tuple[Fraction, Fraction]:
    return F(p11), F(p10)


@pytest.mark.parametrize(
    ("typed", "yes"),
    [  # Pr(yes | 1) and Pr(yes | 0): from the transformed variables of RRTCS, r = (z - c)/d: c and c + d
        ("Horvitz:1/2,1/4", _yes("5/8", "1/8")),
        ("simmons:1/2,1/4", _yes("5/8", "1/8")),
        ("SoberanisCruz:1/2,1/4", _yes("5/8", "1/8")),
        ("soberanis-cruz:1/2,1/4", _yes("5/8", "1/8")),
        ("devore:7/10", _yes("1", "3/10")),
        ("singh-joarder:3/5", _yes("21/25", "2/5")),
        ("MangatSinghSingh:3/5,3/10", _yes("1", "3/25")),
        ("mangat_singh_singh:3/5,3/10", _yes("1", "3/25")),
        ("ForcedResponse:1/6,1/6", _yes("5/6", "1/6")),
        ("boruch:1/2,1/4,1/4", _yes("3/4", "1/4")),
        ("rrlogit:0.8,0.1,0.05", _yes("39/50", "27/100")),
        ("pwarner:.8,.1,.05", _yes("39/50", "27/100")),
        ("mirrored:3/4", _yes("3/4", "1/4")),
        ("cwm:1/4", _yes("1/4", "3/4")),
    ],
)
def test_a_name_of_the_field_is_refused_with_its_device(typed: str, yes: tuple[Fraction, Fraction]) -> None:
    with pytest.raises(InvalidParameterError, match=r"no design has the name .*did you mean (\S+)\? ") as refused:
        named_mechanism(typed)
    meant = named_mechanism(str(refused.value).partition("did you mean ")[2].partition("?")[0])
    assert meant.matrix[1] == (yes[1], yes[0])


@pytest.mark.parametrize(
    "typed", ["devore", "simmons:1", "rrlogit:1", "krr:4,3", "cdm:1", "hadamard-response:7,3", "uqtunknown:1"]
)
def test_without_numbers_the_form_of_the_device_is_named(typed: str) -> None:
    with pytest.raises(InvalidParameterError, match=r"(unrelated|generalised|grr|hadamard):|rropt noncompliance"):
        named_mechanism(typed)


@pytest.mark.parametrize(
    ("typed", "epsilon"),
    [
        ("oue:8,exp(1)", 1.0),
        ("oue:8,e", 1.0),
        ("olh:8,exp(1)", 1.0),
        ("hadamard:7,exp(1/2)", 0.5),
        ("grr:8,exp(1)/(exp(1)+7)", 1.0),
        ("warner:exp(1)/(1+exp(1))", 1.0),
        ("warner:e^2/(1+e^2)", 2.0),
        ("crosswise:exp(0.1)/(1+exp(0.1))", 0.1),
    ],
)
def test_a_parameter_with_exp_is_refused_with_a_device_just_below(typed: str, epsilon: float) -> None:
    with pytest.raises(InvalidParameterError, match=r"is irrational.*just below epsilon.*rropt design") as refused:
        named_mechanism(typed)
    meant = named_mechanism(_suggested(refused, typed))
    assert epsilon - 1e-6 < float(meant.epsilon) <= epsilon


def _suggested(refused: pytest.ExceptionInfo[InvalidParameterError], typed: str) -> str:
    name = typed.partition(":")[0]
    return f"{name}:" + str(refused.value).rpartition(f" is {name}:")[2].partition(";")[0]


@pytest.mark.parametrize("typed", ["forced:exp(1),1/6,1/6", "generalised:exp(1)/(1+exp(1)),1/2"])
def test_other_devices_with_exp_name_the_command_that_takes_epsilon(typed: str) -> None:
    with pytest.raises(
        InvalidParameterError, match=r"exp\(1\) is irrational.*about 2\.71828.*design binary --epsilon 1"
    ):
        named_mechanism(typed)


@pytest.mark.parametrize(("typed", "is_percent"), [("1.2", False), ("6/5", False), ("1.99", False), ("75", True)])
def test_a_number_just_above_one_is_no_percentage(typed: str, is_percent: bool) -> None:
    with pytest.raises(InvalidParameterError, match="not a probability") as refused:
        named_mechanism(f"warner:{typed}")
    assert ("did you mean" in str(refused.value)) is is_percent


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("log3", r"did you mean log\(3\)\?"),
        ("ln 3", r"did you mean log\(3\)\?"),
        ("LOG(3)", r"did you mean log\(3\)\?"),
        ("log(3", r"did you mean log\(3\)\?"),
        ("2log3", r"did you mean 2\*log\(3\)\?"),
        ("log3/2", r"did you mean log\(3/2\) or log\(3\)/2\?"),
        ("exp(1)", r"for exp\(epsilon\) = exp\(1\) write 1"),
    ],
)
def test_a_level_that_looks_like_a_logarithm_is_refused_with_its_form(typed: str, meant: str) -> None:
    with pytest.raises(InvalidParameterError, match=meant):
        Epsilon.of(typed)


def test_threshold_cards() -> None:
    """Cards 1.5 to 4.5 and Warner's 2/3: the reports are the card plus or minus 6, and V is 33.25 for each score."""
    made = named_mechanism("thresholds:1..5,2/3")
    assert made == named_mechanism("thresholds:1,5,2/3")
    assert made.input_values == (1, 2, 3, 4, 5)
    assert made.output_values == tuple(F(2 * card + 1, 2) + sign * 6 for sign in (-1, 1) for card in range(1, 5))
    for j, x in enumerate(made.input_values):
        moments = [sum(row[j] * z**n for row, z in zip(made.matrix, made.output_values, strict=True)) for n in (1, 2)]
        assert (moments[0], moments[1] - x**2) == (x, F(133, 4))
    for wrong in ("thresholds:5..1,2/3", "thresholds:1..5,1/2", "thresholds:1..500,2/3", "thresholds:1..5"):
        with pytest.raises(InvalidParameterError):
            named_mechanism(wrong)
