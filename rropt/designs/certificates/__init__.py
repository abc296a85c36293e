"""Write the certificates of designs, with the witness of each rule (specification: checker/FORMAT.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.designs.certificates.binary import binary_problem as binary_problem
    from rropt.designs.certificates.binary import certified_levels as certified_levels
    from rropt.designs.certificates.binary import certify_binary_bracket as certify_binary_bracket
    from rropt.designs.certificates.binary import certify_bits as certify_bits
    from rropt.designs.certificates.linear_designs import certify_design as certify_design
    from rropt.designs.certificates.linear_designs import certify_infeasible_design as certify_infeasible_design

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
