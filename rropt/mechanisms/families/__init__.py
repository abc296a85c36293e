"""Families of mechanisms for any number of categories, given by formulas: block designs and bit vectors."""

from __future__ import annotations

from rropt.mechanisms.families.affine import Affine, AffineClasses
from rropt.mechanisms.families.blocks import MAX_CATEGORIES, AllSubsets, Blocks, Direct
from rropt.mechanisms.families.cyclic import Cyclic
from rropt.mechanisms.families.memberships import (
    BitVectorMechanism,
    BlockMechanism,
    MembershipMechanism,
    as_memberships,
    uniform_bound,
)
from rropt.mechanisms.families.primes import next_prime
from rropt.mechanisms.families.projective import Projective
from rropt.mechanisms.families.revealed import RevealedBlocks

__all__ = [
    "MAX_CATEGORIES",
    "Affine",
    "AffineClasses",
    "AllSubsets",
    "BitVectorMechanism",
    "BlockMechanism",
    "Blocks",
    "Cyclic",
    "Direct",
    "MembershipMechanism",
    "Projective",
    "RevealedBlocks",
    "as_memberships",
    "next_prime",
    "uniform_bound",
]
