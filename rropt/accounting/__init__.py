"""The privacy accountant: composition, shuffling, Renyi divergence and zCDP, repeated reports.

The functions take mechanisms or privacy levels and return the joint privacy of many responses. Every returned number is
exact or comes with proved bounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.accounting.accountant import Composition as Composition
    from rropt.accounting.accountant import CurvePoint as CurvePoint
    from rropt.accounting.accountant import compose as compose
    from rropt.accounting.composition_proofs import certify_on_lattice as certify_on_lattice
    from rropt.accounting.decks import DealtDeck as DealtDeck
    from rropt.accounting.items import Item as Item
    from rropt.accounting.question_budgets import EqualQuestionDevices as EqualQuestionDevices
    from rropt.accounting.renyi import RenyiPrivacy as RenyiPrivacy
    from rropt.accounting.renyi import renyi_privacy as renyi_privacy
    from rropt.accounting.repeated import Longitudinal as Longitudinal
    from rropt.accounting.repeated import MemoisedReports as MemoisedReports
    from rropt.accounting.repeated import ReportsPoint as ReportsPoint
    from rropt.accounting.repeated import WaveDesign as WaveDesign
    from rropt.accounting.repeated import panel as panel
    from rropt.accounting.repeated import wave_designs as wave_designs
    from rropt.accounting.shuffling import Shuffle as Shuffle
    from rropt.accounting.shuffling import shuffle as shuffle
    from rropt.accounting.threat_models import RespondentPrivacy as RespondentPrivacy
    from rropt.accounting.threat_models import respondent_privacy as respondent_privacy
    from rropt.accounting.trade_offs import TradeOff as TradeOff
    from rropt.accounting.trade_offs import epsilon_of_zcdp as epsilon_of_zcdp
    from rropt.accounting.trade_offs import gaussian_delta as gaussian_delta
    from rropt.accounting.trade_offs import trade_off as trade_off
    from rropt.accounting.trait_devices import DrawnAnswers as DrawnAnswers

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
