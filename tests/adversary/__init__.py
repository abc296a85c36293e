"""The adversary of the checker: forged, built, stored and hostile files, and oracles that share no code with it.

* ``stored.py`` reads the files that are data: vectors, the boundary suite, ``cases.jsonl``, ``built.jsonl``;
* ``forger.py`` makes files with false claims of every statement from accepted ones, and changes their proofs;
* ``boundary/oracle.py`` decides small claims of all statements; ``splits.py``, ``shuffled.py``, ``divergences.py``,
  ``estimates.py``, ``blocks.py`` are definitions in fractions;
* ``fuzz/`` has what parity bounds need, and drops or weakens one condition of the checker at a time;
* ``hostile.py`` writes files that are made to crash or to hang a reader; ``asking.py`` puts a document to the checker
  and holds the answer against what every answer must be.
"""
