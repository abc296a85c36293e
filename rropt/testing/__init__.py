"""One contract for every design: problems with known optima, and a suite that ways, objectives and regions must pass.

A *row* is a question with a known optimum and the source of this optimum. A *property* is what every result must
satisfy: its bracket contains the optimum, the checker accepts its certificate, and so on. ``cases`` lists the pairs of
rows and properties for pytest; ``judge`` runs them without pytest. See docs/howto/test-a-design.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.testing.contract import ContractRow as ContractRow
    from rropt.testing.contract import DesignRow as DesignRow
    from rropt.testing.contract import ResultRow as ResultRow
    from rropt.testing.contract import enclosed as enclosed
    from rropt.testing.failures import BrokenContract as BrokenContract
    from rropt.testing.failures import NotApplicable as NotApplicable
    from rropt.testing.optima import known_optima as known_optima
    from rropt.testing.properties import PROPERTIES as PROPERTIES
    from rropt.testing.suite import ContractCase as ContractCase
    from rropt.testing.suite import Judged as Judged
    from rropt.testing.suite import cases as cases
    from rropt.testing.suite import judge as judge

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
