"""``rropt regress``: from a table with a row for each respondent to coefficients with their standard errors."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from typing import Any

from rropt.cli import options
from rropt.cli.arguments import items, mechanism, mechanism_of_part, names, read_devices, whole
from rropt.cli.command import Command, Flag, OneOf, Option
from rropt.cli.installed_readers import read_by_other, table_reader
from rropt.cli.output import print_note, print_result
from rropt.cli.pending import InputFile
from rropt.core.errors import InvalidParameterError, refuse_given, shown
from rropt.core.lazy import numpy as np
from rropt.core.normal_form import normal

COMMAND = Command(
    """\
Fit a regression of a randomized response on covariates: logistic, probit, linear, ordinal
or multinomial. Several devices, direct questions, weights, strata and clusters may be combined
in one table. Only listed words of a formula are computed.""",
    epilog="""\
example: contact with armed groups by age and sex, a die that forced yes on 1 and no on 6
  rropt regress people.csv --formula "answer ~ age + female" --mechanism forced:2/3,1/6,1/6
a device for each row, named in a column (direct: asked directly), and marginal effects
  rropt regress people.csv --formula "answer ~ C(region) + age" --devices device --margins
a complex survey; the standard errors are those that R's svyglm prints
  rropt regress people.csv --formula "answer ~ age" --mechanism warner:3/4 --weights w --standard-errors design:expected
a mixed model: a random intercept for each interviewer
  rropt regress people.csv --formula "answer ~ age" --mechanism warner:3/4 --random interviewer
a covariate that is itself a randomized response; the vote was asked directly
  rropt regress people.csv --formula "vote ~ bribe + age" --covariate bribe=warner:3/4""",
    arguments=(
        Option(
            "data",
            "DATA",
            help=(
                "file with one row for each respondent: CSV, JSON lines, Parquet, Feather, Excel (.xlsx), Stata, "
                "SPSS, DuckDB or SQLite, also compressed (.gz, .zst, .zip); several files with the same columns, "
                "or a folder of them; - reads standard input. Without DATA, ANSWER is the name of a question that "
                "survey.toml declares (rropt survey)"
            ),
            nargs="*",
            type=InputFile,
        ),
        Option(
            "--survey", "FILE", help="declaration of the survey (default: survey.toml, without DATA)", type=InputFile
        ),
        options.GLOB,
        *table_reader().reading(goes_with=""),
        Option(
            "--formula",
            "F",
            help=(
                "ANSWER ~ TERM + TERM: columns (in backticks if their names contain blanks), the operators + - * "
                ': / ^ and parentheses, and C(x) or factor(x), C(x, Treatment("level")), C(x, levels=["a", "b"]), '
                "comparisons such as (age >= 18), I(), log(), log10(), log2(), log1p(), exp(), expm1(), sqrt(), abs(), "
                "center(), scale()"
            ),
            required=True,
        ),
        OneOf(
            (
                Option(
                    "--mechanism",
                    "MECHANISM",
                    help=(
                        "device of all respondents: a name such as warner:3/4 (`rropt design list` lists them), "
                        "or a file"
                    ),
                    type=mechanism,
                ),
                replace(
                    options.DEVICES,
                    help=f"{options.DEVICES.help}. The device direct means that the question was asked directly",
                ),
            )
        ),
        replace(options.TRANSPOSED, goes_with="--mechanism, --devices or --covariate"),
        Option(
            "--covariate",
            "C=MECHANISM",
            help="column of the formula that is itself a randomized response, with its device",
            type=InputFile,
            repeated=True,
        ),
        Option(
            "--contrast",
            "C1,..,CK",
            help=(
                "with --devices: model this sum of categories, which the devices determine together, for "
                "example 0,1,0,1 for a trait by two samples with an unrelated question (logit, linear)"
            ),
            type=items,
        ),
        Option(
            "--random",
            "COLUMN",
            help=(
                "column of groups (interviewers, schools) with a normal random intercept: a mixed model (logit, "
                "probit, ordinal); the last coefficient is its standard deviation"
            ),
        ),
        Option(
            "--model",
            help="model of the true answer",
            choices=("logit", "probit", "linear", "ordinal-logit", "ordinal-probit", "multinomial"),
            default="logit",
        ),
        Option(
            "--method",
            help="ml: maximum likelihood; corrected: the convex corrected loss (logit, multinomial)",
            choices=("ml", "corrected"),
            default="ml",
        ),
        Option(
            "--categories",
            "A,B,..",
            help=(
                "responses as they are written in DATA, in the order of the mechanism, for example no,yes "
                "(default: 0,1,...); of two responses the second is modelled"
            ),
            type=names,
            repeated=True,
        ),
        options.WEIGHTS,
        options.STRATA,
        options.CLUSTERS,
        options.FPC,
        options.POST_STRATA,
        options.SINGLE_PSU,
        options.REPLICATES,
        Option(
            "--standard-errors",
            "KIND",
            help=(
                "observed, expected, outer-product or sandwich. For a complex survey: design, or shrunk, which "
                "also shrinks the noise of the device by the finite population correction, as R does (default: "
                "observed; sandwich if there is no likelihood; design for a complex survey). design:expected and "
                "shrunk:expected take the expected information matrix in place of the observed one, as svyglm in R"
            ),
        ),
        Flag("--margins", help="also print average marginal effects"),
        Option(
            "--by",
            "COLUMN",
            help=(
                "also print the mean predicted prevalence in each level of this factor; with --json, `rropt plot "
                "groups` draws it"
            ),
            dest="prevalence_by",
        ),
        Option(
            "--predict",
            "FILE",
            help="also print the predicted probabilities of the true answer for the rows of this file",
            type=InputFile,
        ),
        Option("--starts", "N", help="number of starts of the search for the maximum", type=whole(1, 10000)),
        Option("--seed", "N", help="seed of the random starts", type=whole(0), default="0"),
        options.CONFIDENCE,
        options.EXACT,
        options.JSON,
    ),
)


def _read_data(args: argparse.Namespace) -> None:
    """Read DATA by the reader that takes them, with what a survey declares of the response of the formula."""
    from rropt.regression.formula_texts import parse

    response, reader = parse(args.formula).response, table_reader()
    read_devices(args)
    is_read = read_by_other(args)
    words = [] if is_read else args.data or []
    word = words[0] if len(words) == 1 and not os.path.lexists(words[0]) else None
    if word is not None and normal(word) == response:  # the question, as other commands name it
        args.data = word = None
    if word is not None and reader.declared_question(args, word, or_else=True) is not None:
        raise InvalidParameterError(
            f"the response of the formula is another one than the question: received {shown(response)} and "
            f"{shown(word)}; leave the question out, or name it in both places"
        )
    asked = reader.declared_question(args, response) if args.survey is not None or not args.data else None
    if asked is not None:  # what a survey declares of the response of the formula
        reader.fill(args, *asked)
    if not is_read:
        reader.read_data(args)


def run(args: argparse.Namespace) -> int:
    """Fit the model and print the fit."""
    _read_data(args)
    reader = table_reader()
    if args.data is None:
        raise InvalidParameterError("a regression has no data: give DATA, or declare a survey (rropt survey)")
    args.standard_errors, mark, args.information = (args.standard_errors or "").partition(":")
    args.standard_errors, args.information = args.standard_errors or None, args.information or "observed"
    if all(getattr(args, key) is None for key in ("weights", "strata", "clusters", "fpc", "post_strata")):
        why = "only the errors of a complex survey have a choice"
        refuse_given(args.typed, why, "single_psu", *["standard_errors"] * bool(mark))
    is_linear = args.model == "linear" and not args.covariate
    if is_linear or args.method == "corrected":
        what = "a linear model" if is_linear else "the corrected loss"
        refuse_given(args.typed, f"{what} has no search", "starts", "seed")
    covariates = {}
    for text in args.covariate:
        name, mark, device = (part.strip() for part in text.partition("="))
        if not mark or not name or not device:
            raise InvalidParameterError(
                f"--covariate is not COLUMN=MECHANISM: received {shown(text)}; write bribe=warner:3/4"
            )
        covariates[name] = mechanism_of_part(args, device)
    found = reader.regress(args, covariates)
    beside: dict[str, Any] = {}
    tables: list[Any] = []
    if args.margins:
        effects = found.margeff()
        beside["marginal_effects"] = effects.to_dict()
        tables += [effects.first_table(len(effects))] if len(effects) else []
        tables += [("", None, [("effects", text)]) for text in effects.remarks()]
        if not len(effects) and not effects.remarks():
            print_note("rropt: there are no marginal effects: the formula has no variable")
    if args.prevalence_by is not None:
        groups = found.prevalence(args.prevalence_by)
        beside["prevalence"] = groups.to_dict()
        tables.append(groups.first_table(len(groups)))
    if args.json and (predicted := found.predicted()):
        beside["predicted"] = [one.to_dict() for one in predicted]
    if args.predict is not None:
        new: dict[str, Any] = found.predict(reader.covariates(args, found), interval=True)
        beside["predictions"] = {name: np.where(np.isfinite(x), x, np.array(None)).tolist() for name, x in new.items()}
        tables.append(found.predictions_table(new))
    print_result(args, found, tables=tables, reading=found.fit.reading, **beside)
    return 0
