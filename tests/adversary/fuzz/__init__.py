"""The fuzzer of parity bounds, by cells and by whole files, and weakened checkers.

* ``cells.py``, ``covers.py``, ``degenerate_covers.py`` and ``criteria.py`` draw statements about cells and claims about
  criteria, with their truth by mpmath; ``version_2.py`` asks them of the checker;
* ``dropped.py`` drops each condition of the checker in turn, ``weakened.py`` weakens one step in a copy of it.
"""
