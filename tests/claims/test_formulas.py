"""Formulas in texts: LaTeX that has the value of what is written, prose with its formulas, and no command of TeX."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random

from every_case import every_case

from rropt.claims import Outcome
from rropt.claims.claim_formulas import formula, is_safe_latex, tex_with_formulas, with_formulas
from rropt.claims.outcomes import Counterexample
from rropt.claims.written_claims import written_parts

POINT = {"x": Fraction(3, 7), "gamma": Fraction(5, 2), "p00": Fraction(-2, 3), "t_lo": Fraction(7)}


def _drawn(rng: Random, depth: int) -> str:
    if not depth or rng.random() < 0.2:
        return rng.choice([*POINT, "1", "2", "17", "0.5"])
    left, right = _drawn(rng, depth - 1), _drawn(rng, depth - 1)
    made = rng.choice(
        [f"{left} {rng.choice('+-*/')} {right}", f"({left})^{rng.randint(2, 3)}", f"-{left}", f"({left})"]
    )
    return f"({made})" if rng.random() < 0.5 else made


def _value(text: str) -> Fraction:
    numbers = re.sub(r"(?<![\w.])(\d+(?:\.\d+)?)(?![\w.])", r"Fraction('\1')", text)
    return eval(numbers, {"Fraction": Fraction, **POINT})


def _inside(latex: str, place: int) -> tuple[str, int]:
    """Return what stands in the braces that open at a place, and the place after them."""
    depth = 0
    for end in range(place, len(latex)):
        depth += {"{": 1, "}": -1}.get(latex[end], 0)
        if not depth:
            return latex[place + 1 : end], end + 1
    raise AssertionError(latex)


def _read_back(latex: str) -> str:
    """Return LaTeX of fractions, powers, products and names as Python: an oracle for the signs and the brackets."""
    made, place = "", 0
    while place < len(latex):
        if latex.startswith(r"\frac{", place):
            above, place = _inside(latex, place + 5)
            below, place = _inside(latex, place)
            made += f"(({_read_back(above)})/({_read_back(below)}))"
        elif latex.startswith("^{", place):
            power, place = _inside(latex, place + 1)
            made += f"**({power})"
        elif latex.startswith("_{", place):
            index, place = _inside(latex, place + 1)
            made += "00" if index == "00" else "_lo"
        elif latex.startswith((r"\,", r"\cdot "), place):
            made, place = made + "*", place + (2 if latex[place + 1] == "," else 6)
        else:
            made, place = made + latex[place].replace("\\", ""), place + 1
    return made


def test_a_formula_has_the_value_of_what_is_written() -> None:
    """The LaTeX, read back by plain substitutions, has the value that Python gives the text with exact fractions."""
    rng, tried = Random(7), 0
    for _ in range(400):
        text = _drawn(rng, 3)
        latex = formula(text)
        assert latex is not None, text
        try:
            wanted = _value(text.replace("^", "**"))
        except ZeroDivisionError:
            continue
        assert _value(_read_back(latex)) == wanted, (text, latex)
        tried += 1
    assert tried > 300


WRITTEN = {
    "p11 <= gamma*(1 - p00) + delta": r"p_{11}\le \gamma\,(1-p_{00})+\delta",
    "a >= 0 iff b != 1": r"a\ge 0\text{ iff }b\ne 1",
    "(a if b > 0 else c) = abs(x)": r"\begin{cases}a&\text{if }b>0\\c&\text{otherwise}\end{cases}=\lvert x\rvert ",
    "sum(i, 1, 3, i + 1) > 0": r"\sum_{i=1}^{3}(i+1)>0",
    "n in 1..": r"n\in\{1,\dots\}",
    "n in 2..5": r"n\in\{2,\dots,5\}",
    "x real": r"x\in\mathbb{R}",
    "not a = 1 or b < 2": r"\text{not }(a=1)\text{ or }b<2",
    "R' = {(delta, 1)}": r"R'=\{(\delta, 1)\}",
    "log gamma > 0": r"\log(\gamma)>0",
    "1e-10 < 2p": r"1e-10<2\,p",
    "2e + 1": r"2\,e+1",
}


@every_case("text", WRITTEN)
def test_rows_of_cards_are_formulas(text: str) -> None:
    latex = formula(text)
    assert latex == WRITTEN[text]
    assert is_safe_latex(latex)


PROSE = {
    "For 0 < pi <= 1/2 the design (p00, p11) is a mixture of a and b.": (
        r"For $0<\pi\le \frac{1}{2}$ the design $(p_{00}, p_{11})$ is a mixture of a and $b$."
    ),
    "Warner's design (see theorem-1, i.e. (11a) of Section V), E-optimal": (
        "Warner's design (see theorem-1, i.e. (11a) of Section V), E-optimal"
    ),
    "the one case": "the one case",
    "all gamma >= 1, n in 1.., x real": r"all $\gamma\ge 1$, $n\in\{1,\dots\}$, $x\in\mathbb{R}$",
    "with $x^2$ as printed and y = -1/2": r"with $x^2$ as printed and $y=-\frac{1}{2}$",
    "at (r(t), s(t)), t0 <= t": r"at $(r(t), s(t))$, $t_{0}\le t$",
    "costs 5$ and x = 1": "costs 5$ and x = 1",  # one dollar sign is money
    "k-ary, (w - p)(w + p - 1) > 0": r"$k$-ary, $(w-p)\,(w+p-1)>0$",
    "the range [0, 1] and the points (1, 1)": "the range [0, 1] and the points (1, 1)",
    "C = log gamma, and log L is concave": r"$C=\log(\gamma)$, and $\log(L)$ is concave",
    "the log of p": "the log of $p$",
    "with a p > 1/2": r"with a $p>\frac{1}{2}$",
    "a > 1/2 and P = C A a matrix": r"$a>\frac{1}{2}$ and $P=C\,A$ a matrix",
    "Theorem 3a of a 2x2 matrix, lemma-3b": "Theorem 3a of a 2x2 matrix, lemma-3b",
    "is 2a > 1 to 1e-10": r"is $2\,a>1$ to 1e-10",
}


@every_case("text", PROSE)
def test_prose_has_its_formulas_between_dollar_signs(text: str) -> None:
    assert with_formulas(text) == PROSE[text]


HOSTILE = (
    *(
        r"\input{/etc/passwd}",
        r"\write18{ls}",
        r"x}\end{document}",
        r"\def\pi{}",
        r"\begin{filecontents}x",
        "^^5cinput",
    ),
    *(r"\left( x", r"\catcode`\%=1", r"\frac{1", "%", "#1", r"\begin{cases}", r"\end{cases}\begin{cases}", "x\\"),
    *(r"\begin{array}{@{\input x}}", r"\end{$}", r"\csname input\endcsname", "\N{RIGHT-TO-LEFT OVERRIDE}x"),
)


@every_case("source", HOSTILE)
def test_latex_of_a_file_runs_no_command(source: str) -> None:
    """Text between dollar signs that has other commands, or that would close what is open, is shown as it stands."""
    assert not is_safe_latex(source)
    shown = tex_with_formulas(f"a ${source}$ b")
    assert re.search(r"(?<!\\)\$", shown.replace(r"$\varepsilon$", "")) is None or shown.startswith("a \\texttt{")
    for command in ("\\input", "\\write", "\\def", "\\begin", "\\end", "\\catcode", "\\csname", "^^"):
        assert command not in shown


def test_the_parts_of_an_outcome_are_written() -> None:
    outcome = Outcome(
        *("p.one", "fails", "refuted", "all 0 < p < 1", 9, 0.1),
        failing=4,
        printed=r"The parity is $\frac{1-p}p$ \input{x}.",
        precise="For 0 < p < 1 the parity is (1 - p)/p.",
        relations=("max(p/(1 - p), (1 - p)/p) = (1 - p)/p",),
        counterexample=Counterexample({"p": Fraction(3, 4)}, Fraction(1, 3), Fraction(3), "equal", "3 = 1/3 is false"),
        correction="p <= 1/2",
        definitions=("p is the probability of the truth",),
        steps=("step p > 0: p",),
        sha256="ab" * 32,
    )
    latex = outcome.to_latex()
    for part in (
        r"\textbackslash{}input\{x\}",
        r"For $0<p<1$ the parity is $\frac{1-p}{p}$",
        r"$\max(\frac{p}{1-p}, \frac{1-p}{p})=\frac{1-p}{p}$",
        r"$p$ & $\frac{3}{4}$ & the probability of the truth \\",
        r"the statement says & $\frac{1}{3}$ &",
        r"the true value is & $3$ &",
        r"\paragraph{What is true.} $p\le \frac{1}{2}$",
        "fails (refuted by an exact counterexample)",
        "false at 4 of 9 points",
        r"step $p>0$: the sign of the factor $p$ \\",
        r"1 & \texttt{abababababababab\allowbreak{}",
    ):
        assert part in latex, part
    assert latex.count("{") == latex.count("}")
    assert Outcome.from_dict(outcome.to_dict()).to_latex() == latex
    assert [part.title for part in written_parts(outcome)][:4] == [
        *("Statement as printed", "Precise statement", "In formulas", "Scope")
    ]


def test_formulas_of_a_card_stand_once_and_evidence_is_told_of_one_form() -> None:
    """Without `precise` the precise statement has the formulas; a correction is named by the label alone."""
    made = {"relations": ("p <= 1/5",), "about": "as printed"}
    parts = {
        precise: {
            part.title: part.texts
            for part in written_parts(Outcome("p.one", "holds", "proved", "", 2, 0.1, **made, precise=precise))
        }
        for precise in ("For 0 < p < 1: p <= 1/5.", "The probability is at most a fifth.")
    }
    assert ["In formulas" in part for part in parts.values()] == [False, True]
    told = next(iter(parts.values()))["Evidence"]
    assert told == ("proved, for the statement as printed; 2 points compared, 0 failing.",)
    repaired = Outcome("p.two", "fails", "refuted", "", 2, 0.1, failing=1, about="corrected")
    (evidence,) = [part.texts[0] for part in written_parts(repaired) if part.title == "Evidence"]
    assert "corrected" not in evidence
    assert evidence.endswith("; 2 points compared, 1 failing.")


def test_an_empty_outcome_has_no_empty_parts() -> None:
    for part in written_parts(Outcome("p.one", "holds", "proved", "", 1, 0.1)):
        assert any(part.texts) or part.rows


def test_sizes_of_a_power_are_those_of_the_polynomial() -> None:
    """Degrees of numerator and denominator: of (x^2)^5, of its inverse, and of x^3/(x - 7)^2."""
    from rropt.claims.language import _sizes

    x, square = ("name", "x"), ("*", ("name", "x"), ("name", "x"))
    assert _sizes(("^", square, 5))[:2] == (10, 0)
    assert _sizes(("^", square, -5))[:2] == (0, 10)
    shifted = ("-", x, ("number", Fraction(7)))
    assert _sizes(("/", ("^", x, 3), ("^", shifted, 2)))[:2] == (3, 2)
    assert _sizes(("^", ("number", Fraction(8)), 4))[2] >= (8**4).bit_length()


def test_products_without_a_sign_are_one_formula() -> None:
    """Each expected text was written by hand; the last four are prose, where a formula would be wrong."""
    for text, wanted in (
        ("E[M(b)] = 1 - p + (2p - 1) b.", r"$\mathbb{E}[M(b)]=1-p+(2\,p-1)\,b$."),
        ("p_uj <= gamma p_ul for all", r"$p_{\mathrm{uj}}\le \gamma\,p_{\mathrm{ul}}$ for all"),
        ("a row of A = C P, that is", r"a row of $A=C\,P$, that is"),
        ("L = Pr(X=1)^N Pr(X=0)^(n-N)", r"$L=\Pr(X=1)^{N}\,\Pr(X=0)^{n-N}$"),
        ("gamma (1-q) p - q (1-p) = 1", r"$\gamma\,(1-q)\,p-q\,(1-p)=1$"),
        ("delta = gamma (gamma - 1)/2", r"$\delta=\frac{\gamma\,(\gamma-1)}{2}$"),
        ("lambda > 0 for D > 0", r"$\lambda>0$ for $D>0$"),
        ("lambda' = D", r"$\lambda'=D$"),
        ("every N = 0, ..., n of", r"every $N=0,\dots,n$ of"),
        ("C^{-1} is", "$C^{-1}$ is"),
        ("P = C A a TPM", r"$P=C\,A$ a TPM"),
        ("the pair n p of names", "the pair $n$ $p$ of names"),
        ("when (4) >= 0", "when (4) >= 0"),
        ("up to 1e-14 of it", "up to 1e-14 of it"),
    ):
        assert with_formulas(text) == wanted, text
        for piece in with_formulas(text).split("$")[1::2]:
            assert is_safe_latex(piece)
