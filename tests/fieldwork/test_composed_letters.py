"""The same word in composed and in decomposed letters is one column, response, group, level, stratum and cluster."""

from __future__ import annotations

import csv
import json
import random
import sqlite3
import unicodedata
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.later import later
from table_calls import estimate_table, regress_table

import rropt
import rropt_fieldwork
from rropt.core.errors import InvalidParameterError
from rropt.core.normal_form import normal, normal_caseless, one_in_two_forms
from rropt_fieldwork import init_survey
from rropt_fieldwork.randomizing.randomized_tables import randomize_file, randomizing_of
from rropt_fieldwork.reading.counting import request_of

duckdb = later("duckdb")
ibis = later("ibis")
openpyxl = later("openpyxl")
pa = later("pyarrow")
parquet = later("pyarrow.parquet")
pd = later("pandas")
pl = later("polars")
pyreadstat = later("pyreadstat")
feather = later("pyarrow.feather")

Cli = Callable[..., tuple[int, str, str]]
Table = dict[str, list[str]]
DEVICE = "warner:3/4"


def nfd(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def table(letters: Callable[[str], str]) -> Table:
    """48 of 120 say yes, in two cities, four strata and twelve clusters; each text has letters of its own form."""
    n = 120
    answers = ["Sí" if place % 5 < 2 else "Nó" for place in range(n)]
    return {
        letters("¿Bebió?"): list(map(letters, answers)),
        letters("población"): [letters("Málaga" if place % 3 else "Ávila") for place in range(n)],
        letters("área"): [letters(f"é{place // 30}") for place in range(n)],
        letters("barrió"): [letters(f"ñ{place // 10}") for place in range(n)],
        letters("educación"): [letters(["primária", "média", "superiór"][place // 2 % 3]) for place in range(n)],
        "w": [str(1 + place % 4) for place in range(n)],
    }


def mixed(rng: random.Random) -> Callable[[str], str]:
    return lambda text: rng.choice((nfd, str, _half))(text)


def _half(text: str) -> str:
    """Decompose the first letter that can be, so that texts with several accents have a third form."""
    place = next((place for place, letter in enumerate(text) if nfd(letter) != letter), 0)
    return text[:place] + nfd(text[place : place + 1]) + text[place + 1 :]


def _csv(path: Path, data: Table) -> Any:
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([list(data), *zip(*data.values(), strict=True)])
    return path


def _jsonl(path: Path, data: Table) -> Any:
    rows = (dict(zip(data, row, strict=True)) for row in zip(*data.values(), strict=True))
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return path


def _parquet(path: Path, data: Table) -> Any:
    parquet.write_table(pa.table(data), path)
    return path


def _feather(path: Path, data: Table) -> Any:
    feather.write_feather(pa.table(data), str(path))
    return path


def _excel(path: Path, data: Table) -> Any:
    book = openpyxl.Workbook()
    for row in [list(data), *zip(*data.values(), strict=True)]:
        book.active.append(list(row))
    book.save(path)
    return path


def _sqlite(path: Path, data: Table) -> Any:
    columns = ", ".join(f'"{name}"' for name in data)
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE TABLE t ({columns})")
        marks = ", ".join("?" * len(data))
        connection.executemany(f"INSERT INTO t VALUES ({marks})", list(zip(*data.values(), strict=True)))
    return path


def _duckdb(path: Path, data: Table) -> Any:
    frame = pa.table(data)
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t AS SELECT * FROM frame")
    del frame
    return path


def _stata(path: Path, data: Table) -> Any:
    names = {f"v{place}": texts for place, texts in enumerate(data.values())}
    pd.DataFrame(names).to_stata(path, write_index=False, version=118)
    return path


def _two_files(path: Path, data: Table) -> Any:
    """Two files whose headers have the other form."""
    halves = [{name: texts[half::2] for name, texts in data.items()} for half in (0, 1)]
    other = {nfd(name) if name == normal(name) else normal(name): texts for name, texts in halves[1].items()}
    return [_csv(path.with_suffix(".1"), halves[0]), _csv(path.with_suffix(".2"), other)]


FORMS: dict[str, Callable[[Path, Table], Any]] = {
    "csv": _csv,
    "jsonl": _jsonl,
    "parquet": _parquet,
    "feather": _feather,
    "excel": _excel,
    "sqlite": _sqlite,
    "duckdb": _duckdb,
    "two-files": _two_files,
    "pandas": lambda _, data: pd.DataFrame(data),
    "polars": lambda _, data: pl.DataFrame(data),
    "arrow": lambda _, data: pa.table(data),
    "arrays": lambda _, data: {name: np.array(texts, object) for name, texts in data.items()},
    "ibis": lambda _, data: ibis.memtable(pd.DataFrame(data)),
}


def results(data: Any, letters: Callable[[str], str]) -> list[Any]:
    """Return what depends on each kind of text, with texts in normal form."""
    asked = {"mechanism": DEVICE, "categories": [letters("Nó"), letters("Sí")]}
    grouped = estimate_table(data, letters("¿Bebió?"), by=letters("población"), **asked)
    design = {"weights": "w", "strata": letters("área"), "clusters": letters("barrió")}
    weighted = estimate_table(data, letters("¿Bebió?"), by=letters("población"), **design, **asked)
    formula = (
        f"`{letters('¿Bebió?')}` ~ {letters('educación')} + C({letters('población')}, Treatment('{letters('Málaga')}'))"
    )
    fit = regress_table(data, formula, **asked, starts=1)
    return [
        [(normal(each.group), each.n, each.estimate) for each in grouped],
        [(normal(one.group), one.n, round(one.se**2, 12)) for one in weighted],
        [weighted.sample],
        {normal(name): round(value, 6) for name, value in fit.params.items()},
        [normal(level) for factor in fit.fit.covariates.factors for level in factor.levels],
    ]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_mixed_letters_change_nothing(form: str, tmp_path: Path, rng: random.Random) -> None:
    """The same results as from composed letters alone, whichever form the data and the request have."""
    expected = results(_csv(tmp_path / "plain", table(str)), str)
    assert expected[0] == [("Málaga", 80, Fraction(3, 10)), ("Ávila", 40, Fraction(3, 10))]
    for letters, asked in ((nfd, str), (str, nfd), (mixed(rng), mixed(rng))):
        data = FORMS[form](tmp_path / f"data{letters.__name__}{asked.__name__}", table(letters))
        assert results(data, asked) == expected


def test_texts_are_printed_as_the_data_have_them(tmp_path: Path, cli: Cli) -> None:
    """Also where all of them are decomposed; of two forms the composed one is printed."""
    for letters, printed in ((nfd, nfd("Málaga")), (str, "Málaga")):
        path = _csv(tmp_path / "a.csv", table(letters))
        found = estimate_table(path, "¿Bebió?", DEVICE, categories=["Nó", "Sí"], by="población")
        assert found[0].group == printed
    both = {"q": np.array([0, 1, 1]), "g": np.array([nfd("é"), "é", nfd("é")], object)}
    (group,) = estimate_table(both, "q", DEVICE, by="g")
    assert (group.group, group.n) == ("é", 3)
    path, out = _csv(tmp_path / "b.csv", table(nfd)), tmp_path / "out.csv"
    options = ("--categories", "Nó,Sí", "--mechanism", "warner:1", "--keep", "población,w", "--keep-order")
    status, _, err = cli("randomize", str(path), "--column", "¿Bebió?", *options, "--output", str(out))
    assert status == 0, err
    with out.open(newline="") as stream:
        header, *rows = csv.reader(stream)
    assert header == [nfd("¿Bebió?"), nfd("población"), "w"]
    assert [row[1] for row in rows] == table(nfd)[nfd("población")]


def test_true_answers_are_not_kept_in_the_other_form(tmp_path: Path, cli: Cli) -> None:
    """The column of the true answers, named in the other form, is neither kept by name nor as one of the others."""
    data, out = table(nfd), tmp_path / "out.csv"
    path = _csv(tmp_path / "a.csv", data)
    asked = ("--column", "¿Bebió?", "--categories", "Nó,Sí", "--mechanism", DEVICE, "--output", str(out))
    status, _, err = cli("randomize", str(path), *asked, "--keep", nfd("¿Bebió?"))
    assert status == 2
    assert "a column is kept and randomized" in err
    assert not out.exists()
    asked_of = request_of(("¿Bebió?",), DEVICE, categories=["Nó", "Sí"])
    others = randomizing_of(rropt.Mechanism(DEVICE), asked_of, keep=None)  # all other columns
    randomize_file(str(path), str(out), others)
    with out.open(newline="") as stream:
        header, *rows = csv.reader(stream)
    assert [normal(name) for name in header] == list(table(str))
    assert [normal(row[0]) for row in rows] != table(str)["¿Bebió?"]
    copy = _csv(tmp_path / "b.csv", {**data, "copy": list(map(normal, data[nfd("¿Bebió?")]))})
    status, _, err = cli("randomize", str(copy), *asked, "--keep", "copy")
    assert status == 2
    assert "a column to keep has the true answers: received 'copy', which is equal" in err


@pytest.mark.slow
def test_two_names_that_look_alike_are_refused(tmp_path: Path) -> None:
    """Columns, keys, categories and devices; a table with such columns is read where others are named."""
    data = {"é": ["0", "1"], nfd("é"): ["1", "1"], "q": ["0", "1"]}
    forms = r"(\\xe9, and e\\u0301|e\\u0301, and \\xe9)"
    told = rf"two (columns|keys) have one name, in composed and in decomposed letters: .*{forms}"
    for form, write in FORMS.items():
        made = write(tmp_path / form, data) if form != "two-files" else _csv(tmp_path / form, data)
        assert estimate_table(made, "q", DEVICE).nobs == 2, form
        for name in data:
            if name != "q":
                with pytest.raises(InvalidParameterError, match=told):
                    estimate_table(made, name, DEVICE)
    two = ["é", nfd("é")]
    arrays = {"q": np.array(two, object), "g": np.array(two, object)}
    with pytest.raises(InvalidParameterError, match="two categories have one name"):
        estimate_table(arrays, "q", DEVICE, categories=two)
    with pytest.raises(InvalidParameterError, match="two devices have one name"):
        estimate_table(arrays, "q", devices="g", device_names=dict.fromkeys(two, DEVICE))
    with pytest.raises(InvalidParameterError, match="two devices have one name"):
        rropt_fieldwork.Survey(devices=dict.fromkeys(two, DEVICE))
    with pytest.raises(InvalidParameterError, match="two questions have one name"):
        rropt_fieldwork.Survey(questions={name: {"device": DEVICE} for name in two})
    with pytest.raises(InvalidParameterError, match="different texts"):
        rropt.Mechanism(DEVICE).labelled(two)


def test_keys_that_change_their_form_between_objects(tmp_path: Path) -> None:
    """Half of the responses would be missing."""
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({letters("é"): 1}) + "\n" for letters in (str, nfd)))
    with pytest.raises(InvalidParameterError, match="two keys have one name"):
        estimate_table(path, "é", DEVICE)


@pytest.mark.slow
def test_other_texts(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing texts, devices, sheets, tables, keys of folders, a declaration, names of a mechanism, and counts."""
    arrays = {
        "q": np.array([nfd("Sí"), "NÓ", nfd("não sei"), "Sí"], object),
        "d": np.array(["é", nfd("é"), "é", nfd("é")], object),
        "x": np.array(["1", "2", nfd("não sei"), "4"], object),
    }
    read = partial(rropt_fieldwork.read, arrays, ignore_case=True)
    asked: dict[str, Any] = {"categories": ["nó", "sí"]}
    found = estimate_table(read(missing=["não sei"]), "q", devices="d", device_names={nfd("é"): DEVICE}, **asked)
    assert (found.missing, found[0].n) == ((1,), 3)
    assert ";" not in found.mechanism
    fit = regress_table(read(missing=["não sei", nfd("x=não sei")]), "q ~ x", DEVICE, **asked, starts=1)
    assert list(fit.names) == ["Intercept", "x"]

    book = openpyxl.Workbook()
    book.active.title = nfd("año")
    for value in ("q", 0, 1):
        book.active.append([value])
    book.save(tmp_path / "a.xlsx")
    assert estimate_table(rropt_fieldwork.read(tmp_path / "a.xlsx", sheet="año"), "q", DEVICE).nobs == 2
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute(f"CREATE TABLE {nfd('año')} (q)")
        connection.execute(f"INSERT INTO {nfd('año')} VALUES (1)")
    assert estimate_table(rropt_fieldwork.read(tmp_path / "a.db", table="año"), "q", DEVICE).nobs == 1
    for name, answer in ((nfd("é"), 0), ("è", 1)):
        folder = tmp_path / "parts" / f"{nfd('año')}={name}"
        folder.mkdir(parents=True)
        (folder / "a.csv").write_text(f"q\n{answer}\n1\n")
    groups = estimate_table(tmp_path / "parts", "q", DEVICE, by="año")
    assert sorted(normal(group.group) for group in groups) == ["è", "é"]

    monkeypatch.chdir(tmp_path)
    _csv(tmp_path / "b.csv", {nfd("respuésta"): [nfd("sí"), "no"] * 3, nfd("gerät"): [nfd("é"), "é"] * 3})
    assert cli("survey", "init", "b.csv", "--output", "survey.toml", "--questions", "respuésta")[0] == 0
    survey = rropt_fieldwork.Survey.read("survey.toml")
    (question,) = survey.questions.values()
    assert [normal(name) for name in question.categories or ()] == ["?", "no", "sí"]
    assert [one.different for one in init_survey("b.csv").columns] == [2, 1]  # é alone
    declared = rropt_fieldwork.Survey(
        file="b.csv", questions={nfd("respuésta"): {"categories": ["no", "sí"], "device": DEVICE}}
    )
    declared.write("survey.toml")
    status, out, err = cli("estimate", "respuésta", "--json")
    assert (status, json.loads(out)["counts"]) == (0, [3, 3]), err
    for word in ("respuésta", nfd("respuésta")):
        status, _, err = cli("regress", word, "--formula", f"respuésta ~ `{nfd('gerät')}`", "--json")
        assert (status, "a factor has 1 level" in err) == (2, True), err  # é alone
    named = rropt.Mechanism(DEVICE).labelled([nfd("no"), nfd("sí")])
    assert rropt_fieldwork.TableResponses(
        "respuésta", named, data="b.csv", categories=["no", "sí"]
    ).estimate().counted.counts == (3, 3)
    (tmp_path / "lines.txt").write_text(f"sí\n{nfd('sí')}\nno\n")
    assert rropt_fieldwork.count(str(tmp_path / "lines.txt"), named).counts == (1, 2)


def test_normal_forms() -> None:
    """Of all letters: the form does not depend on how they are written, and case folding agrees with it."""
    for code in range(0x80, 0x3000):
        letter = chr(code)
        assert normal(letter) == normal(nfd(letter)) == normal(normal(letter))
        assert normal_caseless(letter) == normal_caseless(nfd(letter)) == normal_caseless(letter.casefold())
    assert one_in_two_forms(["a", "é", "a", nfd("é")]) == ("é", nfd("é"))
    assert one_in_two_forms(["a", "a"]) is None
