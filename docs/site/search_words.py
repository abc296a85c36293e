"""The words that readers type into the search of the site, and the page that comes first for each.

``staging.py`` writes them as main index entries, which Sphinx's search ranks above titles and text.
"""

from __future__ import annotations

import re

from blocks import FENCE

_WORDS = {
    "tutorials/index.md": "tutorial, tutorials, getting started, introduction, first steps, notebooks",
    "tutorials/privacy-engineer.md": "repair, numpy",
    "tutorials/student.md": (
        "randomized response, sensitive question, sensitive questions, student, teaching, exercise"
    ),
    "howto/install.md": (
        "install, installation, installing, extras, pip, requirements, setup, rroptr, r package, windows, "
        "macos, linux, license"
    ),
    "howto/choose-a-design.md": (
        "design, optimal design, dice, cards, coins, binary, which design, coin flip, die, spinner, multiple "
        "questions, several questions, "
        "budget allocation"
    ),
    "howto/design-for-k-categories.md": (
        "categories, k categories, a-optimal, d-optimal, e-optimal, c-optimal, mutual information, limits, contrast"
    ),
    "howto/number-of-respondents.md": (
        "sample size, sample sizes, number of respondents, how many respondents, how many people, minimum "
        "sample size, power, margin, margin of error, plan, finite population, minimax, significance, population size, "
        "minimum detectable, minimum detectable effect, prevalence zero, zero prevalence"
    ),
    "howto/compare-two-designs.md": (
        "compare, comparison, warner, crosswise, unrelated question, efficiency, compare designs, comparing designs, "
        "mangat, kuk, christofides, simmons, greenberg, classical designs"
    ),
    "howto/instructions-and-ethics-page.md": (
        "instructions, sheet, ethics, irb, consent, interviewer, questionnaire, deck of cards, language, "
        "ethics committee, print cards, protocol, "
        "birthday, web questionnaire, web survey, german, deal, deal cards"
    ),
    "howto/explorer.md": "explorer, sliders, interactive",
    "howto/from-a-file-to-a-table.md": (
        "table, tables, data, missing, missing values, missing responses, missing answers, non-response, "
        "nonresponse, item nonresponse, weights, weight, weighting, weighted, sampling weights, stratum, "
        "survey weights, strata, clusters, fpc, post-stratification, estimate, estimate by region, groups, confidence "
        "intervals, intervals, csv, excel, parquet, sqlite, spark, duckdb, p-value, randomize a file, hypothesis test, "
        "stratified sampling, cluster sampling, complex survey, svydesign, stata, spss, refused to answer, "
        "dropout, likelihood, maximum likelihood, test, difference of groups, total, totals, "
        "joint distribution, two questions, bonferroni, holm, barnard, lonely psu, "
        "single psu, census, raking, large files"
    ),
    "howto/declare-a-survey.md": "declare, declare a survey, survey file, results over time, toml, survey.toml",
    "howto/regression.md": (
        "regression, logit, logistic regression, covariates, odds ratio, odds ratios, "
        "logistic, multinomial, ordinal, probit, marginal effects, weighted regression, svyglm"
    ),
    "howto/noncompliance.md": (
        "non-compliance, noncompliance, non-compliers, cheating, cheaters, lying, lie detector, attention check"
    ),
    "howto/pram.md": "pram, microdata, sdcmicro, post-randomization",
    "howto/audit-a-black-box.md": "audit, black box, e-value",
    "howto/check-a-certificate.md": "check, check a certificate, verify certificate, verify a certificate",
    "howto/verify-a-claim.md": "verify, claim, claims",
    "howto/sweep-on-a-cluster.md": "sweep, grid, dask, cluster computing",
    "howto/many-categories.md": (
        "client, telemetry, heavy hitters, hadamard, million categories, many categories, "
        "c client, python client, javascript client, test vectors, olh, oue, millions"
    ),
    "explanation/privacy-levels.md": (
        "epsilon, privacy level, privacy, privacy budget, budget, renyi, zcdp, gaussian, local differential "
        "privacy, which epsilon, posterior, choose epsilon, what is epsilon, privacy loss, prior, bayes, bayesian, "
        "differential privacy, "
        "rho1, beta factor"
    ),
    "explanation/threat-models.md": (
        "composition, compose, shuffle, shuffling, longitudinal, panel, memo, laplace, curator, threat model, "
        "adversary, noise, histogram, trusted curator"
    ),
    "explanation/certificates.md": "certificate, proof, trust",
    "explanation/exact-numbers.md": "exact numbers, fractions, rounding, floating point",
    "explanation/blackwell-order.md": "blackwell, admissible, garbling, sufficiency",
    "reference/json.md": "json, file formats",
    "reference/gallery.md": "rappor, apple, chrome, gallery, microsoft, prio, deployed systems, google",
    "reference/python.md": "python, api, import rropt",
    "reference/commands-by-example.md": "commands, command line, examples",
    "reference/commands/index.md": "options, exit status, help, error message, error messages",
    "reference/commands/plot.md": "plot, plots, graph, chart, picture, pictures, figure, heat map, matplotlib",
    "reference/commands/report.md": "report, latex, markdown, pdf",
    "reference/changelog.md": "changes, versions, upgrade, release notes",
    "reference/security.md": "security, vulnerability",
    "glossary.md": (
        "parity, odds, variance, standard error, confidence interval, coverage, design effect, prevalence, gamma, "
        "delta, forced response, bias, unbiased estimate, proportion, share, crosswise model"
    ),
    "bibliography.md": "bibliography, references, papers, literature, cite, citation",
    "developers/contributing.md": "contributing, add a device, add a command",
    "developers/kernels.md": "checker, javascript checker",
    "developers/coq.md": "coq",
    "developers/architecture.md": "architecture, developers, modules",
}
PAGE_OF = {word.strip(): page for page, words in _WORDS.items() for word in words.split(",")}
"""The page of each word; the reader arrives at the first heading with the word."""


def with_words(page: str, text: str) -> str:
    """Return a page of the site with its words as index entries: at the first heading with the word, or at the top.

    Args:
        page: the path of the page on the site.
        text: of the page, in MyST.
    """
    lines = text.splitlines(keepends=True)
    bare = FENCE.sub(lambda match: re.sub(r"^", " ", match.group(), flags=re.MULTILINE), text).splitlines()
    marks: dict[int, list[str]] = {}
    for word in (word for word, place in PAGE_OF.items() if place == page):
        heading = re.compile(rf"#+ (.*\W)?{re.escape(word)}\b", re.IGNORECASE)
        named = (i for i, line in enumerate(bare) if heading.match(line))
        marks.setdefault(next(named, 0) + 1, []).append(word)
    for at in sorted(marks, reverse=True):
        lines.insert(at, "\n```{index} " + ", ".join(f"! {word}" for word in marks[at]) + "\n```\n\n")
    return "".join(lines)
