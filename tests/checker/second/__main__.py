"""``python -m second FILE...`` from ``tests/checker``: the second checker, as a command for the conformance suite."""

import sys
from pathlib import Path

from .verdict import judge

sys.set_int_max_str_digits(20_100)  # it knows no limits; the suite has numbers of 20 000 digits

for path in sys.argv[1:]:
    reason = judge(Path(path).read_bytes())
    print(f"{path}: accepted" if reason is None else f"{path}: rejected: {ascii(reason)[1:-1]}")
