"""Numbers as people write them: the list of what each text gives, as a number, in a list, in a file, as a count."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from every_case import every_case
from stored_cases import cases_of

from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt.core.exact import Delta, Epsilon, rational, split_list
from rropt.core.exact.numbers import without_decimal_commas
from rropt.core.files import read_content
from rropt.mechanisms import load_mechanism, named_mechanism
from rropt.privacy.region_files import load_matrix

GIVES = {**cases_of(__file__)["gives"], "1," + "0" * 500: "too long", "9" * 2000 + "%": "too long"}


@every_case("text", GIVES, ids=lambda text: ascii(text)[:30])
def test_what_a_text_gives(text: str) -> None:
    wanted = GIVES[text]
    if wanted[0] in "-0123456789":
        assert rational(text) == Fraction(wanted)
        return
    with pytest.raises(InvalidParameterError) as error:
        rational(text, name="p")
    message = str(error.value)
    assert message.startswith("p ")
    assert "\n" not in message
    assert len(message) < 400
    if wanted.startswith(";"):
        assert message.endswith(wanted.removeprefix(";") or 'such as "10%"'), message
    else:
        assert wanted in message


def test_what_is_advised_is_read(rng: Random) -> None:
    """Whatever an error advises to write is a number, and texts of digits and signs never fail otherwise."""
    for _ in range(2000):
        text = "".join(rng.choice("0123456789,.,%/ e-'") for _ in range(rng.randint(1, 9)))
        try:
            value = rational(text)
        except InvalidParameterError as error:
            _, _, advised = str(error).partition("; write ")
            for meant in advised.replace("a fraction such as 1/3", "").split(", or "):
                assert not meant or rational(meant) is not None
        else:
            plain = "".join(text.split()).replace(",", ".")
            percent = plain.endswith("%")
            assert value == Fraction(plain.removesuffix("%")) / (100 if percent else 1)


def test_levels_are_numbers_too() -> None:
    assert Epsilon.of("10%") == Epsilon.of("0,1") == Epsilon.of("1/10")
    assert Delta.of("1e-3%") == Delta.of("1/100000")
    with pytest.raises(InvalidParameterError, match=r"epsilon is not a number.*; write 1000, or 1\.000$"):
        Epsilon.of("1,000")


def test_lists() -> None:
    assert split_list("0,5; 0,25;25%") == ["0,5", "0,25", "25%"]
    assert split_list("1/2,1/2") == ["1/2", "1/2"]
    assert without_decimal_commas("0,5") == "0.5"
    for text in ("1,2,1,1,1", "2,5,10,20", "0,1,2", "1/2,0", "", "0", "0.1,0.9"):
        assert without_decimal_commas(text) is None
    assert named_mechanism("forced:0,5;25%;0,25") == named_mechanism("forced:1/2,1/4,1/4")


FILES = {
    "semicolons": "0,75;0,25\n0,25;0,75\n",
    "semicolons, percent": "75 %;25%\n25 %; 75 %\n",
    "semicolons, fractions": "3/4;1/4\n\n1/4;3/4",
    "tabs": "0,75\t0.25\n0.25\t0,75\n",
    "quoted": '"0,75","0,25"\n"0,25","0,75"\n',
    "blanks": "7.500000000000000000e-01 2.5e-01\n0.25  3/4\n",
    "commas": "0.75, 25%\n.25,75%\n",
}


@pytest.mark.parametrize("name", FILES)
def test_matrix_files(name: str, tmp_path: Path) -> None:
    file = tmp_path / "m.csv"
    file.write_text(FILES[name])
    assert load_mechanism(file) == named_mechanism("warner:3/4")
    assert [[rational(x) for x in row] for row in load_matrix(file, what="levels")] == [
        [Fraction(3, 4), Fraction(1, 4)],
        [Fraction(1, 4), Fraction(3, 4)],
    ]


def test_a_matrix_with_commas_for_both(tmp_path: Path) -> None:
    file = tmp_path / "m.csv"
    file.write_text("0,75,0,25\n0,25,0,75\n")
    with pytest.raises(FileFormatError, match="separate its columns by semicolons, 0,75;0,25, or write points"):
        load_mechanism(file)
    file.write_text("10 % 90 %\n90 % 10 %\n")
    with pytest.raises(ValueError, match="10 % 90 %"):
        load_mechanism(file)
    file.write_text("0,1\n1,0\n")  # a mechanism
    assert load_mechanism(file).p00 == 0


def test_the_ending_of_a_file_decides_where_its_content_does_not(tmp_path: Path) -> None:
    np.save(tmp_path / "p.NPY", np.array([[0.75, 0.25], [0.25, 0.75]]))
    (tmp_path / "p.NPY.npy").rename(tmp_path / "p.NPY")
    for name, text, kind, value in (
        ("p.NPY", None, "npy", [[0.75, 0.25], [0.25, 0.75]]),
        ("one.JSON", "null", "json", None),
        ("one.csv", "null", "csv", [["null"]]),
        ("two.json", "1,2", "csv", [["1", "2"]]),
        ("list.txt", " [1, 0.5]", "json", ["1", "0.5"]),
    ):
        if text is not None:
            (tmp_path / name).write_text(text)
        for path in (tmp_path / name, str(tmp_path / name)):
            found = read_content(path, what="a file")
            assert found.kind == kind
            assert (found.data.tolist() if kind == "npy" else found.data) == value


def test_decimal_commas_are_named_only_where_their_list_is_rejected(cli) -> None:
    for command, hint in (
        ("laplace sum:0,100 --epsilon 1 --step 1/2 --release 3.25", ""),
        ("laplace sum:0,5 --epsilon 0", ""),
        ("design questions --costs 0,0 --epsilon 1", ""),
        ("design mean --values 0,5 --epsilon x", ""),
        ("privacy grr:3,1/2 --properties 0,3", ""),
        ("privacy warner:1/2*3 --properties 0,2", ""),
        ("compare grr:3,0,75 subset:3,1,0,5", ""),
        ("plan margin 0,05 --mechanism warner:0,75 --prevalence 0,1", "'0,75' with decimal commas is '0.75'"),
        ("privacy forced:0,5,0,25,0,25", "'0,5,0,25,0,25' with decimal commas is '0,5;0,25;0,25'"),
        ("compose 0,5", "'0,5' with decimal commas is '0.5'"),
        ("panel rappor:0,5,0,5,0,75 --waves 3", "'0,5,0,5,0,75' with decimal commas is '0,5;0,5;0,75'"),
        ("design questions --costs 0,5 --number 3 --epsilon 1", "'0,5' with decimal commas is '0.5'"),
        ("design mean --values 0,5 --proportions 0,5 --epsilon 1", "'0,5' with decimal commas is '0.5'"),
        (
            "design mean --values 0,5 --proportions 0,5,0,5 --epsilon 1",
            "'0,5,0,5' with decimal commas is '0,5;0,5'",
        ),
    ):
        status, out, err = cli(*command.split())
        assert (status, out) == (2, "")
        assert err.rstrip().endswith(f" ({hint})") if hint else "decimal comma" not in err, command


def test_on_the_command_line(cli, cli_json) -> None:
    argv = ("design", "kary", "--gamma", "3", "--objective", "loss:zero-one", "--fast")
    semicolons = cli_json(*argv, "--proportions", "0,5;25%;1/4")
    assert semicolons == cli_json(*argv, "--proportions", "1/2,1/4,1/4")
    assert cli("privacy", "warner:0,75;")[0] == 2
    for argv in (  # counts have no decimals
        ("plan", "se", "0.01", "--mechanism", "bits:3/4*3", "--questions", "0,3"),
        ("design", "pram", "--counts", "0,3", "--epsilon", "2"),
        ("sheet", "--deal", "--deck", "0,0"),
    ):
        status, out, err = cli(*argv)
        assert (status, out, "decimal commas" in err) == (2, "", False)
    assert cli_json("privacy", "warner:75%")["parity"] == "3"
    assert "a list has commas, 1/2,1/3, or semicolons" in cli("--help")[1]
