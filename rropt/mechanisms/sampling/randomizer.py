"""``Randomizer``: a mechanism prepared for sampling, for one answer or for arrays of answers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.random_numbers import RandomSource, generator_of
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.sampling.block_samplers import BitVectorSampler, BlockSampler
from rropt.mechanisms.sampling.inversion import ByteSource, Integers
from rropt.mechanisms.sampling.samplers import ProductSampler, sampler_of

# Answers that are processed at once: the arrays of a block stay in the cache, and memory does not grow with n.
_BLOCK = 1 << 17
_CELLS = 1 << 22  # entries of a matrix of bits that is built at a time
_WORD = 1 << 63  # categories and responses are 64-bit integers below this bound


class Randomizer:
    """A mechanism prepared for exact sampling (local randomizer): ``Pr(Z = i | X = j) = p_ij`` exactly.

    The preparation treats all columns alike, independently of later answers. It costs O(m k) exact integer operations,
    once. A product needs those of its factors, and orbits need O(1) for each value of their representatives.

    Args:
        mechanism: any mechanism; its entries are rational numbers of any size.

    The object stores no answer and no randomness between calls, so it can be shared by threads and survives a fork.

    >>> from rropt.mechanisms import named_mechanism
    >>> warner = Randomizer(named_mechanism("warner:3/4"))
    >>> warner.randomize(1) in (0, 1), warner.randomize_many([0, 1, 1, 0]).shape
    (True, (4,))
    """

    __slots__ = ("_inputs", "_mechanism", "_sampler")

    def __init__(self, mechanism: Mechanism) -> None:
        if not isinstance(mechanism, Mechanism):
            raise InvalidParameterError(
                f"mechanism is not a Mechanism: received an object of type {type(mechanism).__name__}; "
                "give rropt.Mechanism(matrix) or rropt.Mechanism(...)"
            )
        self._mechanism, self._inputs = mechanism, mechanism.inputs
        self._sampler = sampler_of(mechanism)

    @property
    def _outputs(self) -> int:
        """m; for sets it may have thousands of digits, so it is computed only where it is needed."""
        return self._mechanism.outputs

    def randomize(self, answer: int) -> int:
        """Return one randomized response, drawn with the operating system's randomness.

        Args:
            answer: the true category j, an integer 0..k-1.

        Returns:
            i in 0..m-1 with probability exactly p_ij.

        Raises:
            InvalidParameterError: the answer is not an integer, or is out of range; the message does not repeat it.

        Every byte is followed in all k columns until all are decided (``__init__`` of this package explains why). The
        cost per answer is about log_256(m k) + 1 bytes, each with O(k log m) integer operations: 5 to 10 microseconds
        at m = k = 3, 15 to 30 at 10, half a millisecond at 100.
        """
        if isinstance(answer, bool) or not isinstance(answer, (int, np.integer)):
            given: object = answer
            if isinstance(given, (list, tuple, np.ndarray)):
                raise InvalidParameterError(
                    "the answer is not one integer: received several; write mechanism.randomize(answers)"
                )
            raise self._refusal("the answer is not an integer", f"received an object of type {type(answer).__name__}")
        if not 0 <= answer < self._inputs:
            raise self._refusal("the answer is out of range", "its value is not repeated here")
        return self._sampler.one(int(answer), os.urandom)

    def randomize_many(self, answers: ArrayLike) -> Integers:
        """Return independently randomized responses, drawn with the operating system's randomness.

        Args:
            answers: true categories 0..k-1, integers, of any shape. Remove missing answers first.

        Returns:
            An array of the same shape. Its integer type is that of the answers if it can represent 0..m-1, else int64,
            or Python's integers beyond it. Each response has exactly the distribution of the mechanism's column.

        Raises:
            InvalidParameterError: the answers are not integers, or one is out of range. The message names its position
                but does not repeat it.

        The cost per answer is one or two random bytes and one table lookup, 4 to 15 ns in total. With many cuts (more
        than some hundred outputs or inputs) it is 5 bytes and log2(m) comparisons, 30 to 100 ns; k-ary randomized
        response, and every circulant matrix, stays at 15 ns. Subsets and bit vectors take O(d) and O(k) operations
        (``bulk_draws``). Memory: the result and some megabytes; tables of at most 48 MB stay with this object.
        """
        return self._many(answers, os.urandom)

    def simulate_many(self, answers: ArrayLike, *, rng: RandomSource = None) -> Integers:
        """Return simulated randomized responses that can be repeated from a seed: NOT FOR REAL ANSWERS.

        The distribution is exactly that of ``randomize_many``, but anyone who knows or guesses the seed can undo the
        randomization. Use it for simulation, teaching and tests only. The same seed gives the same output with the same
        versions of rropt and NumPy.

        Args:
            answers: as in ``randomize_many``.
            rng: a seed (an integer >= 0), or a NumPy ``Generator``, which is the source of random bytes; ``None``: a
                new seed in each call.

        >>> from rropt.mechanisms import named_mechanism
        >>> Randomizer(named_mechanism("warner:3/4")).simulate_many([1] * 8, rng=1)
        array([1, 1, 0, 1, 1, 1, 0, 1])
        """
        return self._many(answers, generator_of(rng).bytes)

    def randomize_questions(self, answers: ArrayLike) -> Integers:
        """Return randomized responses to the questions of a product, one column for each, for any number of questions.

        Args:
            answers: true categories, integers of shape (rows, questions), column l in 0..k_l - 1.

        Returns:
            An array of the same shape; every row has exactly the distribution of the product.

        Raises:
            InvalidParameterError: the mechanism is not a product, the shape is wrong, or as in ``randomize_many``.

        >>> from rropt.mechanisms import ProductMechanism, named_mechanism
        >>> bits = Randomizer(ProductMechanism([named_mechanism("warner:3/4")] * 70))
        >>> bits.randomize_questions([[0] * 70, [1] * 70]).shape
        (2, 70)
        """
        return self._questions(answers, os.urandom)

    def simulate_questions(self, answers: ArrayLike, *, rng: RandomSource = None) -> Integers:
        """Return simulated responses to the questions of a product, which can be repeated: NOT FOR REAL ANSWERS.

        Args:
            answers: as in ``randomize_questions``.
            rng: as in ``simulate_many``.

        >>> from rropt.mechanisms import ProductMechanism, named_mechanism
        >>> bits = Randomizer(ProductMechanism([named_mechanism("warner:3/4")] * 70))
        >>> bits.simulate_questions([[0] * 70, [1] * 70], rng=1).sum(axis=1)
        array([15, 49])
        """
        return self._questions(answers, generator_of(rng).bytes)

    def _questions(self, answers: ArrayLike, source: ByteSource) -> Integers:
        sampler = self._sampler
        if not isinstance(sampler, ProductSampler):
            raise InvalidParameterError(
                f"the mechanism asks one question: received one of shape ({self._outputs}, {self._inputs}) that is not "
                "a ProductMechanism; use randomize_many"
            )
        categories = self._categories(answers, max(sampler.inputs))
        n = len(sampler.samplers)
        if categories.ndim != 2 or categories.shape[1] != n:
            raise InvalidParameterError(
                f"the answers do not fit the questions: received shape {categories.shape}; allowed is (rows, {n})"
            )
        for question, k in enumerate(sampler.inputs):
            if categories.size and categories[:, question].max() >= k:
                raise self._refusal(f"an answer to question {question} is out of range", "its value is not repeated", k)
        return self._sampled_by_blocks(categories, max(sampler.outputs) - 1, sampler.draw_questions, source)

    def randomize_sets(self, answers: ArrayLike) -> Iterator[NDArray[np.bool_]]:
        """Yield responses that are sets (subsets, blocks or bit vectors) as matrices of bits, shape (rows, k).

        Args:
            answers: true categories, integers 0..k-1, a vector of length n.

        Yields:
            Matrices with about 4 million bits each and n rows in total; memory does not grow with n.

        Raises:
            InvalidParameterError: the responses of the mechanism are not sets, or as in ``randomize_many``.

        >>> from rropt.mechanisms import named_mechanism
        >>> [rows.sum(axis=1) for rows in Randomizer(named_mechanism("fano:3")).randomize_sets([0, 4, 4])]
        [array([3, 3, 3])]
        """
        return self._sets(answers, os.urandom)

    def simulate_sets(self, answers: ArrayLike, *, rng: RandomSource = None) -> Iterator[NDArray[np.bool_]]:
        """Yield simulated responses that are sets, as ``randomize_sets``, which can be repeated: NOT FOR REAL ANSWERS.

        Args:
            answers: as in ``randomize_sets``.
            rng: as in ``simulate_many``.
        """
        return self._sets(answers, generator_of(rng).bytes)

    def _sets(self, answers: ArrayLike, source: ByteSource) -> Iterator[NDArray[np.bool_]]:
        sampler = self._sampler
        if not isinstance(sampler, (BlockSampler, BitVectorSampler)):
            raise InvalidParameterError(
                f"the responses are not sets: received {self._mechanism!r}; allowed are block designs and bit vectors; "
                "use randomize_many"
            )
        categories, step = self._categories(answers, self._inputs).reshape(-1), max(_CELLS // self._inputs, 1)
        return (sampler.sets(categories[begin : begin + step], source) for begin in range(0, len(categories), step))

    def __repr__(self) -> str:
        return f"<Randomizer of shape ({', '.join(self._mechanism.shape_texts)})>"

    def _many(self, answers: ArrayLike, source: ByteSource) -> Integers:
        if max(self._inputs, self._outputs) > _WORD and isinstance(self._sampler, ProductSampler):
            raise UnsupportedProblemError(
                "the answers have too many values for an array of integers: received a mechanism of shape "
                f"({self._outputs}, {self._inputs}); use randomize, or randomize_questions for a product"
            )
        categories = self._categories(answers, self._inputs)
        drawn = self._sampled_by_blocks(categories.reshape(-1), self._outputs - 1, self._sampler.draw, source)
        return drawn.reshape(categories.shape)

    def _sampled_by_blocks(
        self,
        categories: Integers,
        largest: int,
        draw: Callable[[Integers, ByteSource, Integers], None],
        source: ByteSource,
    ) -> Integers:
        """Return an array of the answers' shape, sampled block by block, of their type if it can hold ``largest``."""
        fits = largest <= np.iinfo(categories.dtype).max
        wide = np.int64 if largest < _WORD else object
        outputs: Integers = np.empty(categories.shape, categories.dtype if fits else wide)
        for begin in range(0, len(categories), _BLOCK):
            block = slice(begin, begin + _BLOCK)
            draw(categories[block], source, outputs[block])
        return outputs

    def _categories(self, answers: ArrayLike, inputs: int) -> Integers:
        """Return the answers as an array of integers 0..k-1, without a copy if possible."""
        try:
            array = np.asarray(answers)
        except (ValueError, TypeError):  # NumPy's own message might repeat an answer
            raise self._refusal("the answers are not an array", "received rows of different lengths") from None
        if array.size == 0:
            return array.astype(array.dtype if array.dtype.kind in "iu" else np.int64)
        if array.dtype.kind not in "iu":
            raise self._refusal("the answers are not integers", f"received values of type {array.dtype}")
        if np.ma.is_masked(answers):
            raise self._refusal("some answers are missing", "received a masked array")
        if array.min() < 0 or array.max() >= inputs:
            position = int(np.flatnonzero((array < 0) | (array >= inputs))[0])
            wrong = f"the answer at position {position} is out of range"
            raise self._refusal(wrong, "its value is not repeated here", inputs)
        return array

    def _refusal(self, wrong: str, received: str, inputs: int | None = None) -> InvalidParameterError:
        most = (self._inputs if inputs is None else inputs) - 1
        return InvalidParameterError(
            f"{wrong}: {received}; allowed are the categories 0..{most} as integers; number them so"
        )
