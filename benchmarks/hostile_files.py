"""Files of up to 16 MiB made to be slow, one for every data structure that the checker builds and kind of number.

    python benchmarks/hostile_files.py [PATTERN]     # processor seconds and memory of `python -m rropt.checker FILE`

The structures stand in `hostile_structures.py` and `hostile_expressions.py`. Every file has the shape of its rule, so
that it is refused as late as possible, and is as long as the limits on bytes and tokens allow. Numbers are short ones,
all distinct; denominators 3 + i (2^61 - 1), which have one hash; fractions of 300 and of 20 000 digits; and one
denominator for all. Exit status 1 if a file is accepted, or takes more than ten seconds of processor time or 2 GB.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hostile_expressions as expressions
import hostile_structures as structures
from hostile_structures import TOKENS, Number

BYTES = 16 * 1024 * 1024
SECONDS, MEBIBYTES = 10.0, 2000.0

PARTS = (
    structures.programs,
    structures.designs,
    structures.excesses,
    structures.levels,
    structures.criteria,
    structures.orders,
    structures.mechanisms,
    structures.binaries,
    structures.rays,
    structures.surveys,
    structures.splits,
    expressions.trees,
    expressions.inequalities,
    expressions.covers,
)
NUMBERS: dict[str, tuple[Number, int]] = {  # the i-th number, and characters of one
    "short": (lambda i: f"1/{i + 2}", 8),
    "colliding": (lambda i: f"1/{3 + i * (2**61 - 1)}", 28),
    "300 digits": (lambda i: f"1/1{'0' * 290}{2 * i + 1:08d}", 302),
    "20 000 digits": (lambda i: f"1/1{'0' * 19_980}{2 * i + 1:08d}", 19_992),
    "one denominator": (lambda i: f"{2 * i + 1}/{2**200}", 70),
    "whole": (lambda i: str(i + 2), 7),
}


def room(length: int) -> int:
    """Return how many numbers of this length a file has room for."""
    return min(BYTES // (length + 4), TOKENS // 3) * 9 // 10


def texts() -> Iterator[tuple[str, bytes]]:
    """Iterate over texts that are no certificates."""
    for unit in ("[]", '""', '"\\u0041"', "[" * 31 + "]" * 31, '{"a":"1"}', '"k"'):
        body = ",".join(
            [unit] * min(BYTES // (len(unit) + 1) - 10, TOKENS // (sum(map(unit.count, '",[{\\')) + 1) - 10)
        )
        yield f"a list of {unit[:12]}", f"[{body}]".encode()
    keys = ",".join(f'"{i:x}":""' for i in range(TOKENS // 5 - 10))
    yield "keys", f"{{{keys}}}".encode()
    yield "one string", b'"' + b"a" * (BYTES - 2) + b'"'
    yield "blanks", b" " * BYTES
    yield "brackets", b"[" * (TOKENS - 10)


def files() -> Iterator[tuple[str, bytes]]:
    yield from texts()
    for kind, (number, length) in NUMBERS.items():
        for part in PARTS:
            for name, data in part(number, room(length)):
                yield f"{name}; {kind}", json.dumps(data, separators=(",", ":")).encode()


def judged(path: Path) -> tuple[str, float, float]:
    """Return the verdict, processor seconds and mebibytes of a process of its own."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([sys.executable, "-m", "rropt.checker", str(path)], stdout=said, stderr=said)
        _, _, usage = os.wait4(process.pid, 0)
        said.seek(0)
        text = said.read().decode().strip().rpartition(".json: ")[2]
    return text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main(pattern: str = "") -> int:
    sys.set_int_max_str_digits(100_000)  # for the numbers of the files; the checker has its own limit
    bad, rows = 0, []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.json"
        for name, data in files():
            if pattern not in name:
                continue
            path.write_bytes(data)
            verdict, seconds, mebibytes = judged(path)
            rows.append((seconds, mebibytes, name, len(data), verdict))
            failed = not verdict.startswith("rejected") or seconds > SECONDS or mebibytes > MEBIBYTES
            bad += failed
            if failed or pattern:
                cost = f"{len(data)} bytes, {seconds:.2f} s, {mebibytes:.0f} MiB"
                print(f"{'BAD ' if failed else ''}{name}: {cost}, {verdict[:90]}")
    print(f"{len(rows)} files, {bad} bad; the slowest and the largest:")
    for seconds, mebibytes, name, size, verdict in sorted(rows, reverse=True)[:12]:
        print(f"{seconds:6.2f} s {mebibytes:6.0f} MiB {size / 2**20:5.1f} MiB  {name}: {verdict[:80]}")
    print(f"most memory: {max(row[1] for row in rows):.0f} MiB")
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
