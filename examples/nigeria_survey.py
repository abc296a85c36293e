"""The Nigeria survey: contact with armed groups, asked with a die.

Blair, Imai and Zhou (2015), data set `nigeria` of the R package rr: forced response by a die (truth with probability
2/3, forced yes 1/6, forced no 1/6); 2435 answers, 831 of them yes.

Prints the privacy of the die, the estimate with its margins, the same estimate from the responses of single
respondents, the certified optimal design at the same epsilon, posed again in SymPy and in CVXPY, what another device of
the same epsilon would have cost, and the checker's verdict on the certificate. It needs no extra.
"""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
from pathlib import Path

import rropt

YES, N = 831, 2435  # Blair, Imai and Zhou (2015)
HARMLESS = "1/4"  # prevalence of the harmless attribute of the device it is compared with


def main() -> None:
    die = rropt.Mechanism("forced:2/3,1/6,1/6")
    print(f"The die\n{die}\n")

    survey = rropt.estimate([N - YES, YES], die)
    print(f"The estimate from {YES} of {N} answers")
    print(f"  prevalence       {survey.estimate} ~ {float(survey.estimate):.9f}")
    print(f"  standard error   {survey.se:.6f}")
    for kind in ("exact", "normal"):
        low, high = map(float, survey.conf_int(kind=kind)[0])
        print(f"  95 % interval    {low:.4f} to {high:.4f}, margin {(high - low) / 2:.4f} ({kind})")
    print()

    responses = ["yes"] * YES + ["no"] * (N - YES)  # published are the counts: the order is ours
    respondents = rropt.Responses(responses, die, labels=["no", "yes"]).proportions()
    print("The estimate from the responses of single respondents")
    print(f"  responses        {respondents.nobs}")
    print(f"  prevalence       {respondents.estimate} ~ {float(respondents.estimate):.9f}")
    same = "the same" if respondents.estimate == survey.estimate else "another"
    print(f"  it is            {same} as from the counts\n")

    solution = rropt.design.binary(survey.estimate, epsilon=die.epsilon)
    print(f"The best binary design with epsilon = {die.epsilon}, at this prevalence\n{solution}")
    same = "the die itself: nothing to save" if solution.optima == (die,) else "another design"
    print(f"  it is {same}\n")

    other = rropt.Mechanism.unrelated(piB=HARMLESS, epsilon=die.epsilon)
    ratio = other.n_var(survey.estimate) / solution.value
    needed = math.ceil(N * ratio)
    print(f"An unrelated question of the same epsilon\n{other}")
    print(f"  n Var is {float(ratio):.5f} times that of the die")
    print(f"  {needed} respondents for the same precision: {needed - N} more\n")

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "nigeria.json"
        solution.certificate.save(file)
        command = [sys.executable, "-m", "rropt.checker", file.name]
        verdict = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    print(f"The independent checker on the certificate\n  {verdict}", end="")


if __name__ == "__main__":
    main()
