"""The arguments that several commands share, each declared once.

``replace(PREVALENCE, required=True)`` is a shared option in the form that one command needs.
"""

from __future__ import annotations

from dataclasses import replace

from rropt.cli.arguments import items, mechanism, names, whole, wholes
from rropt.cli.command import Flag, OneOf, Option
from rropt.cli.pending import InputFile, OutputFile, ProofFile, ReportFile

EPSILON = Option("--epsilon", "E", help='privacy level in nats: a number such as 1/2, or "log(3)", or "1/2*log(3)"')

GAMMA = Option("--gamma", "G", help="the same as a bound of the odds ratio: gamma = exp(epsilon) >= 1, rational")

DELTA = Option("--delta", "D", help='delta in [0, 1], with --epsilon or --gamma: a number, or "exp(-10)"', default="0")

PREVALENCE = Option("--prevalence", "PI", help="assumed prevalence, in [0, 1]")

CONFIDENCE = Option("--confidence", "C", help="confidence level of the intervals", default="0.95")

BOUNDS = Option(
    "--bounds",
    "LOW..HIGH|FILE",
    help=(
        "bounds of every entry, or a file with bounds of single entries (JSON or CSV), also with inequalities in "
        "several entries (JSON)"
    ),
    type=InputFile,
)

FOR = Option(
    "--for",
    help=(
        "also find the best design that the device plays exactly, print its loss, and write this one to --output; "
        "`rropt sheet` writes its instructions"
    ),
    choices=("cards", "dice"),
)

EFFORT = Option(
    "--effort",
    help="how much work the checker may do; large allows seven categories with delta > 0, and 20 with delta = 0",
    choices=("default", "large"),
    default="default",
)

ROUTES = Option(
    "--routes",
    "NAME,...",
    help=(
        "auto (default): all routes, except those that cost far more than the result; all; or names of routes, "
        "such as exact"
    ),
    type=items,
)

FAST = Flag("--fast", help="run one route, and do not compare the result with the same problem in SymPy and CVXPY")

CERTIFICATE = Option("--certificate", "FILE", help="write the certificate to FILE", type=OutputFile)

DERIVATION = Option(
    "--derivation",
    "FILE",
    help=(
        "write the proof of the design as half a page to FILE.md or FILE.tex: problem, active set, KKT system, value, "
        "proof by duality, and the levels at which it holds"
    ),
    type=ProofFile,
)

POSITIONAL_MECHANISM = Option(
    "mechanism",
    "MECHANISM",
    help=(
        'a JSON file {"matrix": [["2/3","1/3"],["1/3","2/3"]]} (rows are outputs) or {"product": [...]} of such '
        "rows for each question, the certificate or the JSON of a design, a CSV or .npy file, or a name with "
        "parameters such as warner:3/4 or forced:2/3,1/6,1/6 (`rropt design list` lists them). Decimals stand for an "
        "exact matrix, which a remark explains"
    ),
    type=InputFile,
)

TRANSPOSED = Flag(
    "--transposed",
    help=(
        "read the matrix with inputs as rows, which sum to 1 (a row-stochastic channel, as in qif); the default "
        "is outputs as rows"
    ),
)

SURVEY = Option(
    "--survey",
    "FILE",
    help="declaration of the survey (default: survey.toml, if DATA is the name of a question)",
    type=InputFile,
)

WEIGHTS = Option("--weights", "COLUMN", help="column of the sampling weights of a complex survey")

STRATA = Option("--strata", "COLUMN", help="column of the strata")

CLUSTERS = Option(
    "--clusters", "COLUMN", help="column of the clusters (primary sampling units), numbered within strata"
)

FPC = Option(
    "--fpc",
    "N[,M]",
    help=(
        "finite population correction, columns or numbers: the number of clusters (or rows) in each stratum, or "
        "the sampling fraction (at most 1); then the same for the rows within each cluster"
    ),
    type=names,
)

POST_STRATA = Option(
    "--post-strata",
    "A,B,..",
    help="columns that define post-strata: the weights were calibrated to the known totals of their cells",
    type=names,
)

REPLICATES = Option(
    "--replicates",
    "METHOD:COLUMNS",
    help=(
        "columns of replicate weights, with --weights, in place of strata and clusters: jk1:rep1..rep20, "
        "fay,rho=0.3:rep1..rep80. Methods: jk1, jkn, jk2, brr, fay, sdr, acs, bootstrap, other; settings: rho=, "
        "scale=, rscales=, center=estimate (default: the mean of the replicates)"
    ),
)

SINGLE_PSU = Option(
    "--single-psu",
    "RULE",
    help="treatment of a stratum with a single PSU in variances: certainty, average or adjust",
    default="refuse",
)

EXACT = Flag("--exact", help="print every number in full: long fractions, all decimal digits, whole matrices")

JSON = Flag("--json", help="print one JSON object and nothing else; exact numbers are strings")

MECHANISM = replace(POSITIONAL_MECHANISM, name="--mechanism", type=mechanism)

TRANSPOSED_MECHANISM = replace(TRANSPOSED, goes_with="--mechanism")

_ONE_LEVEL = (
    "posterior:R1,R2 (no probability rises from below R1 to above R2, nor falls from above R2 to below R1); factor:B "
    '(posterior/prior between 1/B and B); curve:UPPER or "curve:UPPER;LOWER" (functions of the prior probability p; '
    "two need quotation marks: a shell splits at the semicolon)"
)
_CURVED = (
    "renyi:A,E (the Renyi divergence of order A >= 1 is at most E nats; order 1: Kullback-Leibler); zcdp:RHO (that of "
    "every order A > 1 is at most RHO A); gdp:MU (Gaussian, for 2 to 5 categories)"
)
_OF_PAIRS = (
    "line:E or grid:RxC:E (E times the distance of two categories); or FILE: a level for each pair of categories (JSON "
    "or CSV, k x k), or a list of levels, each with an epsilon, a delta and its pairs (JSON)"
)

# every kind of level; those of a command whose outputs are given; those with one epsilon, with a delta or without
LEVEL_SPEC = Option(
    "--level",
    "SPEC",
    help=(
        f"the level as one text: E,D (epsilon, delta; several of them together); {_ONE_LEVEL}; {_CURVED}; {_OF_PAIRS}"
    ),
    type=InputFile,
    repeated=True,
)
TRACE_LEVEL_SPEC = replace(
    LEVEL_SPEC,
    help=f"the level as one text: E,D (epsilon, delta; several of them together); {_ONE_LEVEL}; {_OF_PAIRS}",
)
ONE_LEVEL_SPEC = replace(LEVEL_SPEC, help=f"the level as one text: E,D (epsilon, delta); {_ONE_LEVEL}")
PURE_LEVEL_SPEC = replace(LEVEL_SPEC, help=f"the level as one text: E,0 (epsilon, delta = 0); {_ONE_LEVEL}")

ONE_LEVEL = (EPSILON, GAMMA, ONE_LEVEL_SPEC)
REQUIRED_LEVEL = (OneOf((EPSILON, GAMMA, LEVEL_SPEC), required=True),)
REQUIRED_TRACE_LEVEL = (OneOf((EPSILON, GAMMA, TRACE_LEVEL_SPEC), required=True),)
REQUIRED_ONE_LEVEL = (OneOf(ONE_LEVEL, required=True),)
REQUIRED_PURE_LEVEL = (OneOf((EPSILON, GAMMA, PURE_LEVEL_SPEC), required=True),)
LEVEL = (OneOf((EPSILON, GAMMA, LEVEL_SPEC)),)

GLOB = Flag(
    "--glob",
    help='read DATA as patterns of file names, for example "wave-*.csv" or "data/**/*.parquet"',
    is_reading=True,
)


RESPONSES = (
    OneOf(
        (
            Option("--column", "NAME", help="name of the column of one question", goes_with="DATA"),
            Option(
                "--columns",
                "A,B,..",
                help=(
                    "names of the columns of several questions, in the order of the mechanism, for example of "
                    "bits:3/4*4"
                ),
                type=names,
                goes_with="DATA",
            ),
        )
    ),
    Option(
        "--categories",
        "A,B,..",
        help=(
            "responses as they are written in DATA, in the order of the mechanism, for example no,yes (default: "
            "0,1,...). The first is output 0; of two responses the second is counted. If the columns have "
            "different responses, repeat the option for each of --columns in order, or name the column: "
            "q2=never,once,often"
        ),
        type=names,
        repeated=True,
        goes_with="DATA",
    ),
)

DEVICES = Option(
    "--devices",
    "COLUMN[=DEVICE]",
    help=(
        "column with the device of each respondent, in place of --mechanism, for example warner:3/4. "
        'COLUMN=FILE: the column has names that a JSON file defines, {"A": "warner:3/4", "B": {"matrix": [...]}}. '
        "COLUMN=DEVICE, twice or more: the columns of one question, each of which a part of the respondents answered, "
        "with their devices, for example --devices form_a=crosswise:1/5 --devices form_b=crosswise:4/5; name the "
        "question with a new name"
    ),
    type=InputFile,
    repeated=True,
)

COUNTED = (
    Option("--yes", "Y", help="number of responses 1, for a mechanism with two outputs", type=whole(0)),
    Option("--n", "N", help="number of respondents, with --yes", type=whole(1)),
    Option("--counts", "C0,..,Cm", help="number of responses of each kind, including zeros", type=wholes(0)),
)

LEVEL_CURVE = (
    Option(
        "--at-most",
        "VALUE",
        help=(
            "for every level at once: also print the least gamma at which the value is VALUE or better, an exact number"
        ),
    ),
    Option(
        "--plot",
        "FILE",
        help="for every level at once: write a picture of the value against epsilon, FILE.svg, .png or .pdf",
        type=OutputFile,
    ),
)

DESIGN_FILES = (
    Option(
        "--output",
        "FILE",
        help=(
            "write the mechanism to FILE, with its name, level and distribution; other commands read it with "
            "--mechanism. For every level at once: write all pieces with their formulas (JSON)"
        ),
        type=OutputFile,
    ),
    Option(
        "--categories",
        "A,B,..",
        help=(
            "names of the categories in the order of the mechanism; they are written to the file of the mechanism, and "
            "other commands read and print them"
        ),
        type=names,
        goes_with="--output",
        dest="category_names",
    ),
    EXACT,
    JSON,
)

REPORTS = (
    Option(
        "--report",
        "FILE",
        help="write a page, FILE.html, .md or .tex; it starts with a summary in plain words",
        type=ReportFile,
    ),
    Option("--question", "TEXT", help="the question as respondents read it", goes_with="--report"),
)

PICTURE = (
    Option(
        "--output",
        "FILE",
        help="write the picture to FILE.svg, FILE.png or FILE.pdf (default: show a window)",
        type=OutputFile,
    ),
    Option(
        "--size",
        "SIZE",
        help=(
            "width of the picture. paper: 3.4 in, one column; wide: 7 in, two columns; screen: 11 in (default: "
            "screen for windows)"
        ),
    ),
    Option(
        "--dpi",
        "N",
        help="dots per inch of a PNG, 30 to 1200 (default: paper 300, screen 100)",
        type=whole(30, 1200),
        goes_with="--output",
    ),
    JSON,
)
