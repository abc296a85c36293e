"""The boundary suite (``rropt/checker/conformance/``) as data, the oracle of its claims, and what it must try."""
