"""Respondents who do not follow the device: sharp bounds, breakdown points, and tests of behavioural models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.noncompliance.behaviour_models import Behaviour as Behaviour
    from rropt.noncompliance.behaviour_models import Population as Population
    from rropt.noncompliance.behaviour_models import Sample as Sample
    from rropt.noncompliance.behaviour_models import behaviours as behaviours
    from rropt.noncompliance.bounds import Bounds as Bounds
    from rropt.noncompliance.bounds import SharpInterval as SharpInterval
    from rropt.noncompliance.bounds import prevalence_bounds as prevalence_bounds
    from rropt.noncompliance.breakdown import Breakdown as Breakdown
    from rropt.noncompliance.breakdown import Reconciliation as Reconciliation
    from rropt.noncompliance.breakdown import breakdown_by_size as breakdown_by_size
    from rropt.noncompliance.breakdown import breakdown_point as breakdown_point
    from rropt.noncompliance.breakdown import least_noncompliers as least_noncompliers
    from rropt.noncompliance.identified import TypeShares as TypeShares
    from rropt.noncompliance.identified import identified_shares as identified_shares
    from rropt.noncompliance.population_program import Attained as Attained
    from rropt.noncompliance.reported_bounds import noncompliance_bounds as noncompliance_bounds
    from rropt.noncompliance.widths import WidthDesign as WidthDesign
    from rropt.noncompliance.widths import design_noncompliance as design_noncompliance

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
