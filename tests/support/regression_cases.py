"""Regressions of every model: rows drawn by seeds, and the options of each fit; ``frozen.json`` has their figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

FORCED = "forced:2/3,1/6,1/6"
BINARY = {
    "forced:2/3,1/6,1/6": (1 / 6, 2 / 3),
    "warner:3/4": (1 / 4, 1 / 2),
    "crosswise:1/4": (3 / 4, -1 / 2),
    "warner:3/5": (2 / 5, 1 / 5),
    "direct": (0.0, 1.0),
}
DESIGNS: dict[str, dict[str, Any]] = {
    "weights": {"weights": "w"},
    "strata": {"weights": "w", "strata": "h"},
    "clusters": {"weights": "w", "strata": "h", "clusters": "c"},
    "fpc": {"weights": "w", "strata": "h", "clusters": "c", "fpc": "N"},
    "shrunk": {"weights": "w", "strata": "h", "clusters": "c", "fpc": "N", "standard_errors": "shrunk"},
    "stages": {"weights": "w", "strata": "h", "clusters": "c", "fpc": ("N", "M")},
    "expected": {"weights": "w", "strata": "h", "clusters": "c", "information": "expected"},
}


def binary(
    seed: int, n: int, device: str | None, intercept: float = -1.0, slope: float = 1.0, probit: bool = False
) -> dict[str, Any]:
    """Return rows of a yes-or-no question; without a device each row has its own."""
    random = np.random.default_rng(seed)
    x = np.round(random.normal(size=n), 2)
    g = random.integers(0, 3, n)
    noise = random.normal(size=n) if probit else random.logistic(size=n)
    truth = intercept + slope * x + 0.5 * (g == 1) + noise > 0
    which = random.integers(0, 3, n)
    names = (
        np.array([FORCED, "crosswise:1/4", "direct"], object)[which] if device is None else np.full(n, device, object)
    )
    c, d = (np.array([BINARY[name][i] for name in names]) for i in (0, 1))
    h = np.arange(n) * 4 // n
    return {
        "z": (random.random(n) < c + d * truth).astype(int),
        "x": x,
        "g": np.array(["a", "b", "c"], object)[g],
        "device": names,
        "big": 1e6 + 1e4 * x,
        "half": np.where(x > 0, "p", "q").astype(object),
        "w": np.round(random.uniform(0.5, 3, n), 2),
        "h": h,
        "c": np.arange(n) // 8,
        "N": np.bincount(h, minlength=4)[h] // 8 * 4 + 4,
        "M": np.full(n, 20),
        "u": np.round(random.uniform(1, 5, n), 2),
    }


def ordered(seed: int, n: int, k: int, kept: float) -> dict[str, Any]:
    """Return rows of a question with k ordered categories; the true one is reported with chance kept, or another."""
    random = np.random.default_rng(seed)
    x = np.round(random.normal(size=n), 2)
    truth = np.digitize(x + random.logistic(size=n), np.linspace(-1, 1, k - 1))
    other = (truth + random.integers(1, k, n)) % k
    rows = {
        "z": np.where(random.random(n) < kept, truth, other),
        "x": x,
        "g": np.array(["a", "b"], object)[random.integers(0, 2, n)],
    }
    return rows | {"w": np.round(random.uniform(0.5, 3, n), 2), "c": np.arange(n) // 10}


def covariate(seed: int, n: int, device: str) -> dict[str, Any]:
    """Return rows of an outcome on a covariate that is itself a randomized response."""
    random = np.random.default_rng(seed)
    age = np.round(random.normal(size=n), 2)
    x = random.random(n) < 1 / (1 + np.exp(0.5 - 0.5 * age))
    y = random.random(n) < 1 / (1 + np.exp(0.5 - x + 0.3 * age))
    c, d = BINARY[device]
    forced = np.where(random.random(n) < 2 / 3, y, random.random(n) < 0.5)
    return {
        "vote": y.astype(int),
        "tax": (random.random(n) < c + d * x).astype(int),
        "age": age,
        "hidden": forced.astype(int),
        "income": np.round(2 + 1.5 * x - age + random.normal(0, 0.7, n), 3),
        "w": np.round(random.uniform(0.5, 3, n), 2),
        "c": np.arange(n) // 10,
    }


Fit = tuple[str, dict[str, Any], dict[str, Any]]


def fit(name: str, rows: dict[str, Any], formula: str = "z ~ x", **options: Any) -> Fit:
    """Return the name, the rows and the arguments of a fit."""
    return name, rows, {"formula": formula, **options}


def cases() -> Iterator[Fit]:
    """Yield every fit."""
    formulas = ["z ~ x", "z ~ x + g", "z ~ x * half", "z ~ big + C(g, Treatment('b'))", "z ~ 0 + g + I(x**2)"]
    each = {"devices": "device"}
    direct = {"mechanism": "generalised:1,1"}
    seed = 0
    for model in ("logit", "probit", "linear"):
        for device in (FORCED, "warner:3/4", "crosswise:1/4", "direct"):
            for formula in formulas[: 5 if device == FORCED else 3]:
                seed += 1
                own = each if device == "direct" else {"mechanism": device}
                rows = binary(seed, 700, device, probit=model == "probit")
                yield fit(f"{model} {device} {formula}", rows, formula, model=model, **own)
        for n in (60, 300):
            seed += 1
            yield fit(f"{model} several devices, n = {n}", binary(seed, n, None), "z ~ x + g", model=model, **each)
        for design, own in DESIGNS.items():
            seed += 1
            yield fit(f"{model} {design}", binary(seed, 400, None), "z ~ x + g", model=model, **each, **own)
        yield fit(f"{model} saturated", binary(seed, 900, FORCED), "z ~ g", model=model, mechanism=FORCED)
        yield fit(f"{model} intercept", binary(seed, 900, FORCED), "z ~ 1", model=model, mechanism=FORCED)
        yield fit(f"{model} twenty rows", binary(seed, 20, "direct", 0.0, 0.5), model=model, **each)
    for seed in range(101, 108):
        rows = binary(seed, 600, FORCED)
        yield fit(f"corrected {seed}", rows, formulas[seed % 5], method="corrected", mechanism=FORCED)
    for seed in range(201, 213):
        for model in ("logit", "probit"):
            rows = binary(seed, 500, "warner:3/5", (-3.0, -1.0)[seed % 2])
            yield fit(f"weak device, {model} {seed}", rows, model=model, mechanism="warner:3/5")
    for seed in range(301, 307):
        k, device, kept = ((3, "grr:3,4/5", 0.8), (4, "grr:4,3/4", 0.75))[seed % 2]
        rows = ordered(seed, 800, k, kept)
        for model in ("ordinal-logit", "ordinal-probit", "multinomial"):
            formula = ("z ~ x", "z ~ x + g", "z ~ x * g")[seed % 3]
            yield fit(f"{model} {seed}", rows, formula, model=model, mechanism=device)
        name = f"multinomial corrected {seed}"
        yield fit(name, rows, model="multinomial", method="corrected", mechanism=device)
    three = {"mechanism": "grr:3,4/5"}
    for model in ("ordinal-logit", "multinomial"):
        yield fit(f"{model} clusters", ordered(9, 800, 3, 0.8), model=model, **three, weights="w", clusters="c")
    for seed in range(401, 405):
        for model in ("logit", "probit", "linear"):
            device = ("warner:3/4", FORCED)[seed % 2]
            response = "income" if model == "linear" else ("vote", "hidden")[seed // 2 % 2]
            own = {"mechanism": FORCED} if response == "hidden" else {}
            own |= {"weights": "w", "clusters": "c"} if seed == 404 else {}
            rows, formula = covariate(seed, 900, device), f"{response} ~ tax + age"
            yield fit(f"covariate {model} {seed}", rows, formula, model=model, covariates={"tax": device}, **own)
    for name, yes in {"below": 10, "at": 16, "above": 17}.items():
        z = np.concatenate([np.repeat([1, 0], [yes, 96 - yes]), np.repeat([1, 0], [40, 56])])
        rows = {"z": z, "g": np.repeat(["a", "b"], 96).astype(object)}
        for model in ("logit", "probit", "linear"):
            yield fit(f"a group {name} the device, {model}", rows, "z ~ g", model=model, mechanism=FORCED)
        yield fit(f"a group {name} the device, corrected", rows, "z ~ g", method="corrected", mechanism=FORCED)
    x = np.linspace(-1, 1, 40)
    for model in ("logit", "probit"):
        separated = (x > 0.1).astype(int)
        yield fit(f"separation, {model}", {"z": separated, "x": x}, model=model, **direct)
        quasi = {"z": np.where(np.arange(40) == 22, 0, separated), "x": np.where(x > 0.1, 1.0, 0.0)}
        yield fit(f"quasi-separation, {model}", quasi, model=model, **direct)
        yield fit(f"all yes, {model}", {"z": np.ones(40, int), "x": x}, model=model, mechanism=FORCED)
    parted = {"z": np.digitize(x, [-0.3, 0.3]), "x": x}
    yield fit("ordinal separation", parted, model="ordinal-logit", mechanism="grr:3,1")
    yield fit("multinomial separation", parted, model="multinomial", mechanism="grr:3,1")
    rows = ordered(5, 300, 3, 0.8)
    two = {"z": rows["z"] % 2, "x": rows["x"]}
    yield fit("multinomial, a category never reported", two, model="multinomial", **three)
    rows = binary(77, 100, FORCED)
    yield fit("collinear", {**rows, "v": 2 * rows["x"] + 1}, "z ~ x + v", mechanism=FORCED)
    yield fit("doubled intercept", {**rows, "v": np.ones(100)}, "z ~ x + v", mechanism=FORCED)
    few = {name: column[:2] for name, column in rows.items()}
    yield fit("fewer rows than columns", few, "z ~ x + u + big", mechanism=FORCED)
