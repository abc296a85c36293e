"""Pictures of surveys: what is drawn is what the library says elsewhere; axes that are given; the command."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy
import pytest
from few_rows import few_rows
from later import later
from plans import margin, plan_margin, power
from support.table_calls import table_estimate

import rropt
import rropt_fieldwork
from rropt import plots
from rropt.core.errors import InvalidParameterError
from rropt.inference import confidence_interval, estimate
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.plots.charts import SIZES
from rropt.plots.data import estimate_picture, precision_picture, respondents_picture
from rropt.plots.data.group_pictures import GroupsPicture, groups_picture
from rropt.plots.data.noncompliance_pictures import noncompliance_picture
from rropt.plots.data.survey_pictures import heat_picture
from rropt.plots.draw_designs import mechanism_text
from rropt.plots.layouts import layout_of

FigureCanvasAgg = later("matplotlib.backends.backend_agg", "FigureCanvasAgg")
Figure = later("matplotlib.figure", "Figure")
Text = later("matplotlib.text", "Text")

F = Fraction
DIE, WARNER, GRR = named_mechanism("forced:2/3,1/6,1/6"), named_mechanism("warner:3/4"), named_mechanism("grr:4,1/2")
DESIGNS = [DIE, WARNER, named_mechanism("unrelated:1/2,1/4")]
NAMES = tuple("<b>$x$ *y* {long} \\emph & so on" * 2 + str(i) for i in range(7))
ENDS = {kind: [(0.1, 0.3)] * 7 for kind in ("guaranteed (exact)", "guaranteed, all groups at once")}
LONG = GroupsPicture("sick", ("region",), F(19, 20), "unbiased estimate", NAMES, (200,) * 7, (0.2,) * 7, ENDS)

PICTURES: dict[str, Callable[..., Figure]] = {
    "map": lambda **o: plots.heat_map(GRR, **o),
    "tall map": lambda **o: plots.heat_map(named_mechanism("kuk:4/5,1/5,9"), **o),
    "map of many": lambda **o: plots.heat_map(named_mechanism("grr:60,1/2"), **o),
    "estimate beyond": lambda **o: plots.estimated(estimate(WARNER, yes=2, n=20), **o),
    "estimates": lambda **o: plots.estimated(estimate(GRR, [10, 20, 1, 60]), confidence="0.9", **o),
    "margin": lambda **o: plots.precision(DESIGNS, prevalence="1/10", goal="0.05", **o),
    "groups of long names": lambda **o: plots.groups(LONG, **o),
    "power": lambda **o: plots.precision(DESIGNS, "power", prevalence="1/10", n_range=(20, 10**6), **o),
    "respondents": lambda **o: plots.respondents(
        margin="0.001", prevalence="1/10", delta="1/10", epsilon_range=("0", "8"), **o
    ),
}


@few_rows(1)
@pytest.mark.parametrize("name", PICTURES)
def test_nothing_overlaps_and_nothing_is_cut_off(name: str) -> None:
    size = [*SIZES][list(PICTURES).index(name) % 3]
    picture = PICTURES[name](size=size)
    figure = picture.to_matplotlib()
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    width, height = figure.get_size_inches() * figure.dpi
    assert abs(figure.get_size_inches()[0] - SIZES[size].width) < 1e-9
    beyond = set()  # numbers of ticks outside the frame, which are not drawn
    for axis in (figure.axes[0].xaxis, figure.axes[0].yaxis):
        low, high = sorted(axis.get_view_interval())
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            if not low <= tick.get_loc() <= high:
                beyond |= {id(tick.label1), id(tick.label2)}
    texts = [t for t in figure.findobj(Text.loaded()) if id(t) not in beyond]
    shown = [t for t in texts if t.get_visible() and t.get_text().strip()]
    found = [(t.get_text(), Text.get_window_extent(t, renderer)) for t in shown]
    for text, box in found:
        assert -1 <= box.x0 <= box.x1 <= width + 1, text
    for (left, a), (right, b) in itertools.combinations(found, 2):
        across, along = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert across <= 1.5 or along <= 1.5, (left, right)
    assert height < 2.5 * width
    assert figure.get_label().rstrip().endswith(".")


@few_rows(1)
@pytest.mark.parametrize("name", ["map", "estimates", "margin", "region", "breaches"])
def test_axes_that_are_given(name: str) -> None:
    """The picture stands on them; the figure keeps its size, its canvas, its other axes and its settings."""
    functions = PICTURES | {
        "region": lambda **o: plots.region("log(2)", "1/4", prevalence="1/4", **o),
        "breaches": lambda **o: plots.breaches(mechanisms=[DIE, WARNER], **o),
    }
    figure = Figure(figsize=(9, 4))
    canvas = figure.canvas
    left, right = figure.subplots(1, 2)
    place = left.get_position().bounds
    left.plot([0, 1], [0, 1], label="of the user")
    picture = functions[name](ax=left)
    assert picture.chart.marks
    texts = [text.get_text().replace("\n", " ") for text in left.get_legend().get_texts()]
    assert texts == ["of the user", *(mark.label for mark in picture.chart.key())]
    assert figure.axes == [left, right]
    assert (tuple(figure.get_size_inches()), figure.canvas) == ((9, 4), canvas)
    assert left.get_position().bounds == place
    assert left.has_data()
    assert not right.has_data()
    assert left.get_legend() is not None
    with pytest.raises(InvalidParameterError, match="ax is not a matplotlib axes"):
        functions[name](ax="left")


@pytest.mark.slow
def test_what_is_drawn_is_what_the_library_says() -> None:
    numpy.testing.assert_array_equal(
        plots.heat_map(GRR).to_matplotlib().axes[0].get_images()[0].get_array(),
        [[float(p) for p in row] for row in GRR.matrix],
    )
    found = estimate(GRR, [10, 20, 1, 60])
    picture = estimate_picture(found, confidence="0.9")
    intervals = {
        (j, kind): row.conf_int(confidence="0.9", kind=kind) for j, row in enumerate(picture) for kind in row.kinds
    }
    for (j, kind), each in intervals.items():
        assert each is not None
        assert [*each] == [*confidence_interval(found, "0.9", kind, contrast=[int(i == j) for i in range(4)])]
    drawn = plots.estimated(found, confidence="0.9").to_matplotlib().axes[0].get_lines()
    ends = {tuple(map(float, line.get_xdata())) for line in drawn if len(line.get_xdata()) == 2}
    assert {(float(x.lower), float(x.upper)) for x in intervals.values()} <= ends
    for quantity, oracle in (
        ("margin", lambda p, n: margin(p, n, kind="normal", prevalence="1/10")),
        ("power", lambda p, n: power(p, n, prevalence="1/10", null="1/20", test="normal")),
    ):
        picture_ = precision_picture(DESIGNS, quantity, prevalence="1/10", null="1/20", n_range=(50, 900))
        assert (picture_.numbers[0], picture_.numbers[-1]) == (50, 900)
        for design, (_, values) in zip(DESIGNS, picture_.curves, strict=True):
            for i in (0, 17, -1):
                assert values[i] == oracle(design, picture_.numbers[i])


def test_a_heat_map_shows_the_names_of_categories_and_responses() -> None:
    def ticks(mechanism: Mechanism) -> list[list[str]]:
        axes = plots.heat_map(mechanism).to_matplotlib().axes[0]
        return [[tick.get_text() for tick in axis.get_ticklabels()] for axis in (axes.xaxis, axes.yaxis)]

    names, many = ("never", "a name <b> with more than thirty letters", "often", "daily"), [f"n{i}" for i in range(60)]
    cut = [*names[:1], f"{names[1][:29]}…", *names[2:]]
    assert ticks(GRR.labelled(names)) == [cut, cut]
    assert ticks(GRR.labelled(names, ["A", "B", "C", "$D$"])) == [cut, ["A", "B", "C", "$D$"]]
    assert ticks(named_mechanism("grr:60,1/2").labelled(many)) == [many[::5], many[::5]]
    assert ticks(GRR) == [["0", "1", "2", "3"]] * 2


def test_respondents_are_those_of_plans() -> None:
    picture = respondents_picture(margin="0.03", prevalence="1/5", epsilon_range=("1/2", "3"), unrelated=["1/4"])
    curves = dict(picture.curves)
    ours = next(numbers for name, numbers in picture.curves if name.startswith("optimum: Warner"))
    other = curves["unrelated question πB = 1/4"]
    assert all(a <= b for a, b in zip(ours, other, strict=True))
    for i in range(0, len(picture.grid), 13):
        gamma = F(repr(float(numpy.exp(picture.grid[i]))))
        warner = Mechanism.binary(gamma / (1 + gamma), gamma / (1 + gamma))
        assert abs(ours[i] - plan_margin(warner, "0.03", kind="normal", prevalence="1/5").n) <= 1
    assert picture.openly == plan_margin(Mechanism.binary(1, 1), "0.03", kind="normal", prevalence="1/5").n
    assert picture.openly <= ours[-1]


COMMANDS = {
    "heat-map": ("grr:4,1/2",),
    "estimate": ("--mechanism", "forced:2/3,1/6,1/6", "--yes", "831", "--n", "2435"),
    "margin": ("warner:3/4", "forced:2/3,1/6,1/6", "--prevalence", "10%", "--margin", "0,05"),
    "power": ("warner:3/4", "--prevalence", "10%", "--null", "0,05", "--n", "50..500"),
    "respondents": ("--margin", "5%", "--prevalence", "1/10", "--other", "0,25;0,5"),
}


@few_rows(1)
@pytest.mark.parametrize("kind", COMMANDS)
def test_command(cli, cli_json, tmp_path: Path, kind: str) -> None:
    file = tmp_path / "a.svg"
    data = cli_json("plot", kind, *COMMANDS[kind], "--output", str(file))
    assert data["picture"] == kind
    assert file.read_bytes().startswith(b"<?xml")
    assert json.dumps(data, allow_nan=False)
    assert "example" in cli("plot", kind, "--help")[1]
    status, out, err = cli("plot", kind, *COMMANDS[kind], "--output", str(tmp_path / "a.gif"))
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_command_with_counts(cli_json) -> None:
    data = cli_json("plot", "estimate", "--mechanism", "grr:3,1/2", "--counts", "10;20;30")
    assert data["counts"] == [10, 20, 30]


@pytest.mark.slow
def test_a_picture_of_noncompliance_ends_at_twice_the_breakdown_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rropt.plots.data.noncompliance_pictures._GRID", 5)
    sample = ("warner:3/4", [300, 700])
    ends = {None: F(1, 4), "at least 1/2": F(8, 15), "at least 17/20": F(1, 10)}  # a tenth at the least
    for conclusion, end in ends.items():
        picture = noncompliance_picture(sample, conclusion=conclusion)
        assert picture.grid[-1] == end
        assert picture.grid[0] == 0
        assert len({b - a for a, b in itertools.pairwise(picture.grid)}) == 1
        for theta, between in list(zip(picture.grid, picture.sharp, strict=True))[::2]:
            bounds = rropt.noncompliance.prevalence_bounds(sample, theta=f"0..{theta}").sharp
            assert between == (bounds.lower, bounds.upper)
    assert noncompliance_picture(sample, most=1).grid[-1] == 1
    for most in (0, 2):
        with pytest.raises(InvalidParameterError, match="0 < most <= 1"):
            noncompliance_picture(sample, most=most)


def test_the_text_of_a_mechanism_is_its_name_or_its_diagonal() -> None:
    assert mechanism_text(Mechanism("warner:3/4")) == "warner:3/4"
    assert mechanism_text(Mechanism.binary("7/10", "61/100")) == "(0.7000, 0.6100)"
    assert heat_picture(Mechanism("subset:400,9,1/2")).name == "one category of subset:400,9,1/2, in the report or not,"


def test_groups_of_a_complex_survey(cli, cli_json, tmp_path: Path) -> None:
    """Weighted estimates by group are drawn like others: their ends and values are those of the estimates."""
    table = tmp_path / "survey.csv"
    table.write_text("q;g;w\n" + "0;a;1,5\n1;a;2\n1;b;1\n0;b;2,25\n" * 20)
    argv = ("estimate", str(table), "--column", "q", "--mechanism", "warner:3/4", "--by", "g")
    weighted = (*argv, "--weights", "w", "--decimal-mark", ",")
    answer = tmp_path / "groups.json"
    answer.write_text(json.dumps(cli_json(*weighted)))
    picture = groups_picture(rropt.load(answer))
    assert (picture.groups, picture.n) == (("a", "b"), (40, 40))
    ((kind, ends),) = picture.intervals.items()
    assert kind == "recommended (beta)"
    assert ends == [tuple(one["intervals"]["beta"]) for one in json.loads(answer.read_text())["rows"]]
    for value, both in zip(picture.estimates, ends, strict=True):
        assert both is not None
        assert both[0] < value < both[1]
    drawn = tmp_path / "groups.svg"
    assert cli("plot", "groups", str(answer), "--output", str(drawn))[0] == 0
    assert "weighted estimate" in drawn.read_text()
    plain = tmp_path / "plain.json"
    plain.write_text(json.dumps(cli_json(*argv)))
    assert len(groups_picture(rropt.load(plain)).intervals) == 2
    (tmp_path / "other.json").write_text('{"matrix": [["1"]]}')
    status, out, err = cli("plot", "groups", str(tmp_path / "other.json"), "--output", str(drawn))
    assert (status, out) == (2, "")
    assert "no estimates by group" in err
    assert "Estimates" not in err


TRUTH = Mechanism([[F(i == j) for j in range(4)] for i in range(4)]).valued([1, 3, 10, 70], [1, 3, 10, 70])
NUMBERS = {
    "score": numpy.array([1, 10, 3, 70] * 15),
    "g": numpy.array(["a", "b"] * 30),
    "w": numpy.array([1, 2] * 30),
}


@few_rows(1)
@pytest.mark.parametrize("more", [{"by": "g"}, {}, {"by": "g", "weights": "w"}, {"weights": "w"}])
def test_means_are_drawn_with_their_t_intervals(more: dict[str, str]) -> None:
    """By group, or of all respondents; the numbers are beyond 1, where no proportion is."""
    found = table_estimate(TRUTH, data=NUMBERS, column="score", **more)
    axes = plots.draw(found).to_matplotlib().axes[0]
    lines = [tuple(line.get_xdata()) for line in axes.get_lines()]
    assert tuple(float(one) for one in found) in lines
    for one in found:
        low, high = one.conf_int()
        assert (low, high) in lines
        assert axes.get_xlim()[0] < low < one.estimate < high < axes.get_xlim()[1]
    where = "group" if "by" in more else "population"
    assert axes.get_xlabel() == f"mean of score in the {where}"
    names = [tick.get_text() for tick in axes.get_yticklabels()]
    assert names == (["a (30)", "b (30)"] if "by" in more else ["all (60)"])
    text = axes.figure.get_label()
    assert text.startswith("score: estimated mean in ")
    assert ("each group" in text) == ("by" in more)
    assert groups_picture(found).estimator == ("weighted estimate" if "weights" in more else "unbiased estimate")


def test_a_contrast_is_drawn_by_group() -> None:
    """Each kind of interval of the estimates is a line; a file of them is drawn as they are."""
    decks = {"A": "warner:3/4", "B": "warner:4/5"}
    data = {"y": numpy.arange(60) % 2, "d": numpy.repeat(["A", "B"], 30), "g": numpy.array(["a", "b", "b"] * 20)}
    found = rropt_fieldwork.TableResponses("y", decks, data=data, devices="d").estimate(
        contrast=[0, 1], by="g", confidence="0.9"
    )
    for one in (found, rropt.Estimates.from_json(found.to_json())):
        picture = groups_picture(one)
        assert (picture.quantity, picture.groups, picture.by) == ("contrast", ("a", "b"), ("g",))
        assert picture.estimates == tuple(float(row) for row in found)
        assert picture.intervals == {
            "normal interval": [tuple(map(float, row.conf_int(confidence="0.9"))) for row in found]
        }
    assert "y: estimated contrast in each group" in plots.draw(found).text


def test_means_that_cannot_be_drawn_so() -> None:
    found = rropt_fieldwork.TableResponses("score", TRUTH, data=NUMBERS).estimate()
    with pytest.raises(InvalidParameterError, match="a mean has no proportions: received 'yes'"):
        groups_picture(found, "yes")
    with pytest.raises(InvalidParameterError, match="means, groups, and estimates with weights are drawn by"):
        estimate_picture(found)
    many = {"score": numpy.array([1, 3] * 61), "g": numpy.repeat([f"g{i}" for i in range(61)], 2)}
    with pytest.raises(InvalidParameterError, match="the groups are too many for a picture: received 61"):
        groups_picture(rropt_fieldwork.TableResponses("score", TRUTH, data=many).estimate(by="g"))


def test_the_command_draws_a_mean(cli, cli_json, tmp_path: Path) -> None:
    file, drawn = tmp_path / "mean.json", tmp_path / "mean.svg"
    found = rropt_fieldwork.TableResponses("score", TRUTH, data=NUMBERS).estimate(by="g")
    file.write_text(found.to_json())
    assert cli("plot", "groups", str(file), "--output", str(drawn))[0] == 0
    assert "estimated mean in each group" in drawn.read_text()
    data = cli_json("plot", "groups", str(file))
    assert (data["quantity"], data["estimates"]) == ("mean", [float(one) for one in found])
    status, out, err = cli("plot", "estimate", str(file), "--output", str(drawn))
    assert (status, out) == (2, "")
    assert "`rropt plot groups`" in err


def test_long_names_of_groups_leave_half_of_the_width_to_the_frame() -> None:
    """They are set in lines, which do not print over each other."""
    names = ("north-eastern province of the country", "south-western province", "w", *NAMES)
    for kinds in (1, 2):
        ends = {kind: [(0.1, 0.3)] * len(names) for kind in [*ENDS][:kinds]}
        many = (len(names), (0.2,) * len(names))
        found = GroupsPicture("sick", ("region",), F(19, 20), "unbiased", names, (120,) * many[0], many[1], ends)
        layout = layout_of(plots.draw(found).chart)
        assert layout.frame.right - layout.frame.left > 0.5 * layout.width
        boxes = [box for box in layout.inside.boxes if box.right < 0]
        assert len(boxes) >= len(names)
        for a, b in itertools.combinations(boxes, 2):
            down, across = min(a.bottom, b.bottom) - max(a.top, b.top), min(a.right, b.right) - max(a.left, b.left)
            assert min(down, across) < 0.5
