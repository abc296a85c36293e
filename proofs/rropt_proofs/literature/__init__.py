"""Theorems of the field beyond the five papers: each in our own words, with its citation and its number."""

from rropt.claims import Paper

PAPER = Paper(
    id="literature",
    name="the literature",
    title="Theorems of the field, in our own words",
    conventions=(
        ("Sentences", "The printed sentence is a restatement, not a quotation; `source` has the citation."),
        ("gamma", "gamma = exp(epsilon), above 1 unless an entry says otherwise; s = exp(epsilon/2)."),
        ("Mechanisms", "A row has the chances of one report under each input; a column sums to 1."),
        ("Numbers", "A number of a respondent is x in [-1, 1]; a report is a number whose mean is x."),
    ),
)
