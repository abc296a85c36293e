"""Draws reports of a randomized response mechanism exactly, and estimates from counts of reports.

rropt's page "Ship a client and count its reports" describes it. On the device of a respondent:

    from client import randomize
    # <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
    report = randomize(0)  # a category is an integer from 0 to K - 1, or a name of CATEGORIES
    # <values>
    report = randomize("3")  # the text of a number; the report is one of RESPONSES, the texts of the reported numbers
    # </>

Call it once for each truth, and keep the report: a new draw of the same truth reveals more. As a program:

    test              check the constants by test vectors; print "ok", or what fails (exit status 1)
    # <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
    draw X N          print N reports of category X, an integer from 0 to K - 1 or a name of CATEGORIES
    # <values>
    draw X N          print N reports of the number X, such as 3 or 2.5
    estimate COUNTS   print the estimated mean of the numbers and its standard error, from the counts of all RESPONSES
    # <columns texts questions>
    estimate COUNTS   print estimate and standard error of each category, from the counts of all outputs
    # <direct interval hash classes projective cyclic subset dense bits>
    estimate HITS N   print estimate and standard error of a category that HITS of N reports contain
    # <identified>
    estimate CATEGORY HITS OUTSIDE N   the same, if HITS of N reports equal CATEGORY, and OUTSIDE are outside the set
    # </>
"""

import math
import os
import sys
from collections.abc import Callable

# <data>
IDENTITY = ""
CATEGORIES = ["no"]  # names of the categories 0 to K - 1
RESPONSES = ["no"]  # names of the reports 0 to M - 1
K = 3  # categories
M = 2  # outputs
HEADS = 3  # a report contains the truth with probability HEADS / COIN
COIN = 4
MISS_HEADS = 1  # a report contains another category with probability MISS_HEADS / MISS_COIN
MISS_COIN = 4
REVEAL_HEADS = 1  # the truth is revealed with probability REVEAL_HEADS / REVEAL_COIN
REVEAL_COIN = 4
CHOSEN = 2  # categories in the set
Q = 7  # the field
SPACE = 7
SIZE = 1
PIECE = 2  # bits of a draw among the categories: a word has 64 / PIECE pieces
LAYERS = 1  # fair bits of each category
PATTERN = 1  # how they join to one bit
COMPLEMENT = 0
INDEX = 2
COSETS = 1
ZERO = 0
ROOT = 3
MODULUS = 7
RUNS = [2]  # lengths of runs, alternately inside and outside the set, without the last run
GRID = [0, 1, 2]  # the numbers of the categories, times UNIT
UNIT = 1
ROUNDS = 1  # whether a number between two of the grid is rounded to one of them, at random without bias
DECIMALS = 2  # the most decimals of a number
COLUMNS = [[3, 4], [1, 4], [2, 4]]  # cumulative weights of each category
INPUTS = [2, 2]  # categories of each question
OUTPUTS = [2, 2]  # outputs of each question
PARTS = [[3, 4], [1, 4], [3, 4], [1, 4]]  # cumulative weights of each category of each question
ESTIMATOR = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]
P_CHANCE = 0.75  # a report contains the truth
Q_CHANCE = 0.25  # a report contains another category
SCALE = 0.5  # this and the next three: of the estimate
SHIFT = 0.25
TURN = 0.25
REVEALED = 0.25
VECTORS = [(0, [0], 1, 0)]  # category, words (then zeros), number of words drawn, report
HELD = [(0, 0, 1)]  # report, category, whether the report contains it
ESTIMATES = [([1, 2], [0.5, 0.25])]  # counts, then estimates and standard errors
NUMBERS = ["0", "0.5"]  # of the test vectors, whose categories are places in this list
REFUSED_NUMBERS = [""]
REFUSED = [-1, 3]  # categories
REFUSED_REPORTS = [-1, 2]
# </data>


def word() -> int:
    """Return 64 random bits."""
    return int.from_bytes(os.urandom(8), "little")


def below(n: int, word: Callable[[], int] = word) -> int:
    """Return a uniform integer below n: a masked word is drawn until it is below n."""
    if n < 1:
        raise ArithmeticError("the constants of this client are damaged")
    mask = (1 << (n - 1).bit_length()) - 1
    while True:
        u = word() & mask
        if u < n:
            return u


# <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
def spoken(category: int) -> int | str:
    """Return a category as nothing else can be meant: by its name, if it has one."""
    # <named>
    if 0 <= category < K:
        return CATEGORIES[category]
    # <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
    return category


def required(category: int | str) -> int:
    """Return the number of a category. The message does not repeat what is none: it may be the truth."""
    # <named>
    if type(category) is str and category in CATEGORIES:
        return CATEGORIES.index(category)
    if type(category) is int and str(category) in CATEGORIES and CATEGORIES.index(str(category)) != category:
        raise ValueError("this number is also the name of another category: give the name as text")
    if type(category) is not int or not 0 <= category < K:
        listed = ", ".join(f"{name!r:.40}" for name in CATEGORIES[: K if K <= 12 else 5])
        more = f", and so on: all {K} are in CATEGORIES" if K > 12 else ""
        raise ValueError(f"no such category: allowed are the integers from 0 to {K - 1} and the names {listed}{more}")
    # <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
    if type(category) is not int or not 0 <= category < K:
        raise ValueError(f"no such category: allowed are the integers from 0 to {K - 1}")
    return category


# <direct interval hash classes projective cyclic>
def require_report(report: int) -> None:
    """Refuse what is not a report."""
    if type(report) is not int or not 0 <= report < M:
        raise ValueError(f"no such report: received {report!r:.40}; allowed are the integers from 0 to {M - 1}")


# <projective>
def vector(point: int) -> tuple[int, int]:
    """Return a point as a number to base Q with first digit 1, and the power of Q of this digit."""
    power = 1
    while point >= power:
        point, power = point - power, power * Q
    return power + point, power


# <cyclic restricted>
def nth(rank: int, inside: bool) -> int:
    """Return the element with the given rank inside the set, or outside."""
    start = 0
    for i, length in enumerate(RUNS):
        if (i % 2 == 0) == inside:
            if rank < length:
                break
            rank -= length
        start += length
    return start + rank


def place(element: int) -> tuple[bool, int]:
    """Return whether an element is in the set, and how many smaller elements are."""
    before = 0
    for i, length in enumerate(RUNS):
        if element < length:
            return i % 2 == 0, before + element
        element -= length
        before += length if i % 2 == 0 else 0
    return len(RUNS) % 2 == 0, before + element


# <values>
def spoken_values(place: int) -> str:
    """Return the number of a test vector."""
    return NUMBERS[place]


def neighbour(number: object, below: Callable[[int], int] = below) -> int:
    """Return the category of a number. Between two of the grid draw the upper one with exactly the chance of no bias.

    The message does not repeat what is refused: it may be the truth.
    """
    text = "" if type(number) is bool else str(number)
    if text in CATEGORIES:
        return CATEGORIES.index(text)
    sign, digits = (-1 if text[:1] == "-" else 1), text[1:] if text[:1] in ("+", "-") else text
    whole, _, decimals = digits.partition(".")
    read = whole + decimals
    if read.isascii() and read.isdigit() and len(read) <= 19 and len(decimals) <= DECIMALS:
        scale: int = 10 ** len(decimals)
        x = sign * int(read) * UNIT
        for j, low in enumerate(GRID):
            if x == low * scale:
                return j
            if ROUNDS and j + 1 < len(GRID) and low * scale < x < GRID[j + 1] * scale:
                return j + (below((GRID[j + 1] - low) * scale) < x - low * scale)
    allowed = f"from {CATEGORIES[0]} to {CATEGORIES[-1]} with at most {DECIMALS} decimals"
    raise ValueError(f"no such number: allowed are {allowed if ROUNDS else 'the numbers in CATEGORIES'}")


def output_of(number: object, below: Callable[[int], int] = below) -> int:
    """Return the place in RESPONSES of the report of a number."""
    column, i = COLUMNS[neighbour(number, below)], 0
    u = below(column[-1])
    while column[i] <= u:
        i += 1
    return i


def randomize_values(number: object, below: Callable[[int], int] = below) -> str:
    """Return the report of a number, given as a text, an integer or a float: a number, as a text."""
    return RESPONSES[output_of(number, below)]


# <columns>
def randomize_columns(category: int | str, below: Callable[[int], int] = below) -> int:
    """Return a report of a category, 0 to K - 1: the first output whose cumulative weight is above u."""
    category = required(category)
    column, i = COLUMNS[category], 0
    u = below(column[-1])
    while column[i] <= u:
        i += 1
    return i


# <texts>
def place_of(category: int | str, below: Callable[[int], int] = below) -> int:
    """Return the place in RESPONSES of a report of a category: the first output whose cumulative weight is above u."""
    category = required(category)
    column, i = COLUMNS[category], 0
    u = below(column[-1])
    while column[i] <= u:
        i += 1
    return i


def randomize_texts(category: int | str, below: Callable[[int], int] = below) -> str:
    """Return a report of a category, 0 to K - 1: one of RESPONSES, which are sets of categories or rows of bits."""
    return RESPONSES[place_of(category, below)]


# <questions>
def randomize_questions(category: int | str, below: Callable[[int], int] = below) -> int:
    """Return a report of a category, 0 to K - 1: each question is drawn by its own columns; the first changes fastest.

    The category has a digit to the base INPUTS for each question, and the report a digit to the base OUTPUTS.
    """
    category = required(category)
    report, unit, row = 0, 1, 0
    for inputs, outputs in zip(INPUTS, OUTPUTS, strict=True):
        column, i = PARTS[row + category % inputs], 0
        u = below(column[outputs - 1])
        while column[i] <= u:
            i += 1
        report, unit, row, category = report + unit * i, unit * outputs, row + inputs, category // inputs
    return report


# <direct>
def randomize_direct(category: int | str, below: Callable[[int], int] = below) -> int:
    """Return a report of a category, 0 to K - 1: the category, or another one."""
    category = required(category)
    if below(COIN) < HEADS:
        return category
    other = below(K - 1)
    return other + (other >= category)


# <interval>
def randomize_interval(category: int | str, below: Callable[[int], int] = below) -> int:
    """Return a report of a category, 0 to K - 1: a and b such that a category + b is below SIZE modulo Q, or not."""
    category = required(category)
    inside = below(COIN) < HEADS
    value = below(SIZE) if inside else SIZE + below(Q - SIZE)
    a = 1 + below(Q - 1)
    return (a - 1) * Q + (value - a * category) % Q


# <classes>
def randomize_classes(category: int | str, below: Callable[[int], int] = below) -> int:
    """Return a report of a category, 0 to K - 1: i and y such that ROOT^i (category + y) is in a coset of T, or not."""
    category = required(category)
    inside = below(COIN) < HEADS
    many, part = (COSETS if inside else INDEX - COSETS), (Q - 1) // INDEX
    rank = below(many * part + (ZERO if inside else 1 - ZERO))
    i, y = below(INDEX), 0
    if rank < many * part:
        exponent = rank // many * INDEX + (0 if inside else COSETS) + rank % many
        y = pow(ROOT, (exponent + Q - 1 - i) % (Q - 1), Q)
    return i * Q + (y - category) % Q


# <hash>
def randomize_hash(category: int | str, below: Callable[[int], int] = below) -> int:
    """Return a report of a category, 0 to K - 1: a vector a and b such that a.category + b is below SIZE, or not."""
    category = required(category)
    inside = below(COIN) < HEADS
    value = below(SIZE) if inside else SIZE + below(Q - SIZE)
    first = below(SPACE - 1)
    a = first + 1
    while a:
        a, category, value = a // Q, category // Q, value - a % Q * (category % Q)
    return first * Q + value % Q


# <projective>
def randomize_projective(category: int | str, below: Callable[[int], int] = below) -> int:
    """Return a report of a category, 0 to K - 1: the point of a vector a with a.x = 0, or a.x = 1.

    All digits of a are drawn but the one where x has its first digit: this digit is computed. Of the Q - 1 multiples of
    a point one has a.x = 1, or all have 0, so that points are uniform.
    """
    category = required(category)
    inside = below(COIN) < HEADS
    orthogonal = 0 if inside == (COMPLEMENT == 1) else 1
    x, unit = vector(category)
    rest = orthogonal + below(SPACE - orthogonal)
    low, total = rest % unit, 0
    a = low
    while a:
        a, x, total = a // Q, x // Q, total + a % Q * (x % Q)
    a = (rest // unit * Q + (1 - orthogonal - total) % Q) * unit + low
    first, top = 0, 1
    while a // top >= Q:
        first, top = first + top, top * Q
    scale, place = pow(a // top, Q - 2, Q), 1
    while place < top:
        first += a // place % Q * scale % Q * place
        place *= Q
    return first


# <cyclic>
def randomize_cyclic(category: int | str, below: Callable[[int], int] = below) -> int:
    """Return a report of a category, 0 to K - 1: report + category is in the set modulo MODULUS, or not."""
    category = required(category)
    inside = below(COIN) < HEADS
    return (nth(below(SIZE if inside else MODULUS - SIZE), inside) - category) % MODULUS


# <restricted>
def randomize_restricted(category: int | str, below: Callable[[int], int] = below) -> int:
    """Return a report of a category, 0 to K - 1: the category, or one in the set."""
    category = required(category)
    if below(REVEAL_COIN) < REVEAL_HEADS:
        return category
    inside, rank = place(category)
    if not inside:
        return nth(below(CHOSEN), True)
    if below(COIN) < HEADS:
        return category
    other = below(CHOSEN - 1)
    return nth(other + (other >= rank), True)


# <subset dense>
def draws_of(word: Callable[[], int] = word) -> Callable[[int], int]:
    """Return the function below for one report: the coin is drawn from a word, as are 64 bits; all else from pieces."""
    pool, left, sources = 0, 0, [word]

    def piece() -> int:
        nonlocal pool, left
        if not left:
            pool, left = word(), 64 // PIECE
        found, pool, left = pool & ((1 << PIECE) - 1), pool >> PIECE, left - 1
        return found

    def drawn(n: int) -> int:
        return word() if n == 1 << 64 else below(n, sources.pop() if sources else piece)

    return drawn


# <subset>
def randomize_subset(category: int | str, below: Callable[[int], int] | None = None) -> list[int]:
    """Return a report of a category, 0 to K - 1: SIZE categories in ascending order.

    Floyd's method draws the other categories: after step j all sets of their number within 0 to j are equally likely.
    """
    category, below = required(category), below or draws_of()
    inside = below(COIN) < HEADS
    taken: set[int] = set()
    for j in range(K - 1 - (SIZE - inside), K - 1):
        t = below(j + 1)
        taken.add(j if t in taken else t)
    report = [y + (y >= category) for y in taken]
    return sorted([*report, category] if inside else report)


# <dense>
def randomize_dense(category: int | str, below: Callable[[int], int] | None = None) -> list[int]:
    """Return a report of a category, 0 to K - 1: SIZE categories in ascending order.

    Each other category is marked by a coin: all sets of one size are equally likely. Then as many are marked, or
    unmarked, as SIZE needs: a uniform subset of those that can be, by Floyd's method.
    """
    category, below = required(category), below or draws_of()
    inside = below(COIN) < HEADS
    marks: list[int] = []
    while len(marks) < K:
        block = 0
        for layer in range(LAYERS):
            block = block | below(1 << 64) if PATTERN >> layer & 1 else block & below(1 << 64)
        marks += [block >> i & 1 for i in range(64)]
    del marks[K:]
    marks[category] = 0
    missing = SIZE - inside - sum(marks)
    wanted = int(missing > 0)
    places = [y for y in range(K) if y != category and marks[y] != wanted]
    for j in range(len(places) - abs(missing), len(places)):
        y = places[below(j + 1)]
        marks[places[j] if marks[y] == wanted else y] = wanted
    marks[category] = int(inside)
    return [y for y in range(K) if marks[y]]


# <bits>
def randomize_bits(category: int | str, below: Callable[[int], int] = below) -> list[int]:
    """Return a report of a category, 0 to K - 1: K bits."""
    category = required(category)
    truth = below(COIN) < HEADS
    return [int(truth if y == category else below(MISS_COIN) < MISS_HEADS) for y in range(K)]


# <direct>
def holds_direct(report: int, category: int | str) -> bool:
    """Return whether a report contains a category."""
    require_report(report)
    category = required(category)
    return report == category


# <interval>
def holds_interval(report: int, category: int | str) -> bool:
    """Return whether a report contains a category."""
    require_report(report)
    category = required(category)
    return ((report // Q + 1) * category + report % Q) % Q < SIZE


# <classes>
def holds_classes(report: int, category: int | str) -> bool:
    """Return whether a report contains a category."""
    require_report(report)
    category = required(category)
    i, y = report // Q, (category + report % Q) % Q
    if y == 0:
        return ZERO == 1
    power, root = pow(y, (Q - 1) // INDEX, Q), pow(ROOT, (Q - 1) // INDEX, Q)
    return any(pow(root, (coset - i) % INDEX, Q) == power for coset in range(COSETS))


# <hash>
def holds_hash(report: int, category: int | str) -> bool:
    """Return whether a report contains a category."""
    require_report(report)
    category = required(category)
    a, total = report // Q + 1, report % Q
    while a:
        a, category, total = a // Q, category // Q, total + a % Q * (category % Q)
    return total % Q < SIZE


# <projective>
def holds_projective(report: int, category: int | str) -> bool:
    """Return whether a report contains a category."""
    require_report(report)
    category = required(category)
    total, (v, _), (w, _) = 0, vector(report), vector(category)
    while v and w:
        total, v, w = total + v % Q * (w % Q), v // Q, w // Q
    return (total % Q != 0) == (COMPLEMENT == 1)


# <cyclic>
def holds_cyclic(report: int, category: int | str) -> bool:
    """Return whether a report contains a category."""
    require_report(report)
    category = required(category)
    return place((report + category) % MODULUS)[0]


# <columns texts questions values direct interval hash classes projective cyclic subset dense bits identified>
def require_counts(given: tuple[int, ...], many: int) -> None:
    """Refuse all but a number of counts."""
    if len(given) != many:
        raise ValueError(f"{many} numbers are needed: received {len(given)}")
    for number in given:
        if type(number) is not int or not 0 <= number < 10**15:
            raise ValueError(f"not a count: received {number!r:.40}; allowed are the integers from 0 to 10^15 - 1")


def error(square: float, n: int) -> float:
    """Return the standard error of a mean of n numbers with this variance, which rounding may make negative."""
    return math.sqrt(max(square, 0) / n)


# <columns texts questions values>
def estimates_columns(*counts: int) -> list[float]:
    """Return estimate and standard error of each row of ESTIMATOR from the counts of all outputs."""
    require_counts(counts, M)
    n, found = sum(counts), []
    if not n:
        raise ValueError("there are no reports: all counts are 0")
    for row in ESTIMATOR:
        share = sum(a * c for a, c in zip(row, counts, strict=True)) / n
        square = sum(a * a * c for a, c in zip(row, counts, strict=True)) / n
        found += [share, error(square - share * share, n)]
    return found


# <direct interval hash classes projective cyclic subset dense bits>
def estimates_sets(*counts: int) -> list[float]:
    """Return the unbiased estimate of a category and its standard error; HITS of N reports contain it."""
    require_counts(counts, 2)
    hits, n = counts
    if not n or hits > n:
        raise ValueError(f"HITS of N reports: received {hits} of {n}")
    rate, scale = hits / n, P_CHANCE - Q_CHANCE
    return [(rate - Q_CHANCE) / scale, error(rate * (1 - rate), n) / scale]


# <identified>
def estimates_identified(*counts: int) -> list[float]:
    """Return estimate and standard error of CATEGORY: HITS of N reports equal it, OUTSIDE are outside the set."""
    require_counts(counts, 4)
    category, hits, outside, n = counts
    category = required(spoken(category))
    if not n or hits > n or outside > n:
        raise ValueError(f"HITS and OUTSIDE of N reports: received {hits} and {outside} of {n}")
    f, o = hits / n, outside / n
    if not place(category)[0]:
        return [f / REVEALED, error(f * (1 - f), n) / REVEALED]
    square = f + TURN * TURN * o - (f - TURN * o) ** 2
    return [(f - SHIFT - TURN * o) / SCALE, error(square, n) / SCALE]


# <refusal>
def estimates_refusal(*counts: int) -> list[float]:
    """Refuse: the distribution of the categories is not identified."""
    raise ValueError("the proportions are not determined: a category outside the set is never reported")


# </>
def estimate(*counts: int) -> None:
    """Print an estimate and its standard error on each line."""
    found = estimates_columns(*counts)
    for i in range(0, len(found), 2):
        print(found[i], found[i + 1])


# <columns questions direct interval hash classes projective cyclic restricted>
def answer_number(category: int | str, below: Callable[[int], int] = below) -> int:
    """Return a report as a test vector states it."""
    return randomize_direct(category, below)


def text_number(category: int | str) -> str:
    """Return a report as a line of the program."""
    return str(randomize_direct(category))


# <texts>
def answer_texts(category: int | str, below: Callable[[int], int] = below) -> int:
    """Return a report as a test vector states it."""
    return place_of(category, below)


def text_texts(category: int | str) -> str:
    """Return a report as a line of the program."""
    return randomize_texts(category)


# <values>
def answer_values(number: object, below: Callable[[int], int] = below) -> int:
    """Return a report as a test vector states it."""
    return output_of(number, below)


# <subset dense bits>
def answer_set(category: int | str, below: Callable[[int], int]) -> int:
    """Return the digest of a report, as a test vector states it."""
    h = 0
    for y in randomize_subset(category, below):
        h = (h * 65537 + y + 1) % 2147483647
    return h


# <subset dense>
def text_subset(category: int | str) -> str:
    """Return a report as a line of the program."""
    return "&".join(str(spoken(y)) for y in randomize_subset(category))


# <bits>
def text_bits(category: int | str) -> str:
    """Return a report as a line of the program."""
    return "".join(map(str, randomize_bits(category)))


# </>
def replayed(category: int | str, words: list[int]) -> tuple[int, int]:
    """Return the report that these words draw, then zeros, and the number of words drawn; of a list its digest."""
    drawn = 0

    def word() -> int:
        nonlocal drawn
        drawn += 1
        return words[drawn - 1] if drawn <= len(words) else 0

    draws: list[Callable[[int], int]] = [lambda n: below(n, word)]
    # <subset dense>
    draws = [draws_of(word)]
    # </>
    report = answer_number(category, *draws)
    return report, drawn


def refused(function: Callable[..., object], *given: int | str) -> bool:
    """Return whether a function refuses what is given."""
    try:
        function(*given)
    except ValueError:
        return True
    return False


def failure() -> str:
    """Return the first test vector that fails, or an empty text."""
    # <interval hash classes projective>
    if Q < 2:
        return "Q"
    # <values>
    if len(GRID) != K:
        return "K"
    # </>
    for category, words, drawn, report in VECTORS:
        if replayed(spoken(category), words) != (report, drawn):
            return f"vector {category} {words} {report}"
    # <values>
    for number in REFUSED_NUMBERS:
        if not refused(neighbour, number):
            return f"number {number} is not refused"
    # <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
    for category in REFUSED:
        if not refused(randomize_direct, category):
            return f"category {category} is not refused"
    # <direct interval hash classes projective cyclic>
    for report, category, held in HELD:
        if holds_direct(report, spoken(category)) != (held == 1):
            return f"holds {report} {category}"
    for report in REFUSED_REPORTS:
        if not refused(holds_direct, report, spoken(0)):
            return f"report {report} is not refused"
    for category in REFUSED:
        if not refused(holds_direct, 0, category):
            return f"category {category} of a report is not refused"
    # <columns texts questions values direct interval hash classes projective cyclic subset dense bits identified>
    for counts, expected in ESTIMATES:
        found = estimates_columns(*counts)
        if not all(abs(x - y) <= 1e-9 * max(1, abs(y)) for x, y in zip(found, expected, strict=True)):
            return f"estimate {counts}"
        if not refused(estimates_columns, *counts[:-1]):
            return f"a count missing of {counts} is not refused"
    # <refusal>
    if not refused(estimates_refusal):
        return "an estimate is not refused"
    # </>
    return ""


def test() -> bool:
    """Return whether all test vectors pass; print the first one that fails."""
    try:
        failed = failure()
    except (ArithmeticError, LookupError, ValueError) as wrong:
        failed = repr(wrong)
    if failed:
        print("the constants are damaged, a vector fails:", failed)
    return not failed


def numbers(texts: list[str]) -> list[int]:
    """Return numbers that are written with digits only."""
    for text in texts:
        if not (text.isascii() and text.isdigit() and len(text) < 16):
            raise ValueError(f"not a number: received {text!r:.40}; allowed are up to 15 digits")
    return [int(text) for text in texts]


def main(command: str = "", *texts: str) -> int:
    """Run a command and return the exit status."""
    try:
        if command == "test" and not texts:
            if not test():
                return 1
            print("ok", flush=True)
            return 0
        if command == "draw" and len(texts) == 2:
            # <values>
            neighbour(texts[0])
            for _ in range(numbers([texts[1]])[0]):
                print(randomize_values(texts[0]))
            # <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
            is_number = texts[0].isascii() and texts[0].isdigit() and len(texts[0]) <= 15
            category = required(int(texts[0]) if is_number else texts[0])
            for _ in range(numbers([texts[1]])[0]):
                print(text_number(spoken(category)))
            # </>
        elif command == "estimate":
            estimate(*numbers(list(texts)))
        else:
            raise ValueError("the command is missing or unknown: allowed are test, draw X N, estimate COUNTS")
        sys.stdout.flush()
    except ValueError as wrong:
        print(wrong, file=sys.stderr)
        return 2
    except OSError as wrong:
        print("the output cannot be written:", wrong.strerror, file=sys.stderr, flush=True)
        os._exit(2)  # the end of Python would write the rest of the output once more
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
