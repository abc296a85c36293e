"""The constructors of named designs: ``Mechanism.grr(12, epsilon=1)``, ``Mechanism.forced("2/3", "1/6", "1/6")``.

The texts of the designs, with the domains of their parameters, are in ``named/named.toml`` (``rropt design list``).
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

from rropt.core.argument_checks import clear_calls


class NamedDesigns:
    """The named designs of the literature as constructors of ``Mechanism``.

    A parameter is a number or its text, such as ``"3/4"``, and may be given by its name. ``epsilon`` is the level in
    place of the probability that follows from it: ``rropt.mechanisms.named.at_levels`` has the formulas, and
    parameters
    are rounded towards privacy.

    Raises:
        InvalidParameterError: a parameter is missing or outside its domain, or both the level and a parameter that
            follows from it are given.
    """

    _of_name: ClassVar[Any]  # set by `named`, in a higher layer

    @classmethod
    def _by_symbol(cls, design: str, parameters: dict[str, object], epsilon: object = None) -> Any:
        return cls._of_name(design, (), {name: x for name, x in parameters.items() if x is not None}, epsilon)

    @classmethod
    @clear_calls
    def warner(cls, p: object = None, *, epsilon: object = None) -> Self:
        """Warner (related question, symmetric randomized response).

        The exact level is epsilon = abs(log(p/(1-p))). Source: Warner 1965; Holohan, Leith and Mason 2016,
        section II-D.

        Args:
            p: probability of the sensitive statement rather than its opposite.
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"p": p}
        made: Self = cls._by_symbol("warner", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def generalised(cls, p00: object = None, p11: object = None) -> Self:
        """Generalised binary design (binary channel; direct questioning is 1,1).

        The exact level is epsilon = log(max(p00/(1-p11), p11/(1-p00), (1-p11)/p00, (1-p00)/p11)). Source:
        Holohan, Leith and Mason 2016, equation (2).

        Args:
            p00: probability of response 0 when the truth is 0.
            p11: probability of response 1 when the truth is 1.
        """
        parameters = {"p00": p00, "p11": p11}
        made: Self = cls._by_symbol("generalised", parameters)
        return made

    @classmethod
    @clear_calls
    def forced(cls, t: object = None, y: object = None, n: object = None, *, epsilon: object = None) -> Self:
        """Forced response (directed response, Boruch).

        The exact level is epsilon = log(1 + t/min(y, n)). Source: Boruch 1971; Blair, Imai and Zhou 2015.

        Args:
            t: probability of answering truthfully.
            y: probability of a forced yes.
            n: probability of a forced no.
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"t": t, "y": y, "n": n}
        made: Self = cls._by_symbol("forced", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def unrelated(cls, p: object = None, piB: object = None, *, epsilon: object = None) -> Self:
        """Unrelated question with known prevalence (Simmons, Greenberg, U-model).

        The exact level is epsilon = log(1 + p/((1-p)*min(piB, 1-piB))). Source: Greenberg, Abul-Ela, Simmons
        and Horvitz 1969.

        Args:
            p: probability of the sensitive question.
            piB: known prevalence of the innocuous attribute.
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"p": p, "piB": piB}
        made: Self = cls._by_symbol("unrelated", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def crosswise(cls, p: object = None, *, epsilon: object = None) -> Self:
        """Crosswise (non-randomized Warner).

        The exact level is epsilon = abs(log(p/(1-p))). Source: Yu, Tian and Tang 2008.

        Args:
            p: known prevalence of the harmless attribute.
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"p": p}
        made: Self = cls._by_symbol("crosswise", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def triangular(cls, p: object = None) -> Self:
        """Triangular (non-randomized, with a harmless question).

        The exact level is epsilon = inf for p < 1 (both answers no: certainly without the attribute); delta =
        1 - p at every epsilon. Source: Yu, Tian and Tang 2008.

        Args:
            p: known prevalence of the harmless attribute.
        """
        parameters = {"p": p}
        made: Self = cls._by_symbol("triangular", parameters)
        return made

    @classmethod
    @clear_calls
    def mangat(cls, p: object = None) -> Self:
        """Mangat (1994, one stage).

        The exact level is epsilon = inf for p > 0 (a no is certainly true); delta = p at every epsilon.
        Source: Mangat 1994.

        Args:
            p: probability of the sensitive statement on Warner's device.
        """
        parameters = {"p": p}
        made: Self = cls._by_symbol("mangat", parameters)
        return made

    @classmethod
    @clear_calls
    def mangat_singh(cls, T: object = None, p: object = None, *, epsilon: object = None) -> Self:
        """Mangat-Singh (1990, two stages).

        The exact level is epsilon = abs(log(q/(1-q))) with q = T + (1-T)*p. Source: Mangat and Singh 1990.

        Args:
            T: probability of answering truthfully at the first stage.
            p: probability of the sensitive statement on Warner's device at the second.
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"T": T, "p": p}
        made: Self = cls._by_symbol("mangat-singh", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def kuk(cls, theta1: object = None, theta0: object = None, r: object = None, *, epsilon: object = None) -> Self:
        """Kuk (r draws, r+1 outputs).

        The exact level is epsilon = r*log(max(a/b, b/a, (1-a)/(1-b), (1-b)/(1-a))) with a = theta1, b =
        theta0. Source: Kuk 1990.

        Args:
            theta1: proportion of red cards in the deck of those with the attribute.
            theta0: proportion of red cards in the other deck.
            r: number of draws.
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"theta1": theta1, "theta0": theta0, "r": r}
        made: Self = cls._by_symbol("kuk", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def christofides(cls, *p: object) -> Self:
        """Christofides (cards 1 to L; L = 2 is Warner).

        The exact level is epsilon = log(max(p_(L+1-k)/p_k)) over k = 1 to L; infinite if one proportion is 0
        and its opposite is positive. Source: Christofides 2003; Sun, Zhou and Yan 2023, algorithms 3 and 4.

        Args:
            p: the proportions of cards 1, 2, ..., L, with sum 1.
        """
        made: Self = cls._of_name("christofides", p, {})
        return made

    @classmethod
    @clear_calls
    def thresholds(cls, L: object = None, H: object = None, p: object = None, *, epsilon: object = None) -> Self:
        """Threshold cards for a score (unbiased reports of a number).

        The exact level is epsilon = log(p/(1-p)). Source: docs/explanation/numbers.md.

        Args:
            L: least score.
            H: largest score.
            p: probability of a true answer.
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"L": L, "H": H, "p": p}
        made: Self = cls._by_symbol("thresholds", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def grr(cls, k: object = None, p: object = None, *, epsilon: object = None) -> Self:
        """k-ary randomized response (GRR, direct encoding, gamma-diagonal).

        The exact level is epsilon = abs(log(p (k-1)/(1-p))). Source: Warner 1965 (k = 2); Agrawal, Haritsa
        and Prakash 2009; Chai and Nayak 2018, Theorem 4.4.

        Args:
            k: number of categories, or a list of their names.
            p: probability of the true category.
            epsilon: the level in place of the parameters that follow from it.

        >>> from rropt import Mechanism
        >>> Mechanism.grr(["no", "once", "often"], epsilon=1).categories
        ('no', 'once', 'often')
        """
        names = k if isinstance(k, list | tuple) else ()
        parameters = {"k": len(names) if names else k, "p": p}
        made: Self = cls._by_symbol("grr", parameters, epsilon)
        return made.labelled(names, names) if names else made  # type: ignore[attr-defined]

    @classmethod
    @clear_calls
    def subset(cls, k: object = None, d: object = None, p: object = None, *, epsilon: object = None) -> Self:
        """Subset selection (d-subset mechanism, Ye and Barg, Wang et al.).

        The exact level is epsilon = abs(log(p (k-d)/((1-p) d))). Source: Ye and Barg 2018; Wang et al. 2016.

        Args:
            k: number of categories.
            d: size of the subsets; at a level by default the best one at equal proportions.
            p: probability that the subset contains the true category.
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"k": k, "d": d, "p": p}
        made: Self = cls._by_symbol("subset", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def unary(cls, k: object = None, p: object = None, q: object = None, *, epsilon: object = None) -> Self:
        """Unary encoding (RAPPOR's bits, SUE with q = 1 - p, OUE with p = 1/2).

        The exact level is epsilon = abs(log(p (1-q)/((1-p) q))). Source: Erlingsson, Pihur and Korolova 2014;
        Wang, Blocki, Li and Jha 2017.

        Args:
            k: number of categories.
            p: probability that the bit of the true category is reported as 1.
            q: probability that the bit of another category is reported as 1.
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"k": k, "p": p, "q": q}
        made: Self = cls._by_symbol("unary", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def rappor(
        cls, f: object = None, p: object = None, q: object = None, N: object = None, *, epsilon: object = None
    ) -> Self:
        """RAPPOR's bit (permanent and instantaneous randomized response), with N reports.

        The exact level is epsilon = log(max(u(q, p), u(1-p, 1-q))), u(x, y) = ((1-f/2) x^N + f/2 y^N)/(f/2
        x^N + (1-f/2) y^N), for q >= p. Source: Erlingsson, Pihur and Korolova 2014.

        Args:
            f: probability that the stored bit is a fair coin instead of the true bit.
            p: probability that a report is 1 if the stored bit is 0 (default 0).
            q: probability that a report is 1 if the stored bit is 1 (default 1).
            N: number of reports of the stored bit.
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"f": f, "p": p, "q": q, "N": N}
        made: Self = cls._by_symbol("rappor", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def oue(cls, k: object = None, g: object = None, *, epsilon: object = None) -> Self:
        """Optimized unary encoding (OUE).

        The exact level is epsilon = log(g). Source: Wang, Blocki, Li and Jha 2017.

        Args:
            k: number of categories.
            g: privacy level gamma = exp(epsilon).
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"k": k, "g": g}
        made: Self = cls._by_symbol("oue", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def sue(cls, k: object = None, p: object = None, *, epsilon: object = None) -> Self:
        """Symmetric unary encoding (SUE, basic one-time RAPPOR).

        The exact level is epsilon = 2 log(p/(1-p)). Source: Erlingsson, Pihur and Korolova 2014.

        Args:
            k: number of categories.
            p: probability that a bit is reported unchanged.
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"k": k, "p": p}
        made: Self = cls._by_symbol("sue", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def olh(cls, k: object = None, g: object = None, q: object = None, *, epsilon: object = None) -> Self:
        """Optimal local hashing (OLH) with pairwise independent hashes x -> a.x + b.

        The exact level is epsilon = log(g). Source: Bassily and Smith 2015; Wang, Blocki, Li and Jha 2017.

        Args:
            k: number of categories.
            g: privacy level gamma = exp(epsilon).
            q: number of hash values (default: near g + 1).
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"k": k, "g": g, "q": q}
        made: Self = cls._by_symbol("olh", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def hadamard(cls, k: object = None, g: object = None, *, epsilon: object = None) -> Self:
        """Hadamard response.

        The exact level is epsilon = log(g). Source: Acharya, Sun and Zhang 2019.

        Args:
            k: number of categories.
            g: privacy level gamma = exp(epsilon).
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"k": k, "g": g}
        made: Self = cls._by_symbol("hadamard", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def pgr(cls, k: object = None, g: object = None, q: object = None, *, epsilon: object = None) -> Self:
        """Projective geometry response (PGR).

        The exact level is epsilon = log(g). Source: Feldman, Nelson, Nguyen and Talwar 2022.

        Args:
            k: number of categories.
            g: privacy level gamma = exp(epsilon).
            q: order of the field (default: near g + 1).
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"k": k, "g": g, "q": q}
        made: Self = cls._by_symbol("pgr", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def projective(
        cls,
        k: object = None,
        q: object = None,
        t: object = None,
        c: object = None,
        g: object = None,
        *,
        epsilon: object = None,
    ) -> Self:
        """Projective design: hyperplanes of PG(t-1, q), or their complements.

        The exact level is epsilon = log(g). Source: Bose 1939; Feldman, Nelson, Nguyen and Talwar 2022.

        Args:
            k: number of categories.
            q: order of the field.
            t: dimension of the vectors.
            c: 1 for the complements of hyperplanes, else 0.
            g: privacy level gamma = exp(epsilon).
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"k": k, "q": q, "t": t, "c": c, "g": g}
        made: Self = cls._by_symbol("projective", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def affine(
        cls,
        k: object = None,
        q: object = None,
        s: object = None,
        g: object = None,
        t: object = None,
        *,
        epsilon: object = None,
    ) -> Self:
        """Affine design: blocks {x: a.x + b in {0, ..., s-1}} over GF(q)^t.

        The exact level is epsilon = log(g). Source: docs/howto/many-categories.md.

        Args:
            k: number of categories.
            q: order of the field.
            s: number of values of a block.
            g: privacy level gamma = exp(epsilon).
            t: dimension of the vectors (default 1).
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"k": k, "q": q, "s": s, "g": g, "t": t}
        made: Self = cls._by_symbol("affine", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def affine_classes(
        cls,
        k: object = None,
        q: object = None,
        e: object = None,
        j: object = None,
        z: object = None,
        g: object = None,
        *,
        epsilon: object = None,
    ) -> Self:
        """Affine design by classes: blocks {x: theta^i (x + w) in T}, T a union of cosets of the e-th powers.

        The exact level is epsilon = log(g). Source: docs/howto/many-categories.md.

        Args:
            k: number of categories.
            q: order of the field.
            e: index of the powers, a divisor of q - 1.
            j: number of cosets in T.
            z: 1 if T contains 0, else 0.
            g: privacy level gamma = exp(epsilon).
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"k": k, "q": q, "e": e, "j": j, "z": z, "g": g}
        made: Self = cls._by_symbol("affine-classes", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def singer(
        cls, q: object = None, t: object = None, g: object = None, k: object = None, *, epsilon: object = None
    ) -> Self:
        """Singer difference set: translates of a hyperplane of PG(t-1, q).

        The exact level is epsilon = log(g). Source: Singer 1938.

        Args:
            q: order of the field.
            t: dimension of the vectors.
            g: privacy level gamma = exp(epsilon).
            k: number of categories (default: all points).
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"q": q, "t": t, "g": g, "k": k}
        made: Self = cls._by_symbol("singer", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def paley(cls, q: object = None, g: object = None, k: object = None, *, epsilon: object = None) -> Self:
        """Paley difference set: translates of the squares modulo a prime q = 3 mod 4.

        The exact level is epsilon = log(g). Source: Paley 1933.

        Args:
            q: order of the field.
            g: privacy level gamma = exp(epsilon).
            k: number of categories (default: q).
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"q": q, "g": g, "k": k}
        made: Self = cls._by_symbol("paley", parameters, epsilon)
        return made

    @classmethod
    @clear_calls
    def fano(cls, g: object = None, *, epsilon: object = None) -> Self:
        """Fano plane: 7 categories, 7 blocks of 3.

        The exact level is epsilon = log(g). Source: Fano 1892.

        Args:
            g: privacy level gamma = exp(epsilon).
            epsilon: the level in place of the parameters that follow from it.
        """
        parameters = {"g": g}
        made: Self = cls._by_symbol("fano", parameters, epsilon)
        return made
