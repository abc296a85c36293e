"""Old names of options, commands, arguments and keys lead to the new ones, with a warning."""

from __future__ import annotations

import argparse
import importlib
import warnings
from pathlib import Path

import pytest

import rropt
from rropt.cli.main import main, parser
from rropt.core.renamed import COMMANDS, KEYS, NAMES, OPTIONS, new_words, renamed_arguments, with_new_keys
from rropt.core.results import Result

DATA = "answer,stratum,cluster\n" + "\n".join(f"{'yes' if i % 3 else 'no'},{i % 2},{i}" for i in range(12)) + "\n"


def _parser_of(words: tuple[str, ...]) -> argparse.ArgumentParser:
    found: argparse.ArgumentParser = parser()
    for word in words:
        (below,) = (a for a in found._actions if isinstance(a, argparse._SubParsersAction))
        found = below.choices[word].filled()
    return found


def _options() -> set[str]:
    """Return the options of all commands."""
    top = parser()
    (below,) = (a for a in top._actions if isinstance(a, argparse._SubParsersAction))
    left, found = [one.filled() for one in below.choices.values()], set[str]()
    while left:
        one = left.pop()
        found.update(one._option_string_actions)
        left += [
            each.filled()
            for a in one._actions
            if isinstance(a, argparse._SubParsersAction)
            for each in a.choices.values()
        ]
    return found


def _classes(cls: type) -> set[str]:
    return {cls.__name__} | {name for sub in cls.__subclasses__() for name in _classes(sub)}


def test_the_new_names_exist_and_the_old_ones_do_not() -> None:
    options = _options()
    for old, new in OPTIONS.items():
        assert new in options
        assert old not in options
    for new_command in COMMANDS.values():
        assert _parser_of(new_command).prog == f"rropt {' '.join(new_command)}"
    import rropt.designs.prevalence_intervals
    import rropt.survey.comparisons.combined_responses
    import rropt.survey.devices.threat_models
    import rropt.survey.noncompliance
    import rropt.survey.tables.weighted_estimates  # noqa: F401

    assert set(KEYS) <= _classes(Result)


def test_an_old_option_gives_the_same_answer_and_names_the_new_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "survey.csv"
    path.write_text(DATA)
    asked = ["estimate", str(path), "--column", "answer", "--categories", "no,yes", "--mechanism", "warner:3/4"]
    asked += ["--strata", "stratum"]
    found = []
    for name in ("--single-psu", "--lonely"):
        assert main([*asked, name, "adjust", "--json"]) == 0
        printed = capsys.readouterr()
        found.append(printed.out)
        warned = "--lonely is deprecated and will be removed in 0.3; use --single-psu" in printed.err
        assert warned == (name == "--lonely")
    assert found[0] == found[1]
    assert new_words(["x", "--lonely=a", "--", "--lonely"])[0] == ["x", "--single-psu=a", "--", "--lonely"]


def test_an_old_argument_gives_the_same_answer(tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    path.write_text(DATA)
    asked = {"columns": ["answer"], "categories": ["no", "yes"], "mechanism": "warner:3/4", "strata": "stratum"}
    new = rropt.estimate_table(str(path), **asked, single_psu="adjust")  # type: ignore[arg-type]
    with pytest.warns(DeprecationWarning, match="lonely is deprecated .* use single_psu"):
        assert rropt.estimate_table(str(path), **asked, lonely="adjust") == new  # type: ignore[arg-type]
    text = new.to_json()
    old = text.replace('"single_psu_strata"', '"lonely_strata"').replace('"single_psu"', '"lonely"')
    assert old != text
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert type(new).from_json(old) == new
    assert with_new_keys("Design", {"lonely": 1, "single_psu": 2}) == {"lonely": 1, "single_psu": 2}  # refused later


@pytest.mark.parametrize("module", sorted(NAMES))
def test_old_names_of_classes_and_functions(module: str) -> None:
    home = importlib.import_module(module)
    for old, new in NAMES[module].items():
        with pytest.warns(DeprecationWarning, match=f"{old} is deprecated .* use {new}"):
            assert getattr(home, old) is getattr(home, new)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        home.nothing  # noqa: B018


def test_an_old_command_is_the_new_one(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--gamma", "3", "--theta", "0.05", "--n", "100", "--prevalence", "0.1"]
    assert main(["design", "noncompliance", *asked]) == 0
    new = capsys.readouterr()
    assert main(["design", "others", *asked]) == 0
    old = capsys.readouterr()
    assert old.out == new.out
    assert "rropt design others is deprecated and will be removed in 0.3; use rropt design noncompliance" in old.err


def test_old_attributes_of_results() -> None:
    found = rropt.prevalence_bounds((rropt.named_mechanism("warner:3/4"), [60, 40]))
    with pytest.warns(DeprecationWarning, match="PrevalenceBounds.others is deprecated .* use noncompliers"):
        assert found.others is found.noncompliers  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="'PrevalenceBounds' object has no attribute 'other'"):
        found.other  # type: ignore[attr-defined]  # noqa: B018


def test_both_names_of_an_argument_are_refused() -> None:
    rule = renamed_arguments(lonely="single_psu")(lambda single_psu="refuse": single_psu)
    with pytest.raises(TypeError, match="two names of one argument"):
        rule(lonely="adjust", single_psu="adjust")


def test_cards_that_were_dealt_are_cards_without_replacement() -> None:
    from rropt.survey import RespondentPrivacy, respondent_privacy

    cards = rropt.named_mechanism("christofides:1/4,1/4,1/2")
    new = respondent_privacy(cards, 4, cards_without_replacement=True)
    with pytest.warns(DeprecationWarning, match="dealt is deprecated .* use cards_without_replacement"):
        assert respondent_privacy(cards, 4, dealt=True) == new  # type: ignore[call-arg]
    with pytest.warns(DeprecationWarning, match="RespondentPrivacy.dealt"):
        assert new.dealt
    old = new.to_json().replace('"cards_without_replacement"', '"dealt"')
    assert '"dealt"' in old
    assert RespondentPrivacy.from_json(old) == new
