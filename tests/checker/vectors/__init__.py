"""Certificates with verdicts, for other checkers; see README.md."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def vectors(rule: str) -> Iterator[dict[str, Any]]:
    """Iterate over the vectors of a rule; each has its ``text`` as well."""
    with (FOLDER / f"{rule}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            vector = json.loads(line)
            yield {"text": json.dumps(vector.get("certificate")), **vector}
