"""The words that readers type into the search of the site, and the page that comes first for each.

``staging.py`` writes them as main index entries, which Sphinx's search ranks above titles and text.
"""

from __future__ import annotations

import re

from blocks import FENCE

_WORDS = {
    "tutorials/index.md": "tutorial, tutorials, getting started, introduction, first steps, notebooks",
    "tutorials/privacy-engineer.md": "repair, numpy",
    "tutorials/survey-statistician.md": "r code, from r",
    "tutorials/student.md": (
        "randomized response, sensitive question, sensitive questions, student, teaching, exercise, why does "
        "randomized response work, randomized response work, how does randomized response, teach, lecture"
    ),
    "howto/install.md": (
        "install, installation, installing, extras, pip, requirements, setup, rroptr, r package, windows, macos, "
        "linux, license, uninstall, python version"
    ),
    "howto/choose-a-design.md": (
        "unknown prevalence, guess of, design, optimal design, dice, cards, coins, binary, which design, coin flip, "
        "die, spinner, multiple questions, several questions, budget allocation, several sensitive questions, optimal "
        "mechanism, best design, best mechanism, which device, device, many questions, smallest variance, bits, choose "
        "p, choose the probability, which p"
    ),
    "howto/design-for-k-categories.md": (
        "categories, k categories, a-optimal, d-optimal, e-optimal, c-optimal, mutual information, limits, contrast, "
        "k-ary randomized response, grr, ordered categories, likert, multiple choice, more than two, a-optimality, "
        "d-optimality, e-optimality, expected loss"
    ),
    "howto/extend.md": "add a region, own region, register a way, own way, add a way, researcher, plugin",
    "howto/number-of-respondents.md": (
        "survey of, allocation, stratified sample allocation, sample size, sample sizes, number of respondents, how "
        "many respondents, how many people, minimum sample size, power, margin, margin of error, plan, finite "
        "population, minimax, significance, population size, minimum detectable, minimum detectable effect, prevalence "
        "zero, zero prevalence, how large, large a sample, sample do i need, precision, how many participants, how "
        "many subjects, cost of privacy, price of privacy, enough respondents, prevalence is zero, minimum sample, "
        "confidence level"
    ),
    "howto/compare-two-designs.md": (
        "compare, comparison, warner, crosswise, unrelated question, efficiency, compare designs, comparing designs, "
        "mangat, kuk, christofides, simmons, greenberg, classical designs, crosswise or, warner or, which is better, "
        "better than warner, difference between crosswise, difference between warner"
    ),
    "howto/instructions-and-ethics-page.md": (
        "instructions, sheet, ethics, irb, consent, interviewer, questionnaire, deck of cards, language, ethics "
        "committee, print cards, protocol, birthday, web questionnaire, web survey, german, deal, deal cards, online "
        "survey, qualtrics, limesurvey, explain to respondents, print, leaflet, informed consent, website, web page, "
        "browser, answers in the browser"
    ),
    "howto/explorer.md": "explorer, sliders, interactive",
    "howto/estimate-a-file.md": (
        "read the output, error, column, table, tables, data, missing, missing values, missing responses, missing "
        "answers, non-response, nonresponse, item nonresponse, estimate, refused to answer, dropout, negative "
        "estimate, negative, negative prevalence, estimate below zero, refusal, refusals, skipped, response rate, "
        "compute the estimate, estimate the prevalence, estimate the proportion, pandas"
    ),
    "howto/estimate-by-group.md": (
        "estimate by region, groups, p-value, hypothesis test, test, difference of groups, two groups, compare "
        "groups, compare two groups, subgroup, by region, difference between, barnard"
    ),
    "howto/estimate-with-weights.md": (
        "bootstrap, jackknife, weights, weight, weighting, weighted, sampling weights, stratum, survey weights, "
        "strata, clusters, fpc, post-stratification, stratified sampling, cluster sampling, complex survey, "
        "svydesign, total, totals, lonely psu, single psu, census, raking, standard errors with, standard error "
        "with, r package survey, domain, finite population correction, number of people"
    ),
    "howto/several-devices.md": (
        "joint distribution, two questions, cross tabulation, cross table, crosstab, split ballot, two samples"
    ),
    "howto/select-and-recode.md": "recode, filter rows, subset, age bands, where",
    "howto/randomize-a-file.md": (
        "randomize a file, randomize answers, randomize data, random numbers, random number generator"
    ),
    "reference/reading-files.md": (
        "separator, csv, excel, parquet, sqlite, spark, duckdb, stata, spss, large files, read a file, decimal comma"
    ),
    "reference/intervals.md": (
        "tilde, decimal places, confidence intervals, intervals, likelihood, maximum likelihood, bonferroni, "
        "score, wilson, clopper-pearson, normal interval, wald, degrees of freedom"
    ),
    "reference/kept-columns.md": "keep a column, kept columns, reveals the answer",
    "howto/declare-a-survey.md": "declare, declare a survey, survey file, results over time, toml, survey.toml",
    "howto/regression.md": (
        "odds ratio confidence, random effects, mixed model, interaction, regression, logit, logistic regression, "
        "covariates, odds ratio, odds ratios, logistic, multinomial, ordinal, probit, marginal effects, weighted "
        "regression, svyglm, weights in regression, weights in a regression"
    ),
    "howto/noncompliance.md": (
        "non-compliance, noncompliance, non-compliers, cheating, cheaters, lying, lie detector, attention check, lie, "
        "liars, respondents who lie, do not trust, protocol violation, follow the rules, self-protection, attention, "
        "ignore the device, ignored the die, said no although, dishonest, dishonest answers"
    ),
    "howto/pram.md": (
        "pram, transition, microdata, sdcmicro, post-randomization, release microdata, data release, data masking, "
        "disclosure control"
    ),
    "howto/audit-a-black-box.md": (
        "audit, black box, e-value, audit my implementation, code correct, auditing, test an implementation, test my "
        "implementation, lower bound on epsilon, empirical epsilon, lower bound of epsilon"
    ),
    "howto/check-a-certificate.md": (
        "certificate check, check offline, check, check a certificate, verify certificate, verify a certificate, check "
        "certificate, verify the certificate, without installing, checking a certificate, in the browser"
    ),
    "howto/verify-a-claim.md": (
        "paper correct, formula correct, verify, claim, claims, verify a paper, check a paper, error in a paper, "
        "theorem of a paper"
    ),
    "howto/sweep-on-a-cluster.md": "sweep, grid, dask, cluster computing, parallel, on a cluster, many settings",
    "howto/many-categories.md": (
        "telemetry, hadamard, million categories, many categories, olh, oue, millions, frequency oracle, local "
        "hashing, unary encoding, large domain, bits per, output bits, communication"
    ),
    "howto/export-a-client.md": (
        "client, c client, python client, javascript client, test vectors, export client, server, servers, many "
        "servers, aggregate, count reports, heavy hitters"
    ),
    "explanation/privacy-levels.md": (
        "between epsilon and gamma, epsilon, privacy level, privacy, privacy budget, budget, renyi, zcdp, gaussian, "
        "local differential privacy, which epsilon, posterior, choose epsilon, what is epsilon, privacy loss, prior, "
        "bayes, bayesian, differential privacy, rho1, beta factor, epsilon should i choose, good epsilon, what does "
        "epsilon mean, how private, mechanism private, ldp, bayes theorem, privacy guarantee, posterior probability, "
        "data protection, gdpr"
    ),
    "explanation/threat-models.md": (
        "asked twice, privacy budget over, composition, compose, shuffle, shuffling, longitudinal, panel, memo, "
        "laplace, curator, threat model, adversary, noise, histogram, trusted curator, who sees, who is trusted, "
        "shuffler, over time, repeated, repeated surveys, many waves, waves, shuffle model, composition theorem, "
        "several responses, laplace mechanism, central model, sensitivity of, over waves, be identified, anonymous, "
        "anonymity, questions together"
    ),
    "explanation/certificates.md": (
        "prove optimality, optimality, certificate, proof, trust, proof of optimality, why trust, is it optimal, "
        "design optimal, really optimal, trust the solver, proof that"
    ),
    "explanation/exact-numbers.md": (
        "exact numbers, fractions, rounding, floating point, bracket, gap, irrational, precision of numbers"
    ),
    "explanation/blackwell-order.md": "blackwell, admissible, garbling, sufficiency, dominate, dominates",
    "explanation/staircase-and-rays.md": "staircase, staircase mechanism, rays, orbits, duality, dual",
    "explanation/parity-bound.md": "b(h), bound on beliefs, rho1-to-rho2, privacy criterion",
    "explanation/breach-regions.md": "breach, privacy breach, breach region",
    "explanation/restricted-properties.md": "property, properties, only some properties, one-sided privacy",
    "explanation/open-problems.md": "open problem, open problems, conjecture, conjectures, unsolved",
    "explanation/proved.md": "proved, verdict, evidence, label, labels",
    "howto/add-a-claim.md": "add a claim, card, conjecture, prove a theorem",
    "howto/add-an-objective.md": "add an objective, objective class",
    "howto/own-objectives.md": "own objective, custom objective, own formula, expression, cramer-rao bound",
    "howto/own-regions.md": "own region, linear inequalities, maximal leakage, pointwise leakage, own privacy",
    "reference/json.md": "json, file formats",
    "reference/gallery.md": "rappor, apple, chrome, gallery, microsoft, prio, deployed systems, google",
    "reference/python.md": "python, api, import rropt, python example, example in python",
    "reference/commands-by-example.md": "decimal comma, semicolon, commands, command line, examples",
    "reference/commands/index.md": "options, exit status, internal error, help, error message, error messages",
    "reference/commands/plot.md": "plot, plots, graph, chart, picture, pictures, figure, heat map, matplotlib",
    "reference/commands/report.md": "report, latex table, latex, markdown, pdf, in latex, to latex, export to word",
    "reference/changelog.md": "changes, versions, upgrade, release notes",
    "reference/security.md": "security, vulnerability",
    "glossary.md": (
        "is a mechanism, parity, odds, variance, standard error, confidence interval, coverage, design effect, "
        "prevalence, gamma, delta, forced response, bias, unbiased estimate, proportion, share, crosswise model"
    ),
    "bibliography.md": "bibliography, references, papers, literature, cite, citation",
    "developers/contributing.md": "contributing, add a device, add a command",
    "developers/kernels.md": "checker, javascript checker",
    "developers/coq.md": "coq, in coq",
    "developers/architecture.md": "architecture, developers, modules",
    "reference/commands/randomize.md": "seed, simulation, simulate, reproducible",
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
