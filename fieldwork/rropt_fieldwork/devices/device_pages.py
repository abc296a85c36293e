"""The page of the best use of a randomizing device: what the page of a design needs to know about it."""

from __future__ import annotations

from rropt.core.exact import both_texts
from rropt.reports.design_pages import DescribedDesign
from rropt.reports.irb_summary import Device
from rropt_fieldwork.devices.device_designs import DeviceDesigns, labels_text
from rropt_fieldwork.devices.randomizing_devices import DO, AddedCards

_LABELS = 16  # outcomes of one use that are written out


def described(found: DeviceDesigns) -> DescribedDesign:
    """Return the best use of a device, described for its page (``rropt.reports.design_page``)."""
    best, optimum = found.best, found.optimum.certificate
    device, rows = _device_at_hand(found), _device_rows(found)
    return DescribedDesign(found, best.mechanism, found.prevalence, device, rows, optimum)


def _device_at_hand(found: DeviceDesigns) -> Device:
    """Return the best use of a randomizing device: the instruction for each group of outcomes."""
    best = found.best
    if isinstance(best, AddedCards):
        shares = [(count / sum(best.cards), card) for card, count in enumerate(best.cards, 1) if count]
        cards = "; ".join(f"{x} of the cards: number {card}" for x, card in shares)
        return Device("deck", f"The deck: {cards}.", best.instruction)
    roles = sorted(((len(labels), role, labels) for role, labels in best.card if labels), key=lambda one: one[0])
    uses = [f"{labels_text(labels, _LABELS)}: {DO[role]}" for _, role, labels in roles]
    if roles[-1][0] > _LABELS:
        uses[-1] = f"any other: {DO[roles[-1][1]]}"
    said = best.instruction.replace("the card says", "the list says")
    name = best.name
    return Device("deck", f"{name[0].upper()}{name[1:]}: {'; '.join(uses)}.", said)


def _device_rows(found: DeviceDesigns) -> list[tuple[str, str]]:
    """Return rows for reviewers: the precision of the device compared with that of all mechanisms."""
    best, truths = found.best, zip(("no", "yes"), found.best.mechanism.columns(), strict=True)
    chances = [(f"answers where {truth} is true", ", ".join(map(str, column))) for truth, column in truths]
    return [
        ("n Var of this device", both_texts(best.value)),
        ("n Var of the best mechanism of all, certified below", both_texts(found.optimum.value)),
        *chances,
    ]
