"""``explore``: one self-contained page that shows the designs of a privacy budget, with its own exact arithmetic.

The page needs no network and no server. Its scripts are in ``kernels/javascript`` (``explorer_*.js``); the certified
optima of k categories come from ``explorer_table.json``, which ``explorer_table.py`` writes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Epsilon, as_text, rational_where
from rropt.core.results import Result, labelled
from rropt.core.visible import html_text
from rropt.reports.browser_checker import embedded, script

_MOST_GAMMA = 10**6
_MOST_RESPONDENTS = 10**9
_LONGEST = 40  # characters of a number that the page reads
_LARGEST_EPSILON = 13.9  # beyond log(10^6)
_GAMMA_DIGITS = 7  # of a gamma that is rounded
_BRACKET_DIGITS = 30
TABLE = Path(__file__).with_name("explorer_table.json")


@dataclass(frozen=True, slots=True)
class ExplorerPage(Result):
    """The page of ``explore``, and the setting with which it opens.

    Attributes:
        gamma: exp(epsilon), rational and above 1.
        delta: the slack.
        prevalence: the prevalence of the sensitive answer.
        n: the number of respondents.
    """

    gamma: Fraction
    delta: Fraction
    prevalence: Fraction
    n: int

    LABELS: ClassVar[Mapping[str, str]] = labelled(
        gamma="gamma = exp(epsilon)",
        delta="delta",
        prevalence="prevalence",
        n="respondents",
        fragment="end of its address",
        page="",
    )

    def __post_init__(self) -> None:
        domains = {
            "gamma": (lambda x: 1 < x <= _MOST_GAMMA, f"1 < gamma <= {_MOST_GAMMA}"),
            "delta": (lambda x: 0 <= x <= 1, "0 <= delta <= 1"),
            "prevalence": (lambda x: 0 < x < 1, "0 < prevalence < 1"),
        }
        for name, (fits, allowed) in domains.items():
            value = rational_where(getattr(self, name), fits, allowed, name=name)
            if len(as_text(value)) > _LONGEST:
                raise InvalidParameterError(
                    f"{name} is too long for the page: received {shown(as_text(value))}; allowed are {_LONGEST} "
                    "characters; round it"
                )
            object.__setattr__(self, name, value)
        if type(self.n) is not int or not 1 <= self.n <= _MOST_RESPONDENTS:
            raise InvalidParameterError(
                f"the number of respondents is out of range: received {shown(self.n)}; allowed is an integer from 1 to "
                f"{_MOST_RESPONDENTS}"
            )

    @property
    def fragment(self) -> str:
        """The fragment of the URL that opens the page with this setting."""
        return "#" + "&".join(f"{name}={quote(value, safe='/')}" for name, value in self._setting().items())

    @property
    def page(self) -> str:
        """The HTML of the page."""
        return _page(self._setting())

    def _setting(self) -> dict[str, str]:
        return {
            "gamma": as_text(self.gamma),
            "delta": as_text(self.delta),
            "prevalence": as_text(self.prevalence),
            "n": str(self.n),
        }


def explore(
    *,
    epsilon: object = None,
    gamma: object = None,
    delta: object = 0,
    prevalence: object = Fraction(1, 10),
    n: int = 1000,
) -> ExplorerPage:
    """Return a self-contained HTML page that compares the designs for a privacy budget.

    The page has controls for the budget, the prevalence and the number of respondents. It shows the region of the
    private designs with the optimum, n Var of the classical designs, the posterior odds after a report, and the number
    of respondents for a standard error. All numbers are computed in the page, in exact arithmetic.

    Args:
        epsilon: the initial level; if exp(epsilon) is irrational, gamma is rounded down to seven digits; or
        gamma: the initial exp(epsilon), rational, ``1 < gamma <= 10^6``; by default 3.
        delta: the initial delta, rational in [0, 1].
        prevalence: the initial prevalence of the sensitive trait, in (0, 1).
        n: the initial number of respondents.

    Raises:
        InvalidParameterError: a number is outside its domain.

    >>> explore(gamma=2, delta="1/4", prevalence="1/4").fragment
    '#gamma=2&delta=1/4&prevalence=1/4&n=1000'
    """
    if epsilon is not None and gamma is not None:
        raise InvalidParameterError("epsilon and gamma are both given: give one of them")
    level = _level_of(epsilon) if epsilon is not None else 3 if gamma is None else gamma
    exact = {
        name: rational_where(value, lambda _: True, "a rational number", name=name)
        for name, value in (("gamma", level), ("delta", delta), ("prevalence", prevalence))
    }
    return ExplorerPage(**exact, n=n)


def _level_of(epsilon: object) -> Fraction:
    """Return exp(epsilon), or the largest number of seven digits below it."""
    level = Epsilon.of(epsilon)
    if level.is_infinite or float(level) > _LARGEST_EPSILON:
        raise InvalidParameterError(
            f"epsilon is too large for the page: received {level}; allowed is at most log({_MOST_GAMMA})"
        )
    if level.gamma is not None:
        return level.gamma
    below = level.gamma_bracket(_BRACKET_DIGITS).lower
    unit = 10 ** (_GAMMA_DIGITS - len(str(floor(below))))
    return Fraction(floor(below * unit), unit)


_TITLE = "Randomized response explorer"

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; --ink: CanvasText; --blue: #0072b2; --orange: #d55e00;
  --green: #00795a; --purple: #a3468b; --brown: #8a6100; --area: #0072b226; --bad: #b3261e; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 80rem; padding: 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: 0 0 .5rem; } p { margin: .4rem 0; }
p, li { overflow-wrap: anywhere; } td, th { overflow-wrap: break-word; }
td > span { display: block; min-width: 7rem; }
.exact { display: block; min-width: 9rem; overflow-wrap: anywhere; }
.layout { display: grid; gap: 1.25rem; grid-template-columns: 20rem minmax(0, 1fr); align-items: start;
  margin-top: 1rem; }
form { background: var(--soft); border-radius: .6rem; padding: 1rem; position: sticky; top: 1rem; }
fieldset { border: 0; margin: 0; padding: 0; } legend { font-weight: 600; padding: 0; }
.control { margin: .6rem 0; } .control label { display: block; font-weight: 600; }
.pair { display: grid; gap: .5rem; grid-template-columns: minmax(0, 1fr) 7rem; align-items: center; }
.single { display: grid; gap: .5rem; grid-template-columns: minmax(0, 1fr) 7rem; align-items: center; }
.single label { font-weight: 400; }
input, select, button { font: inherit; max-width: 100%; }
input[type=text] { border: 1px solid var(--line); border-radius: .3rem; min-height: 2.2rem; padding: .15rem .4rem;
  width: 100%; }
input[type=range] { min-height: 2rem; width: 100%; accent-color: var(--blue); }
button, select { min-height: 2.2rem; }
[aria-invalid=true] { outline: 2px solid var(--bad); } .note { color: var(--bad); font-size: .85rem; margin: 0; }
:focus-visible { outline: 3px solid var(--orange); outline-offset: 2px; }
.hint { font-size: .85rem; }
section { border-top: 1px solid var(--line); margin-top: 1.25rem; padding-top: 1rem; }
.first { border-top: 0; margin-top: 0; padding-top: 0; }
#summary { background: Canvas; border-left: .3rem solid var(--blue); font-size: 1.1rem; margin: .5rem 0;
  padding: .3rem .8rem; }
.two { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); }
figure { margin: 0; } figcaption { font-size: .9rem; }
svg { display: block; height: auto; max-width: 30rem; width: 100%; } svg text { fill: var(--ink); font-size: 11px; }
.frame { fill: none; stroke: var(--line); } .area { fill: var(--area); stroke: var(--blue); }
.useless { stroke: var(--ink); stroke-dasharray: 2 4; fill: none; opacity: .6; } .grid { stroke: var(--line);
  opacity: .5; }
.here { stroke: var(--ink); stroke-dasharray: 4 3; }
.mark { stroke: var(--ink); stroke-width: .6; fill: var(--ink); }
.mark.optimum { fill: var(--orange); } .mark.warner { fill: var(--blue); } .mark.unrelated { fill: var(--green); }
.mark.mangat { fill: var(--purple); }
.line { fill: none; stroke: var(--ink); stroke-width: 2; }
.line.four { stroke: var(--brown); stroke-dasharray: 7 3; stroke-width: 3; } .line.optimum { stroke: var(--orange); }
.line.warner { stroke: var(--blue); stroke-dasharray: 5 3; } .line.unrelated { stroke: var(--green);
  stroke-dasharray: 9 3 2 3; }
.line.mangat { stroke: var(--purple); stroke-dasharray: 2 3; } .line.direct { stroke-dasharray: 1 3; }
.line.report-yes { stroke: var(--orange); } .line.report-no { stroke: var(--blue); stroke-dasharray: 6 3; }
.line.report-yes-rather { stroke: var(--purple); stroke-dasharray: 9 3 2 3; }
.line.report-no-rather { stroke: var(--green); stroke-dasharray: 2 3; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .95rem; }
td, th { padding: .3rem .5rem .3rem 0; text-align: left; vertical-align: top; }
tr > * { border-bottom: 1px solid var(--line); }
caption { font-size: .9rem; padding-bottom: .3rem; text-align: left; }
td { font-variant-numeric: tabular-nums; }
@media (prefers-color-scheme: dark) {
  :root { --blue: #56b4e9; --orange: #e69f00; --green: #35c79b; --purple: #dd96c5; --brown: #d0b06a; --area: #56b4e92e;
    --bad: #ffb4ab; }
}
@media (max-width: 60rem) {
  .layout { grid-template-columns: minmax(0, 1fr); } form { position: static; }
  #summary { box-shadow: 0 2px 6px var(--line); font-size: .95rem; position: sticky; top: 0; z-index: 1; }
}
@media (max-width: 40rem) {
  body { padding: .75rem; }
  .cards thead { height: 1px; overflow: hidden; position: absolute; width: 1px; clip-path: inset(50%); }
  .cards tr { border-bottom: 1px solid var(--line); display: block; padding: .4rem 0; }
  .cards :is(td, th) { border: 0; display: grid; gap: .5rem; grid-template-columns: 8.5rem minmax(0, 1fr);
    overflow-wrap: anywhere; padding: .1rem 0; }
  .cards tbody th { display: block; }
}
@media print {
  :root { color-scheme: light; } #summary { box-shadow: none; position: static; }
  body { font-size: 10pt; max-width: none; padding: 0; }
  .layout { display: block; } form { background: none; padding: 0; position: static; }
  input[type=range], button { display: none; }
  fieldset { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1rem; } figure, tr, h2 { break-inside: avoid; }
  h2 { break-after: avoid; } section { break-inside: avoid-page; }
}
"""

_CARD_LABELS = {
    "designs": ("", "how", "n Var", "over the best", "standard error", "respondents"),
    "odds": ("", "likelihood ratio", "odds before", "odds after", "probability"),
    "categories-rows": ("", "how", "n Var in all", "over the optimum"),
}

_SLIDERS = (
    ("gamma", "Odds bound gamma = e<sup>ε</sup>", "Gamma, as a slider"),
    ("delta", "Slack delta", "Delta, as a slider"),
    ("prevalence", "Prevalence of the sensitive answer", "Prevalence, as a slider"),
    ("n", "Respondents n", "Respondents, as a slider"),
)

_DESIGNS = (
    ("optimum", "the best design with two outputs"),
    ("four", "the best mechanism, any number of outputs"),
    ("warner", "Warner, crosswise"),
    ("unrelated", "the unrelated question"),
    ("mangat", "Mangat (1994), if delta > 0"),
    ("direct", "the open question"),
)


def _controls() -> str:
    parts = []
    for name, label, spoken in _SLIDERS:
        parts.append(
            f'<div class="control"><label for="{name}">{label}</label><div class="pair">'
            f'<input type="range" id="{name}-slider" min="0" max="100" value="0" aria-label="{spoken}">'
            f'<input type="text" id="{name}" inputmode="text" autocomplete="off" spellcheck="false" '
            f'aria-describedby="{name}-note"></div><p class="note" id="{name}-note" role="alert"></p>'
        )
        if name == "gamma":
            parts.append(
                '<div class="single"><label for="epsilon">or epsilon; gamma is then e<sup>ε</sup>, rounded down</label>'
                '<input type="text" id="epsilon" autocomplete="off" spellcheck="false" aria-describedby="epsilon-note">'
                '</div><p class="note" id="epsilon-note" role="alert"></p><p class="hint" id="level"></p>'
            )
        parts.append("</div>")
    for name, label in (
        ("error", "Wanted standard error"),
        ("other", "Harmless question: proportion of yes"),
    ):
        parts.append(
            f'<div class="control single"><label for="{name}">{label}</label><input type="text" id="{name}" '
            f'autocomplete="off" spellcheck="false" aria-describedby="{name}-note"></div>'
            f'<p class="note" id="{name}-note" role="alert"></p>'
        )
    parts.append(
        '<div class="control"><label for="link">Link to this setting</label>'
        '<input type="text" id="link" readonly></div>'
        '<button type="button" id="reset">Start again</button>'
    )
    return (
        '<form id="controls" autocomplete="off" aria-label="Setting"><fieldset><legend>Setting</legend>'
        f'{"".join(parts)}</fieldset><p class="hint">Write numbers as 1/3, 0.1 or 10%.</p></form>'
    )


def _options(pairs: tuple[tuple[str, str], ...]) -> str:
    return "".join(f'<option value="{html_text(value)}">{html_text(text)}</option>' for value, text in pairs)


def _table(identity: str, caption: str, *heads: str) -> str:
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    return (
        f'<div class="scroll"><table class="cards"><caption>{caption}</caption><thead><tr>{head}</tr></thead>'
        f'<tbody id="{identity}"></tbody></table></div>'
    )


def _body(shares: tuple[tuple[str, str], ...]) -> str:
    categories = tuple((str(k), f"{k} categories") for k in (3, 4, 5, 6))
    designs = _table(
        "designs",
        "Every design at its best within the budget.",
        "design",
        "how to use it",
        "n Var",
        "n Var relative to the best with two outputs",
        "standard error at n",
        "respondents for the wanted standard error",
    )
    odds = _table(
        "odds",
        "What one report changes",
        "report",
        "likelihood ratio",
        "odds before",
        "odds after",
        "probability after",
    )
    kary = _table("categories-rows", "Designs for k categories", "design", "how", "n Var in all", "over the optimum")
    return f"""
<p>Chance changes a respondent's answer, so that nobody can be sure of the true one. For a privacy budget
(epsilon, delta) this page shows which designs are allowed, which is the most precise, and what a report reveals.</p>
<noscript><p><b>This page computes with JavaScript. Please allow it.</b></p></noscript>
<p id="summary" role="status" aria-live="polite"></p>
<div class="layout">{_controls()}<main>
<section class="first"><h2>Designs within the budget, and their precision</h2><div class="two">
<figure><svg id="region" role="img" viewBox="0 0 360 300" aria-label="Region of the private designs"
 aria-describedby="region-text"></svg><figcaption>Shaded: all designs (p00, p11) within the budget. Dotted: designs
whose reports reveal nothing. <span id="region-text"></span></figcaption></figure>
<figure><svg id="curves" role="img" viewBox="0 0 360 300"
 aria-label="n Var of each design against epsilon; the table below has the numbers at the chosen epsilon"></svg>
<figcaption>n Var (logarithmic scale) against epsilon, at this delta and prevalence. Dashed vertical: your epsilon.
</figcaption></figure></div>
<p id="why"></p>{designs}
<p class="hint">n Var is n times the variance of the estimated prevalence: the standard error is the square root of
n Var / n. Forced response and Kuk's decks with one draw can use every design (p00, p11), so they attain the best
one. The best mechanism of all has four outputs; its n Var is that of the efficient
estimate in large samples.</p></section>
<section><h2>What a report reveals</h2>
<p><label for="design">Design: </label><select id="design">{_options(_DESIGNS)}</select></p>
<p id="odds-text"></p><p id="yes-share"></p>{odds}
<figure><svg id="beliefs" role="img" viewBox="0 0 360 300"
 aria-label="Probability of the sensitive answer after a report against the probability before it"></svg>
<figcaption>The probability that somebody gives to the sensitive answer, after a report against before it.
Dashed vertical: your prevalence.</figcaption></figure></section>
<section><h2>Questions with 3 to 6 categories</h2>
<p><label for="categories">Question: </label><select id="categories">{_options(categories)}</select>
<label for="shares">Proportions: </label><select id="shares">{_options(shares)}</select></p>
<p id="categories-text"></p>{kary}
<p class="hint">The optimum is over all mechanisms with any number of outputs. rropt computed it when its table was
made, and the independent checker accepted each certificate. This page computes the other two rows. For subset
selection the estimate counts how often a report contains each category.</p></section>
<section><h2>What is exact on this page</h2><ul>
<li>gamma, delta, the prevalence and n are rational numbers. All designs, variances, odds, probabilities and numbers of
respondents are computed from them as exact fractions. A decimal is rounded to the nearest digit shown.</li>
<li>Standard errors are square roots: they are shown as decimals alone.</li>
<li>epsilon is the logarithm of gamma. If you write epsilon, the page takes a gamma of seven digits that is at most
e<sup>ε</sup>: every design shown keeps your budget exactly.</li>
<li>The pictures use floating-point numbers.</li>
<li>The page loads nothing and sends nothing. The link holds the whole setting.</li></ul></section>
</main></div>"""


def _page(setting: dict[str, str]) -> str:
    data = json.loads(TABLE.read_text(encoding="utf-8"))
    shares = tuple((name, text) for name, text in data.pop("titles").items())
    policy, code = embedded(script("explorer_page", "startExplorer"))
    labels = "".join(
        f'#{body} > tr > :nth-child({i})::before {{ content: "{label}"; opacity: .75; }}'
        for body, heads in _CARD_LABELS.items()
        for i, label in enumerate(heads, 1)
        if label
    )
    style = f"{_STYLE}@media (max-width: 40rem) {{ {labels} }}\n"
    blocks = "".join(
        f'<script type="application/json" id="{name}">{_embedded_json(value)}</script>'
        for name, value in (("certified", data), ("setting", setting))
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">{policy}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_TITLE}</title><style>{style}</style></head><body><h1>{_TITLE}</h1>"
        f"{_body(shares)}{blocks}{code}</body></html>\n"
    )


def _embedded_json(value: object) -> str:
    """Return JSON that cannot close the HTML element that contains it."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
