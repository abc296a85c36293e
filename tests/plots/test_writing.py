"""Pictures as files: valid, the same bytes each time, written whole or not at all."""

from __future__ import annotations

import sys
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from few_rows import few_rows

from rropt import plots
from rropt.core.errors import FileFormatError, InvalidParameterError, MissingExtraError
from rropt.plots.charts import Chart, Size


@pytest.fixture(scope="module")
def figure() -> plots.Figure:
    return plots.region("log(2)", "1/4", prevalence="1/4")


def png_size(data: bytes) -> tuple[int, int]:
    """Width and height of a PNG whose chunks all have the right checksum."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, []
    while at < len(data):
        length = int.from_bytes(data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + body) == int.from_bytes(data[at + 8 + length : at + 12 + length])
        chunks.append((kind, body))
        at += 12 + length
    assert chunks[-1][0] == b"IEND"
    pixels = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    assert len(set(pixels)) > 20  # not an empty sheet
    return int.from_bytes(chunks[0][1][:4]), int.from_bytes(chunks[0][1][4:8])


@pytest.mark.slow
def test_files_are_valid(figure: plots.Figure, tmp_path: Path) -> None:
    for name in ("a.png", "a.svg", "a.PDF"):
        figure.save(tmp_path / name)
    width, height = figure.to_matplotlib().get_size_inches() * 300
    assert png_size((tmp_path / "a.png").read_bytes()) == (int(width), int(height))
    root = ElementTree.fromstring((tmp_path / "a.svg").read_bytes())
    assert root.tag.endswith("svg")
    assert abs(float(root.attrib["width"].removesuffix("pt")) - 3.4 * 72) < 1e-6
    assert len(list(root.iter())) > 50
    pdf = (tmp_path / "a.PDF").read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert pdf.rstrip().endswith(b"%%EOF")
    assert len(pdf) > 5000
    figure.save(tmp_path / "b.png", dpi=50)
    assert png_size((tmp_path / "b.png").read_bytes())[0] == 170
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.PDF", "a.png", "a.svg", "b.png"]


@pytest.mark.slow
def test_a_small_figure_is_written_as_asked() -> None:
    """Its text stays text, with dollar signs and without a date; PNG has the dots that are asked for."""
    chart = Chart(Size(1, 1, 8, 1, 100))
    chart.text(0.5, 0.5, "a $x_1$")
    small = plots.Figure(chart, "what is shown")
    svg, pdf = (small.to_bytes(kind) for kind in ("svg", "pdf"))
    assert svg == small.to_bytes("svg")
    assert b">a $x_1$<" in svg
    assert b"what is shown" in svg
    assert b"date" not in svg
    assert b"/Subject (what is shown)" in pdf
    assert b"CreationDate" not in pdf
    assert b"/FontType 3" not in pdf
    sizes = [int.from_bytes(small.to_bytes("png", dpi=dpi)[16:20]) for dpi in (None, 30, 1200)]
    assert sizes == [100, 30, 1200]


@pytest.mark.slow
def test_equal_pictures_give_equal_bytes() -> None:
    for kind in ("png", "svg", "pdf"):
        left, right = (plots.g(levels=["1/4"]).to_bytes(kind) for _ in range(2))
        assert left == right


@few_rows(1)
@pytest.mark.parametrize("name", ["picture", "picture.jpg", "picture.png.txt", ".png"])
def test_other_formats_are_refused(figure: plots.Figure, tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidParameterError, match=r"\.png, \.svg, \.pdf"):
        figure.save(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("dpi", [0, 29, 1201, 10**9, "x", 72.5, True])
def test_resolutions_are_limited(figure: plots.Figure, tmp_path: Path, dpi: object) -> None:
    with pytest.raises(InvalidParameterError, match="30 to 1200"):
        figure.save(tmp_path / "a.png", dpi=dpi)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_written(figure: plots.Figure, tmp_path: Path) -> None:
    for path in (tmp_path / "no" / "a.png", "\0.png"):
        with pytest.raises(FileFormatError, match="cannot write") as error:
            figure.save(path)
        assert "\n" not in str(error.value)
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(FileFormatError, match="cannot write"):
        figure.save(tmp_path / "folder.png")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.png"]


def test_an_interrupt_leaves_the_old_file(
    figure: plots.Figure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.svg"
    file.write_text("before")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        figure.save(file)
    assert file.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]


def test_without_matplotlib_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for figure in (plots.region("1"), plots.variance("1", prevalence="1/2"), plots.heat_map("warner:3/4")):
        assert figure._repr_svg_().startswith("<svg")
        assert figure._repr_mimebundle_() == ({}, {key: {"alt": figure.text} for key in ("image/svg+xml", "image/png")})
        assert figure._repr_png_() is None
        figure.save(tmp_path / "a.svg")
        for call in (lambda f=figure: f.save(tmp_path / "a.png"), lambda f=figure: f.to_bytes("pdf"), figure.show,
                     figure.to_matplotlib):  # fmt: skip
            with pytest.raises(MissingExtraError, match=r'pip install "rropt\[plot\]"') as error:
                call()
            assert "\n" not in str(error.value)
    with pytest.raises(ImportError):
        plots.region("1", ax="axes")
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
