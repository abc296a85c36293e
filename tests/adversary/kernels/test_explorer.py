"""The explorer page: its numbers are those of the library, and a browser shows them."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from html.parser import HTMLParser
from math import log
from pathlib import Path
from typing import Any

import pytest
from every_case import every_case
from plans import planned

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Delta, Epsilon, rational
from rropt.designs import Problem
from rropt.designs.two_inputs import four_rows, solve_closed_form, solve_exact
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.mechanisms.families.memberships import best_subset_size
from rropt.mechanisms.named.tuned import tuned_designs
from rropt.objectives import AOptimality, EstimatorVariance, binary_variance
from rropt.reports.irb_summary import BayesFactor, Exposure
from rropt_fieldwork.ethics import explorer
from rropt_fieldwork.ethics.explorer import explore

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[2] / "docs" / "site"))
import explorer_table  # noqa: E402

Setting = dict[str, str]


def _settings(rng: random.Random, count: int) -> list[Setting]:
    """Return random settings: sizes of every kind, ties, and the ends of delta."""

    def share(parts: int) -> Fraction:
        d = rng.randint(2, parts)
        return Fraction(rng.randint(1, d - 1), d)

    found = []
    for i in range(count):
        gamma = 1 + Fraction(rng.randint(1, 400), rng.choice([1, 7, 10, 100, 997]))
        delta = rng.choice(
            [Fraction(0), Fraction(0), Fraction(1), Fraction(1, 10**6), share(40), share(40), share(1000)]
        )
        prevalence = rng.choice([Fraction(1, 2), share(20), share(1000)])
        g = delta * (gamma + delta) / (gamma + 2 * delta - 1) ** 2
        if i % 4 == 0 and 0 < g <= Fraction(1, 2):  # a tie of the diagonal point and a corner
            prevalence = rng.choice([g, 1 - g])
        found.append(
            {
                "gamma": str(gamma),
                "delta": str(delta),
                "prevalence": str(prevalence),
                "n": str(rng.randint(1, 10**9)),
                "error": str(share(200)),
                "other": str(share(50)),
            }
        )
    return found


def _in_node(node: str, settings: list[Setting]) -> list[dict[str, Any]]:
    command = [node, str(HERE / "explorer_numbers.js")]
    done = subprocess.run(command, input=json.dumps(settings), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def _require_same(setting: Setting, found: dict[str, Any]) -> None:
    """Compare all numbers of a setting with those of the library."""
    gamma, delta, pi, other, error = (Fraction(setting[x]) for x in ("gamma", "delta", "prevalence", "other", "error"))
    problem = Problem.binary(pi, epsilon=f"log({gamma})", delta=delta)
    levels = problem.region.bracket(20)
    optimum = solve_exact(problem, levels)  # vertices are enumerated: no closed form
    assert optimum.designs == solve_closed_form(problem, levels).designs
    assert [list(map(Fraction, pair)) for pair in found["optima"]] == [[m.p00, m.p11] for m in optimum.designs]
    rows = found["rows"]
    assert Fraction(rows["optimum"]["value"]) == optimum.upper == optimum.lower
    level = levels.below
    vertices = {(v.p00, v.p11) for v in problem.region.one_level().vertices(level)}
    assert {tuple(map(Fraction, point)) for point in found["vertices"]} == vertices
    assert len(found["vertices"]) == len(vertices)

    best = optimum.designs[0]
    tuned = tuned_designs(gamma, delta, best, pi, other=other, middle=Fraction(0), draws=1)
    expected = {name: tuned[name] for name in ("forced", "warner", "crosswise", "unrelated", "mangat")}
    expected |= {"optimum": best, "direct": Mechanism.binary(1, 1)}
    assert set(rows) == {"four"} | {name for name, mechanism in expected.items() if mechanism is not None}
    for name, mechanism in expected.items():
        if mechanism is None:
            continue
        row = rows[name]
        assert list(map(Fraction, row["design"])) == [mechanism.p00, mechanism.p11], name
        value = binary_variance(mechanism.p00, mechanism.p11, pi)
        assert Fraction(row["value"]) == value
        assert int(row["respondents"]) == max(-(-value // error**2), 1)
        exposure = Exposure.of(mechanism, 1)
        ratios = [BayesFactor(None if x is None else Fraction(x)) for x in row["ratios"]]
        assert ratios == [exposure.most, exposure.least]
        assert list(map(Fraction, row["posterior"])) == [factor.posterior(pi) for factor in ratios]
        assert Fraction(row["yes"]) == (1 - pi) * (1 - mechanism.p00) + pi * mechanism.p11
    four = Mechanism([row for row in four_rows(gamma, delta) if any(row)])
    assert Fraction(rows["four"]["value"]) == EstimatorVariance().value(four, (1 - pi, pi))
    assert four.epsilon == Epsilon.of(f"log({gamma})") or four.delta(f"log({gamma})") == Delta.of(delta).rational

    low, high = map(Fraction, found["logarithm"])
    assert float(low) == pytest.approx(log(gamma), rel=1e-14)
    assert 0 < high - low < Fraction(1, 10**40)
    root = Fraction(found["root"])
    assert 0 <= root**2 - Fraction(rows["four"]["value"]) <= Fraction(1, 10**15) * root**2
    above = Epsilon.of(other).gamma_bracket(30).upper
    assert above * (1 - Fraction(1, 10**6)) < Fraction(found["level"]) <= above

    kept = {name: setting[name] for name in ("gamma", "delta", "prevalence", "n", "error", "other")}
    assert found["link"] == {**kept, "design": "optimum", "categories": "4", "shares": "equal"}


@pytest.mark.slow
def test_its_numbers_are_those_of_the_library(node: str, size: Callable[[int, int], int], rng: random.Random) -> None:
    settings = _settings(rng, size(100, 10_000))
    found = _in_node(node, settings)
    ties = 0
    for setting, numbers in zip(settings, found, strict=True):
        _require_same(setting, numbers)
        ties += len(numbers["optima"]) > 1
    assert ties >= len(settings) // 20


def _coordinates(name: str, shown: list[Fraction]) -> tuple[Fraction, Fraction]:
    """Return (p00, p11) of a device with the probabilities that the page shows."""
    if name == "optimum":
        return shown[0], shown[1]
    if name == "forced":
        truth, yes, no = shown
        assert truth + yes + no == 1
        return truth + no, truth + yes
    p = shown[0]
    if name in ("warner", "crosswise"):
        return max(p, 1 - p), max(p, 1 - p)
    return (p + (1 - p) * (1 - shown[1]), p + (1 - p) * shown[1]) if name == "unrelated" else (p, Fraction(1))


def test_its_decimals_are_private(node: str, size: Callable[[int, int], int], rng: random.Random) -> None:
    """A device with the printed decimals is not less private than the exact one, and its probabilities sum to 1."""
    settings = _settings(rng, size(100, 10_000))
    for setting, found in zip(settings, _in_node(node, settings), strict=True):
        gamma, delta = Fraction(setting["gamma"]), Fraction(setting["delta"])
        for name, row in found["rows"].items():
            if name in ("four", "direct"):
                continue
            shown = [Fraction(re.findall(r"\d+(?:\.\d+)?", part)[-1]) for part in row["use"].split(", ")]
            p00, p11 = _coordinates(name, shown)
            assert max(p11 - gamma * (1 - p00), p00 - gamma * (1 - p11)) <= delta, (setting, name, row["use"])
        for corner in found["corners"]:
            p00, p11 = map(Fraction, corner.strip("()").split(", "))
            for x, y in ((p00, p11), (1 - p00, 1 - p11)):
                assert max(x - gamma * (1 - y), y - gamma * (1 - x)) <= delta, (setting, corner)


def test_the_number_of_respondents_is_that_of_a_plan(node: str) -> None:
    settings = _settings(random.Random(7), 6)
    for setting, numbers in zip(settings, _in_node(node, settings), strict=True):
        p00, p11 = numbers["rows"]["unrelated"]["design"]
        mechanism = Mechanism.binary(p00, p11)
        plan = planned(mechanism, standard_error=setting["error"], prevalence=setting["prevalence"])
        assert plan.found.n == int(numbers["rows"]["unrelated"]["respondents"])


def test_numbers_that_are_typed(node: str) -> None:
    program = (
        "const { readNumber, decimal } = await import(process.argv[1]);"
        "console.log(JSON.stringify(process.argv.slice(2).map((x) => { const y = readNumber(x);"
        "return y === null ? null : [`${y}`, decimal(y, 4)]; })));"
    )
    texts = {
        "1/3": ("1/3", "0.3333"),
        " 10% ": ("1/10", "0.1"),
        "0,25": ("1/4", "0.25"),
        "1e-6": ("1/1000000", "0.000001"),
        "12345678": ("12345678", "12\u2009345\u2009678"),
        "2/4": ("1/2", "0.5"),
        "0.99995": ("19999/20000", "1"),
        "0": ("0", "0"),
        **dict.fromkeys(["", "x", "1/0", "-1", "1e999", "0x10", "1 2", ".", "9" * 50, "NaN", "1/2/3"]),
    }
    module = (HERE.parents[2] / "kernels" / "javascript" / "explorer_numbers.js").as_uri()
    command = [node, "--input-type=module", "-e", program, module, *texts]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert [None if x is None else tuple(x) for x in found] == list(texts.values())


_LEVELS = """
const { readLevel, readNumber, shortest } = await import(process.argv[1]);
const { startBudget } = await import(process.argv[2]);
const read = (text, found) => {
  startBudget();
  const x = found(text);
  return x === null ? null : [`${x}`, shortest(x)];
};
const texts = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => [read(text, readLevel), read(text, readNumber)])));
"""


def _typed(rng: random.Random, count: int) -> list[str]:
    """Return texts for epsilon as people write them, right and wrong."""
    numbers = ["2", "5", "1/2", "3/2", "16/9", "8/27", "1024", ".5", "5.", "+3", "-2", "0", "1e1", "2E-1"]
    numbers += ["1.1", "0.25", "1000000", "1,5", "10%", "1 000", "x", "1/0", "", "1/3", "4", "9", "1.05"]

    def number() -> str:
        return rng.choice(numbers)

    forms = [number, lambda: f"log({number()})", lambda: f"{number()}*log({number()})", lambda: f"ln({number()})"]
    forms += [lambda: f"log({number()})/{number()}", lambda: f" {number()} * log( {number()} ) / {number()} "]
    forms += [lambda: f"log({number()})*{number()}", lambda: f"Log({number()})", lambda: f"{number()}{number()}"]
    return [rng.choice(forms)() for _ in range(count)]


def test_a_level_that_is_typed_is_that_of_the_command_line(
    node: str, size: Callable[[int, int], int], rng: random.Random
) -> None:
    """Exactly where e^epsilon is rational, else the largest of seven digits below; both refuse the same texts."""
    texts = ["log(5)", "log(3)/2", "log(4)/2", "log(16/9)/2", "log(0.5)*-1", "2 * log(3/2)", "1,000", "0,125", "12,500"]
    texts += ["2e-110%", "1e300", "1e-399", "1e399", "1e400", "1e-400", "1e-398%", "3e999", "log(5)*1e-110"]
    texts += _typed(rng, size(300, 20_000))
    folder = HERE.parents[2] / "kernels" / "javascript"
    command = [node, "--input-type=module", "-e", _LEVELS]
    command += [(folder / name).as_uri() for name in ("explorer_numbers.js", "budget.js")]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
    read = 0
    for text, (level, number) in zip(texts, json.loads(done.stdout), strict=True):
        try:
            expected = [explore(epsilon=text).gamma]
        except InvalidParameterError as error:
            if "too fine" in str(error):
                continue  # the root of a high degree, which certificates limit; the page rounds it down as any other
            # the command cannot write a long power into the field of the page, but what is typed there is such a power
            expected = [Epsilon.of(text).gamma] if "too long for the page" in str(error) else []
        found = [] if level is None or not 1 < Fraction(level[0]) <= 10**6 else [Fraction(level[0])]
        assert found == expected, text
        try:
            plain = [Fraction(rational(text))]
        except InvalidParameterError:
            plain = []
        if not plain or plain[0] >= 0:
            assert ([] if number is None else [Fraction(number[0])]) == plain, text
        assert all(Fraction(exact) == Fraction(shown) for exact, shown in filter(None, (level, number)))
        read += len(found)
    assert read >= len(texts) // 4


@pytest.mark.slow
def test_the_table_of_certified_optima(size: Callable[[int, int], int], rng: random.Random) -> None:
    """Each row is solved and checked again: some of them, all of them at full size."""
    table = json.loads(explorer.TABLE.read_text(encoding="utf-8"))
    assert len(table["rows"]) == 180
    for row in rng.sample(table["rows"], size(4, 180)):
        again = explorer_table.row_of(row["k"], row["gamma"], row["shares"])
        assert Fraction(again["lower"]) <= Fraction(row["upper"])
        assert Fraction(row["lower"]) <= Fraction(again["upper"])
    for row in table["rows"]:
        lower, upper = Fraction(row["lower"]), Fraction(row["upper"])
        assert 0 <= upper - lower <= Fraction(1, 10**9)
        if row["shares"] == "equal":  # subset selection is optimal
            k, gamma = row["k"], Fraction(row["gamma"])
            size_named = re.search(r"names (?:one category|a subset of ([0-9 or]+) categories)", row["design"])
            assert size_named is not None
            assert str(best_subset_size(k, gamma)) in (size_named[1] or "1").split(" or ")
            subset = OrbitMechanism.subset_selection(k, best_subset_size(k, gamma), gamma)
            assert lower <= AOptimality().value(subset, [Fraction(1, k)] * k) <= upper


def test_the_subset_selections_of_the_table() -> None:
    """Their chances and values are those of the matrices; counts are best for response and for equal shares."""
    for row in json.loads(explorer.TABLE.read_text(encoding="utf-8"))["rows"]:
        k, gamma = row["k"], Fraction(row["gamma"])
        shares = explorer_table.population(k, explorer_table.SHARES[row["shares"]][1])
        assert row["subsets"] == explorer_table.subsets(k, row["gamma"], row["shares"])
        assert [size for size, *_ in row["subsets"]] == [1, best_subset_size(k, gamma)]
        for size, p, q, value in row["subsets"]:
            subset = OrbitMechanism.subset_selection(k, size, gamma)
            named = [[x == max(line) for x in line] for line in subset.matrix]
            for j in range(k):
                chances = [
                    sum(line[j] for line, is_in in zip(subset.matrix, named, strict=True) if is_in[i]) for i in range(k)
                ]
                assert chances == [Fraction(p if i == j else q) for i in range(k)]
            best = AOptimality().value(subset, shares)
            assert Fraction(value) == best if size == 1 or row["shares"] == "equal" else Fraction(value) >= best


class _Outline(HTMLParser):
    """The elements of a page: the identities, and what labels name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))


def test_the_page_stands_alone_and_is_labelled() -> None:
    page = explore(gamma=2, delta="1/4", prevalence="1/4", n=500).page
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    (code,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert not re.search(r"https?:|fetch\(|XMLHttp|import\(|eval\(|innerHTML|document\.write|<!--", page)
    assert len(page) < 150_000
    elements = _Outline(page).elements
    identities = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(identities) == len(set(identities))
    labelled = {attributes.get("for") for tag, attributes in elements if tag == "label"}
    controls = [attributes for tag, attributes in elements if tag in ("input", "select", "textarea")]
    assert len(controls) == 15
    for attributes in controls:
        assert attributes["id"] in labelled or attributes.get("aria-label")
        assert attributes.get("aria-describedby", identities[0]) in identities
    pictures = [attributes for tag, attributes in elements if tag == "svg"]
    assert len(pictures) == 3
    assert all(each["role"] == "img" and each["aria-label"] for each in pictures)
    assert sum(tag == "h1" for tag, _ in elements) == 1
    assert elements[0][1] == {"lang": "en"}


@every_case(
    "wrong",
    [{"gamma": 1}, {"gamma": "x"}, {"gamma": 10**7}, {"delta": 2}, {"prevalence": 0}, {"prevalence": 1}, {"n": 0}]
    + [{"n": "5"}, {"gamma": "3." + "1" * 60}, {"epsilon": 1, "gamma": 2}, {"epsilon": 20}, {"epsilon": "inf"}]
    + [{"epsilon": 0}],
)
def test_what_is_no_setting_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameterError, match=r"^(?!.*\n).*(received|give one)"):
        explore(**wrong)


def test_the_command(cli: Any, cli_json: Any, tmp_path: Path) -> None:
    file = tmp_path / "explorer.html"
    assert cli("explore", "--gamma", "2", "--delta", "1/4", "--output", str(file))[0] == 0
    expected = explore(gamma=2, delta="1/4")
    assert file.read_text(encoding="utf-8") == expected.page
    status, printed, _ = cli("explore", "--gamma", "2", "--delta", "1/4")
    assert (status, printed) == (0, expected.page)
    assert cli_json("explore", "--gamma", "2", "--delta", "1/4")["fragment"] == expected.fragment
