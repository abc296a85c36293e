"""The adversary of the certificate checker: an oracle, mutants, forgeries and hostile files.

* ``oracle.py`` decides whether the claim of a document is true and well-formed; it shares no code with rropt and uses
  other methods (polygon clipping, ball arithmetic with a zero test) on ``levels.py`` and ``designs.py``;
* ``pool.py`` holds honest certificates, ``mutants.py`` changes one thing in them, ``forgeries.py`` lies consistently;
* ``hostile.py`` writes files that are made to crash or to hang a reader;
* ``asking.py`` puts a document to the checker and holds the answer against what every answer must be.
"""
