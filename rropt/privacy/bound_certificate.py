"""Certificates of the infimum B(h) of a privacy criterion: cells that cover (0, 1) (checker/parity_bound)."""

from __future__ import annotations

from fractions import Fraction

from rropt.core.certificates.record import Certificate
from rropt.core.errors import CertificateError
from rropt.privacy.bound import ParityBound
from rropt.privacy.bound.cell_searches import UnprovedError
from rropt.privacy.bound.covers import criterion_problem, find_cover
from rropt.privacy.bound.largest_parity import criterion_pieces
from rropt.privacy.criteria import Criterion
from rropt.privacy.criterion_region import criterion_level
from rropt.privacy.region import RationalLevel, RationalLevels


def infimum_certificate(criterion: Criterion, bound: ParityBound) -> Certificate:
    """Certify B(h); the certificate is accepted by the checker.

    The claim is ``lower <= B(h) <= upper`` (``"infinite"`` if B(h) is infinite), whether the infimum is attained, and
    where. A rational B(h) at a rational place is claimed exactly, any other with bounds whose relative distance is at
    most 1e-12. Sometimes attainment cannot be proved by cells, for example at an irrational endpoint that does not
    belong to its piece. Then it is left open (``attained`` null).

    Args:
        criterion: any criterion of ``rropt.privacy.criteria``.
        bound: its bound, from ``parity_bound``.

    Raises:
        CertificateError: no cover was found.

    >>> from rropt.privacy.criteria import rho_to_rho
    >>> from rropt.privacy.bound import parity_bound
    >>> criterion = rho_to_rho("1/5", "1/2")
    >>> certificate = infimum_certificate(criterion, parity_bound(criterion))
    >>> print(certificate.claim["lower"], float(certificate.claim["lower"]), bool(certificate.check()))
    4 4.0 True

    Source: Chai and Nayak (2018), (3.3) and Theorem 3.1.
    """
    known = bound.cover if bound.criterion == criterion and bound.cover and bound.cover.problem else None
    try:
        cover = known or find_cover(criterion_problem(criterion_pieces(criterion)), bound.places)
    except UnprovedError:
        raise CertificateError(
            f"no certificate of B(h) was found: received {criterion}, {bound}; the checker covers functions whose odds "
            "ratio keeps away from the bound except at finitely many places; cut the function with piecewise, or do "
            "without a certificate"
        ) from None
    ends = dict.fromkeys(("lower", "upper"), "infinite") if cover.bounds is None else cover.bounds.written()
    claim = {**ends, "attained": cover.attained, "at": cover.at}
    return Certificate.state("parity-bound", cover.problem, claim, cover.proof).require_accepted()


def levels_around_infimum(criterion: Criterion) -> RationalLevels:
    """Return rational levels around B(h) of a criterion, as close as its certificate proves, with this proof.

    Raises:
        InvalidParameterError: B(h) is infinite.
        CertificateError: no cover was found.
    """
    level = criterion_level(criterion)
    proved = infimum_certificate(criterion, level.bound)
    lower, upper = (Fraction(proved.claim[end]) for end in ("lower", "upper"))
    gamma, above, zero = level.epsilon.gamma or lower, level.gamma_above or upper, Fraction(0)
    ends = RationalLevel(min(gamma, lower), zero), RationalLevel(max(above, upper), zero)
    return RationalLevels.single(*ends, {"claim": proved.claim, "proof": proved.proof})
