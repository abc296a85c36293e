"""Privacy criteria: limits on the posterior probabilities that a response may lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.privacy.criteria.named_criteria import Criterion as Criterion
    from rropt.privacy.criteria.named_criteria import bayes_factor as bayes_factor
    from rropt.privacy.criteria.named_criteria import beta_factor as beta_factor
    from rropt.privacy.criteria.named_criteria import canonical_information_privacy as canonical_information_privacy
    from rropt.privacy.criteria.named_criteria import differential_local_privacy as differential_local_privacy
    from rropt.privacy.criteria.named_criteria import given_criterion as given_criterion
    from rropt.privacy.criteria.named_criteria import information_privacy as information_privacy
    from rropt.privacy.criteria.named_criteria import rho_to_rho as rho_to_rho

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
