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


def cases() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield the name, the rows and the arguments of each fit."""
    formulas = ["z ~ x", "z ~ x + g", "z ~ x * half", "z ~ big + C(g, Treatment('b'))", "z ~ 0 + g + I(x**2)"]
    seed = 0
    for model in ("logit", "probit", "linear"):
        for device in (FORCED, "warner:3/4", "crosswise:1/4", "direct"):
            for formula in formulas[: 5 if device == FORCED else 3]:
                seed += 1
                own = {"devices": "device"} if device == "direct" else {"mechanism": device}
                yield (
                    f"{model} {device} {formula}",
                    binary(seed, 700, device, probit=model == "probit"),
                    {"formula": formula, "model": model, **own},
                )
        for n in (60, 300):
            seed += 1
            yield (
                f"{model} several devices, n = {n}",
                binary(seed, n, None),
                {"formula": "z ~ x + g", "model": model, "devices": "device"},
            )
        for design, own in DESIGNS.items():
            seed += 1
            yield (
                f"{model} {design}",
                binary(seed, 400, None),
                {"formula": "z ~ x + g", "model": model, "devices": "device", **own},
            )
        yield f"{model} saturated", binary(seed, 900, FORCED), {"formula": "z ~ g", "model": model, "mechanism": FORCED}
        yield f"{model} intercept", binary(seed, 900, FORCED), {"formula": "z ~ 1", "model": model, "mechanism": FORCED}
        yield (
            f"{model} twenty rows",
            binary(seed, 20, "direct", 0.0, 0.5),
            {"formula": "z ~ x", "model": model, "devices": "device"},
        )
    for seed in range(101, 108):
        yield (
            f"corrected {seed}",
            binary(seed, 600, FORCED),
            {"formula": formulas[seed % 5], "method": "corrected", "mechanism": FORCED},
        )
    for seed in range(201, 213):
        for model in ("logit", "probit"):
            rows = binary(seed, 500, "warner:3/5", (-3.0, -1.0)[seed % 2])
            yield f"weak device, {model} {seed}", rows, {"formula": "z ~ x", "model": model, "mechanism": "warner:3/5"}
    for seed in range(301, 307):
        k, device, kept = ((3, "grr:3,4/5", 0.8), (4, "grr:4,3/4", 0.75))[seed % 2]
        for model in ("ordinal-logit", "ordinal-probit", "multinomial"):
            formula = ("z ~ x", "z ~ x + g", "z ~ x * g")[seed % 3]
            yield (
                f"{model} {seed}",
                ordered(seed, 800, k, kept),
                {"formula": formula, "model": model, "mechanism": device},
            )
        yield (
            f"multinomial corrected {seed}",
            ordered(seed, 800, k, kept),
            {"formula": "z ~ x", "model": "multinomial", "method": "corrected", "mechanism": device},
        )
    for model in ("ordinal-logit", "multinomial"):
        yield (
            f"{model} clusters",
            ordered(9, 800, 3, 0.8),
            {"formula": "z ~ x", "model": model, "mechanism": "grr:3,4/5", "weights": "w", "clusters": "c"},
        )
    for seed in range(401, 405):
        for model in ("logit", "probit", "linear"):
            device = ("warner:3/4", FORCED)[seed % 2]
            response = "income" if model == "linear" else ("vote", "hidden")[seed // 2 % 2]
            own = {"mechanism": FORCED} if response == "hidden" else {}
            more = {"weights": "w", "clusters": "c"} if seed == 404 else {}
            yield (
                f"covariate {model} {seed}",
                covariate(seed, 900, device),
                {"formula": f"{response} ~ tax + age", "model": model, "covariates": {"tax": device}, **own, **more},
            )
    group = np.repeat(["a", "b"], 96).astype(object)
    for name, yes in {"below": 10, "at": 16, "above": 17}.items():
        z = np.concatenate([np.repeat([1, 0], [yes, 96 - yes]), np.repeat([1, 0], [40, 56])])
        for model in ("logit", "probit", "linear"):
            yield (
                f"a group {name} the device, {model}",
                {"z": z, "g": group},
                {"formula": "z ~ g", "model": model, "mechanism": FORCED},
            )
        yield (
            f"a group {name} the device, corrected",
            {"z": z, "g": group},
            {"formula": "z ~ g", "method": "corrected", "mechanism": FORCED},
        )
    x = np.linspace(-1, 1, 40)
    for model in ("logit", "probit"):
        yield (
            f"separation, {model}",
            {"z": (x > 0.1).astype(int), "x": x},
            {"formula": "z ~ x", "model": model, "mechanism": "generalised:1,1"},
        )
        quasi = np.where(np.arange(40) == 22, 0, x > 0.1).astype(int)
        yield (
            f"quasi-separation, {model}",
            {"z": quasi, "x": np.where(x > 0.1, 1.0, 0.0)},
            {"formula": "z ~ x", "model": model, "mechanism": "generalised:1,1"},
        )
        yield (
            f"all yes, {model}",
            {"z": np.ones(40, int), "x": x},
            {"formula": "z ~ x", "model": model, "mechanism": FORCED},
        )
    yield (
        "ordinal separation",
        {"z": np.digitize(x, [-0.3, 0.3]), "x": x},
        {"formula": "z ~ x", "model": "ordinal-logit", "mechanism": "generalised:1,1"} | {"mechanism": "grr:3,1"},
    )
    yield (
        "multinomial separation",
        {"z": np.digitize(x, [-0.3, 0.3]), "x": x},
        {"formula": "z ~ x", "model": "multinomial", "mechanism": "grr:3,1"},
    )
    yield (
        "multinomial, a category never reported",
        {"z": ordered(5, 300, 3, 0.8)["z"] % 2, "x": ordered(5, 300, 3, 0.8)["x"]},
        {"formula": "z ~ x", "model": "multinomial", "mechanism": "grr:3,4/5"},
    )
    rows = binary(77, 100, FORCED)
    yield "collinear", {**rows, "v": 2 * rows["x"] + 1}, {"formula": "z ~ x + v", "mechanism": FORCED}
    yield "doubled intercept", {**rows, "v": np.ones(100)}, {"formula": "z ~ x + v", "mechanism": FORCED}
    yield (
        "fewer rows than columns",
        {name: column[:2] for name, column in rows.items()},
        {"formula": "z ~ x + u + big", "mechanism": FORCED},
    )
