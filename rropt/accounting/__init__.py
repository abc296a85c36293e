"""The privacy accountant: composition, shuffling, Renyi divergence and zCDP, repeated reports.

The functions take mechanisms or privacy levels and return the joint privacy of many responses. Every returned number is
exact or comes with proved bounds.
"""

from __future__ import annotations

from rropt.accounting.certificates import certify_on_lattice
from rropt.accounting.composition import Composition, CurvePoint
from rropt.accounting.items import Item
from rropt.accounting.renyi import RenyiPrivacy, renyi_privacy
from rropt.accounting.repeated import (
    Longitudinal,
    MemoisedReports,
    ReportsPoint,
    WaveDesign,
    compose,
    longitudinal,
    wave_designs,
)
from rropt.accounting.shuffling import Shuffle, shuffle
from rropt.accounting.trade_offs import TradeOff, epsilon_of_zcdp, gaussian_delta, trade_off

__all__ = [
    "Composition",
    "CurvePoint",
    "Item",
    "Longitudinal",
    "MemoisedReports",
    "RenyiPrivacy",
    "ReportsPoint",
    "Shuffle",
    "TradeOff",
    "WaveDesign",
    "certify_on_lattice",
    "compose",
    "epsilon_of_zcdp",
    "gaussian_delta",
    "longitudinal",
    "renyi_privacy",
    "shuffle",
    "trade_off",
    "wave_designs",
]
