"""Labels that cover nothing: on curves and beside points."""

from __future__ import annotations

from rropt.plots.labels.boxes import path
from rropt.plots.labels.curves import Curve, is_visible, label_curves
from rropt.plots.labels.points import PointLabel, label_points

__all__ = ["Curve", "PointLabel", "is_visible", "label_curves", "label_points", "path"]
