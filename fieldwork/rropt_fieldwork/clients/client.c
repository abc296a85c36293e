// Draws reports of a randomized response mechanism exactly, and estimates from counts of reports.
//
// rropt's page "Ship a client and count its reports" describes it. No library but C's own is linked.
//
// Build it with: cc -O2 -o client client.c
// <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
// A program of yours calls randomize(category), with a category from 0 to K - 1, or
// find_category(name) if CATEGORIES has names.
// <values>
// A program of yours calls randomize(number), with the text of a number, such as "2.5"; the report is a number, as a text.
// </>
// Call it once for each truth, and keep the report: a new draw of the same
// truth reveals more. As a program:
//
//   test              check the constants by test vectors; print "ok", or what fails (exit status 1)
// <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
//   draw X N          print N reports of category X, an integer from 0 to K - 1 or a name of CATEGORIES
// <values>
//   draw X N          print N reports of the number X, such as 3 or 2.5
//   estimate COUNTS   print the estimated mean of the numbers and its standard error, from the counts of all RESPONSES
// <columns texts questions>
//   estimate COUNTS   print estimate and standard error of each category, from the counts of all outputs
// <direct interval hash classes projective cyclic subset dense bits>
//   estimate HITS N   print estimate and standard error of a category that HITS of N reports contain
// <identified>
//   estimate CATEGORY HITS OUTSIDE N   the same, if HITS of N reports equal CATEGORY, and OUTSIDE are outside the set
// </>
#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
typedef uint64_t u64;

// <data>
const char IDENTITY[] = "";
const char *const CATEGORIES[] = {"no"};  // names of the categories 0 to K - 1
const char *const RESPONSES[] = {"no"};  // names of the reports 0 to M - 1
enum { K = 3 };  // categories
enum { M = 2 };  // outputs of the matrix
enum { WORDS = 1 };  // most words of a test vector that are not trailing zeros
enum { GIVEN = 2 };  // numbers that an estimate needs
enum { ROWS = 1 };  // rows of an estimate
static const u64 REPORTS = 42u;
static const u64 HEADS = 3u;  // a report contains the truth with probability HEADS / COIN
static const u64 COIN = 4u;
static const u64 MISS_HEADS = 1u;  // a report contains another category with probability MISS_HEADS / MISS_COIN
static const u64 MISS_COIN = 4u;
static const u64 REVEAL_HEADS = 1u;  // the truth is revealed with probability REVEAL_HEADS / REVEAL_COIN
static const u64 REVEAL_COIN = 4u;
static const u64 CHOSEN = 2u;  // categories in the set
static const u64 Q = 7u;  // the field
static const u64 SPACE = 7u;
static const u64 SIZE = 1u;
static const u64 PIECE = 2u;  // bits of a draw among the categories: a word has 64 / PIECE pieces
static const u64 LAYERS = 1u;  // fair bits of each category
static const u64 PATTERN = 1u;  // how they join to one bit
static const u64 COMPLEMENT = 0u;
static const u64 INDEX = 2u;
static const u64 COSETS = 1u;
static const u64 ZERO = 0u;
static const u64 ROOT = 3u;
static const u64 MODULUS = 7u;
enum { MANY = 1 };  // runs
static const u64 RUNS[] = {2u};  // lengths of runs, alternately inside and outside the set, without the last run
static const u64 GRID[K] = {0u, 1u, 2u};  // the numbers of the categories, times UNIT, modulo 2^64
static const u64 UNIT = 1u;
static const u64 ROUNDS = 1u;  // whether a number between two of the grid is rounded to one of them, without bias
static const u64 DECIMALS = 2u;  // the most decimals of a number
static const u64 COLUMNS[K][M] = {{3u, 4u}, {1u, 4u}, {2u, 4u}};  // cumulative weights of each category
static const u64 INPUTS[] = {2u, 2u};  // categories of each question
static const u64 OUTPUTS[] = {2u, 2u};  // outputs of each question
static const u64 PARTS[][M] = {{3u, 4u}, {1u, 4u}, {3u, 4u}, {1u, 4u}};  // cumulative weights, as COLUMNS
static const double ESTIMATOR[ROWS][M] = {{0.5, 0.5}};
static const double P_CHANCE = 0.75;  // a report contains the truth
static const double Q_CHANCE = 0.25;  // a report contains another category
static const double SCALE = 0.5;  // this and the next three: of the estimate
static const double SHIFT = 0.25;
static const double TURN = 0.25;
static const double REVEALED = 0.25;
// a test vector: category, words (then zeros), number of words drawn, report
static const struct { u64 category, words[WORDS], drawn, report; } VECTORS[] = {{0u, {0u}, 1u, 0u}};
static const u64 HELD[][3] = {{0u, 0u, 1u}};  // report, category, whether the report contains it
static const struct { u64 given[GIVEN]; double found[2 * ROWS]; } ESTIMATES[] = {{{1u, 2u}, {0.5, 0.25}}};  // counts
static const char *const NUMBERS[] = {"0", "0.5"};  // of the test vectors, whose categories are places in this list
static const char *const REFUSED_NUMBERS[] = {""};
static const u64 REFUSED[] = {18446744073709551615u, 3u};  // categories; the first is -1
static const u64 REFUSED_REPORTS[] = {18446744073709551615u, 42u};
// </data>
#define LENGTH(list) (sizeof(list) / sizeof *(list))

static int is_testing;
static jmp_buf refused;  // in a test, a refusal returns to it

_Noreturn static void refuse(const char *reason, u64 number) {
  if (is_testing) longjmp(refused, 1);
  fprintf(stderr, "%s %" PRIu64 "\n", reason, number);
  exit(2);
}

// <subset dense bits>
// a report needs many words: they come in groups, and what is left after a report is dropped
enum { GROUP = 256 };
static _Thread_local u64 group[GROUP], left;

// <dense>
enum { BLOCKS = (K + 63) / 64 };

// </>
static u64 system_word(void) {
  // <columns texts questions values direct interval classes hash projective cyclic restricted>
  u64 w;
  if (getrandom(&w, sizeof w, 0) != sizeof w) abort();
  return w;
  // <subset dense bits>
  if (!left) {
    // <subset>
    left = SIZE * 5 / 4 / (64 / PIECE) + 4;
    // <dense>
    u64 mean = (K - 1) * PATTERN >> LAYERS, draws = (mean < SIZE ? SIZE - mean : mean - SIZE) + K / 32 + 8;
    left = LAYERS * BLOCKS + draws * 5 / 4 / (64 / PIECE) + 4;
    // <bits>
    left = K + 1;
    // <subset dense bits>
    if (left > GROUP) left = GROUP;
    size_t bytes = left * sizeof *group;
    for (ssize_t got, had = 0; (size_t)had < bytes; had += got) {
      got = getrandom((char *)group + had, bytes - (size_t)had, 0);
      if (got <= 0) abort();
    }
  }
  return group[--left];
  // </>
}
static u64 (*word)(void) = system_word;

// a uniform integer below n: a masked word is drawn until it is below n
static u64 below(u64 n) {
  u64 mask = n - 1, u;
  if (!n || n > INT64_MAX) {
    fputs("the constants of this client are damaged\n", stderr);
    exit(1);
  }
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  do u = word() & mask; while (u >= n);
  return u;
}

// <named values>
// the number of a category from its name; K if no category has the name
u64 find_category(const char *name) {
  u64 found = 0;
  while (found < K && strcmp(CATEGORIES[found], name)) found++;
  return found;
}

// <named>
#define NAMED
// refuse what is not a category: print the allowed numbers, and all names or the first of them
static void refuse_category(void) {
  if (is_testing) longjmp(refused, 1);
  fprintf(stderr, "no such category: allowed are the integers from 0 to %d and the names", K - 1);
  for (u64 i = 0; i < (K > 12 ? 5 : K); i++) {
    fputs(i ? ", \"" : " \"", stderr);
    for (const char *c = CATEGORIES[i]; *c; c++) fputc((unsigned char)*c < 32 || *c == 127 ? '?' : *c, stderr);
    fputc('"', stderr);
  }
  if (K > 12) fprintf(stderr, ", and so on: all %d are in CATEGORIES", K);
  fputc('\n', stderr);
  exit(2);
}

// <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
// refuse what is not a category; the message does not repeat it: it may be the truth, and logs keep messages
static void require(u64 category) {
  // <named>
  if (category >= K) refuse_category();
  // <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
  if (category >= K) refuse("no such category: allowed are the integers from 0 to", K - 1);
}

// <direct interval hash classes projective cyclic>
// refuse what is not a report
static void require_report(u64 report) {
  if (report >= REPORTS) refuse("no such report: allowed are the integers from 0 to", REPORTS - 1);
}

// <classes projective>
static u64 power(u64 base, u64 exponent, u64 q) {
  u64 result = 1;
  for (; exponent; exponent >>= 1, base = base * base % q) if (exponent & 1) result = result * base % q;
  return result;
}

// <projective>
// a point as a number to base Q with first digit 1, and the power of Q of this digit
static u64 point_of(u64 point, u64 *power) {
  for (*power = 1; point >= *power; *power *= Q) point -= *power;
  return *power + point;
}

// <cyclic restricted>
// the element with the given rank inside the set, or outside
static u64 nth(u64 rank, int inside) {
  u64 start = 0;
  for (int i = 0; i < MANY; start += RUNS[i++]) {
    if ((i % 2 == 0) != inside) continue;
    if (rank < RUNS[i]) break;
    rank -= RUNS[i];
  }
  return start + rank;
}

// whether an element is in the set, and how many smaller elements are
static int is_inside(u64 element, u64 *rank) {
  u64 before = 0;
  int i = 0;
  for (; i < MANY && element >= RUNS[i]; i++) {
    element -= RUNS[i];
    before += i % 2 ? 0 : RUNS[i];
  }
  *rank = before + element;
  return i % 2 == 0;
}

// <values>
// the category of a number. Between two of the grid the upper one is drawn with exactly the chance of no bias.
// The message does not repeat what is refused: it may be the truth, and logs keep messages
static u64 neighbour(const char *text) {
  u64 x = 0, scale = 1, digits = 0, decimals = 0, point = 0, named = find_category(text);
  if (named < K) return named;
  int minus = *text == '-';
  for (text += *text == '-' || *text == '+'; *text; text++) {
    if (*text == '.' && !point++) continue;
    if (*text < '0' || *text > '9' || ++digits > 19) break;
    x = 10 * x + (u64)(*text - '0');
    if (point) scale *= 10, decimals++;
  }
  if (!*text && digits && decimals <= DECIMALS && x <= INT64_MAX / UNIT) {
    int64_t value = (minus ? -1 : 1) * (int64_t)(x * UNIT);
    for (u64 j = 0; j < K; j++) {
      int64_t low = (int64_t)(GRID[j] * scale);
      if (value == low) return j;
      if (!ROUNDS || j + 1 == K || value < low || value > (int64_t)(GRID[j + 1] * scale)) continue;
      if (value == (int64_t)(GRID[j + 1] * scale)) return j + 1;
      return j + (below((GRID[j + 1] - GRID[j]) * scale) < (u64)(value - low));
    }
  }
  refuse(ROUNDS ? "no such number: it is out of the range, or has too many decimals; the most are" : "no such number: allowed are those of CATEGORIES; their number is", ROUNDS ? DECIMALS : K);
}

// the place in RESPONSES of the report of a number
static u64 output_of(const char *number) {
  const u64 *column = COLUMNS[neighbour(number)];
  u64 u = below(column[M - 1]), i = 0;
  while (column[i] <= u) i++;
  return i;
}

// the report of a number: a number, as a text
const char *randomize_values(const char *number) { return RESPONSES[output_of(number)]; }

// <columns>
// a report of a category, 0 to K - 1
u64 randomize_columns(u64 category) {
  require(category);
  const u64 *column = COLUMNS[category];
  u64 u = below(column[M - 1]), i = 0;
  while (column[i] <= u) i++;
  return i;
}

// <texts>
// the place in RESPONSES of a report of a category
static u64 place_of(u64 category) {
  require(category);
  const u64 *column = COLUMNS[category];
  u64 u = below(column[M - 1]), i = 0;
  while (column[i] <= u) i++;
  return i;
}

// a report of a category, 0 to K - 1: one of RESPONSES, which are sets of categories or rows of bits
const char *randomize_texts(u64 category) { return RESPONSES[place_of(category)]; }

// <questions>
// a report of a category, 0 to K - 1: each question is drawn by its own columns; the first changes fastest
u64 randomize_questions(u64 category) {
  require(category);
  u64 report = 0, unit = 1, row = 0;
  for (size_t q = 0; q < LENGTH(INPUTS); q++) {
    const u64 *column = PARTS[row + category % INPUTS[q]];
    u64 u = below(column[OUTPUTS[q] - 1]), i = 0;
    while (column[i] <= u) i++;
    report += unit * i;
    unit *= OUTPUTS[q];
    row += INPUTS[q];
    category /= INPUTS[q];
  }
  return report;
}

// <direct>
// a report of a category, 0 to K - 1
u64 randomize_direct(u64 category) {
  require(category);
  if (below(COIN) < HEADS) return category;
  u64 other = below(K - 1);
  return other + (other >= category);
}

// <interval>
// a report of a category, 0 to K - 1
u64 randomize_interval(u64 category) {
  require(category);
  int inside = below(COIN) < HEADS;
  u64 value = inside ? below(SIZE) : SIZE + below(Q - SIZE);
  u64 a = 1 + below(Q - 1);
  return (a - 1) * Q + (value + Q - a * category % Q) % Q;
}

// <classes>
// a report of a category, 0 to K - 1
u64 randomize_classes(u64 category) {
  require(category);
  int inside = below(COIN) < HEADS;
  u64 many = inside ? COSETS : INDEX - COSETS, part = (Q - 1) / INDEX;
  u64 rank = below(many * part + (inside ? ZERO : 1 - ZERO)), i = below(INDEX), y = 0;
  if (rank < many * part) {
    u64 exponent = rank / many * INDEX + (inside ? 0 : COSETS) + rank % many;
    y = power(ROOT, (exponent + Q - 1 - i) % (Q - 1), Q);
  }
  return i * Q + (y + Q - category % Q) % Q;
}

// <hash>
// a report of a category, 0 to K - 1
u64 randomize_hash(u64 category) {
  require(category);
  int inside = below(COIN) < HEADS;
  u64 value = inside ? below(SIZE) : SIZE + below(Q - SIZE), first = below(SPACE - 1);
  for (u64 a = first + 1, x = category; a; a /= Q, x /= Q) value = (value + Q - a % Q * (x % Q) % Q) % Q;
  return first * Q + value;
}

// <projective>
// a report of a category, 0 to K - 1
u64 randomize_projective(u64 category) {
  require(category);
  int inside = below(COIN) < HEADS;
  u64 orthogonal = inside != (COMPLEMENT == 1), unit, x = point_of(category, &unit);
  u64 rest = orthogonal + below(SPACE - orthogonal), low = rest % unit, total = 0, first = 0, top = 1;
  for (u64 a = low; a; a /= Q, x /= Q) total = (total + a % Q * (x % Q)) % Q;
  u64 a = (rest / unit * Q + (1 - orthogonal + Q - total) % Q) * unit + low;
  for (; a / top >= Q; top *= Q) first += top;
  u64 scale = power(a / top, Q - 2, Q);
  for (u64 place = 1; place < top; place *= Q) first += a / place % Q * scale % Q * place;
  return first;
}

// <cyclic>
// a report of a category, 0 to K - 1
u64 randomize_cyclic(u64 category) {
  require(category);
  int inside = below(COIN) < HEADS;
  return (nth(below(inside ? SIZE : MODULUS - SIZE), inside) + MODULUS - category) % MODULUS;
}

// <restricted>
// a report of a category, 0 to K - 1
u64 randomize_restricted(u64 category) {
  u64 rank, other;
  require(category);
  if (below(REVEAL_COIN) < REVEAL_HEADS) return category;
  if (!is_inside(category, &rank)) return nth(below(CHOSEN), 1);
  if (below(COIN) < HEADS) return category;
  other = below(CHOSEN - 1);
  return nth(other + (other >= rank), 1);
}

// <subset>
static unsigned char marks[2 * K];  // of each category; a piece is below 2 (K - 1)

// a report of a category, 0 to K - 1: SIZE categories in ascending order; return their number. Not thread-safe
u64 randomize_subset(u64 category, u64 *report) {
  require(category);
  left = 0;
  u64 inside = below(COIN) < HEADS, length = 0, mask = 0, pool = 0, pieces = 0;
  marks[category] = (unsigned char)inside;
  for (u64 j = K - 1 - (SIZE - inside); j < K - 1;) {  // without branches: a piece above j marks nothing
    if (!pieces) pool = word(), pieces = 64 / PIECE;
    while (mask < j) mask = 2 * mask + 1;
    u64 t = pool & mask & ((1ull << PIECE) - 1), is_drawn = t <= j, last = j + (j >= category);
    pool >>= PIECE;
    pieces--;
    t += t >= category;
    t ^= (t ^ last) & (0 - (u64)marks[t]);
    marks[t] |= (unsigned char)is_drawn;
    j += is_drawn;
  }
  for (u64 i = 0; i < K && length < SIZE; i++) report[length] = i, length += marks[i];
  memset(marks, 0, K);
  left = 0;
  return length;
}

// <dense>
static u64 blocks[BLOCKS];  // a bit of each category
static u64 places[K];

// list the categories whose bits differ from flip; return their number
static u64 list_differing(u64 flip, u64 *found) {
  u64 many = 0;
  for (u64 b = 0; b < BLOCKS; b++) {
    u64 rest = blocks[b] ^ flip;
    if (b == K / 64) rest &= (1ull << K % 64) - 1;
    for (; rest; rest &= rest - 1) found[many++] = 64 * b + (u64)__builtin_ctzll(rest);
  }
  return many;
}

// a report of a category, 0 to K - 1: SIZE categories in ascending order; return their number. Not thread-safe.
// Each other category is marked by a coin. Then as many are marked, or unmarked, as SIZE needs: a uniform subset of
// those that can be, by Floyd's method
u64 randomize_dense(u64 category, u64 *report) {
  require(category);
  left = 0;
  u64 inside = below(COIN) < HEADS, size = SIZE - inside, marked = 0, mask = 0, pool = 0, pieces = 0;
  u64 *own = &blocks[category / 64], bit = 1ull << category % 64;
  for (u64 b = 0; b < BLOCKS; b++) {
    u64 block = 0;
    for (u64 layer = 0; layer < LAYERS; layer++) block = PATTERN >> layer & 1 ? block | word() : block & word();
    blocks[b] = b == K / 64 ? block & ((1ull << K % 64) - 1) : block;
  }
  *own &= ~bit;
  for (u64 b = 0; b < BLOCKS; b++) marked += (u64)__builtin_popcountll(blocks[b]);
  u64 lacks = marked < size;
  if (lacks) *own |= bit;
  u64 many = list_differing(0 - lacks, places);
  for (u64 j = many - (lacks ? size - marked : marked - size); j < many;) {
    if (!pieces) pool = word(), pieces = 64 / PIECE;
    while (mask < j) mask = 2 * mask + 1;
    u64 t = pool & mask & ((1ull << PIECE) - 1), is_drawn = t <= j;
    pool >>= PIECE;
    pieces--;
    u64 y = places[is_drawn ? t : j];
    if ((blocks[y / 64] >> y % 64 & 1) == lacks) y = places[j];
    blocks[y / 64] ^= is_drawn << y % 64;
    j += is_drawn;
  }
  *own = (*own & ~bit) | (inside ? bit : 0);
  left = 0;
  return list_differing(0, report);
}

// <bits>
// a report of a category, 0 to K - 1: K bits; return their number
u64 randomize_bits(u64 category, u64 *report) {
  require(category);
  left = 0;
  int truth = below(COIN) < HEADS;
  for (u64 y = 0; y < K; y++) report[y] = y == category ? truth : below(MISS_COIN) < MISS_HEADS;
  left = 0;
  return K;
}

// <direct>
// whether a report contains a category
int holds_direct(u64 report, u64 category) {
  require_report(report);
  require(category);
  return report == category;
}

// <interval>
// whether a report contains a category
int holds_interval(u64 report, u64 category) {
  require_report(report);
  require(category);
  return ((report / Q + 1) * category + report % Q) % Q < SIZE;
}

// <classes>
// whether a report contains a category
int holds_classes(u64 report, u64 category) {
  require_report(report);
  require(category);
  u64 i = report / Q, y = (category + report % Q) % Q;
  if (!y) return ZERO == 1;
  u64 wanted = power(y, (Q - 1) / INDEX, Q), root = power(ROOT, (Q - 1) / INDEX, Q);
  for (u64 coset = 0; coset < COSETS; coset++) if (power(root, (coset + INDEX - i) % INDEX, Q) == wanted) return 1;
  return 0;
}

// <hash>
// whether a report contains a category
int holds_hash(u64 report, u64 category) {
  require_report(report);
  require(category);
  u64 total = report % Q;
  for (u64 a = report / Q + 1, x = category; a; a /= Q, x /= Q) total = (total + a % Q * (x % Q)) % Q;
  return total < SIZE;
}

// <projective>
// whether a report contains a category
int holds_projective(u64 report, u64 category) {
  require_report(report);
  require(category);
  u64 total = 0, unit, v = point_of(report, &unit), w = point_of(category, &unit);
  for (; v && w; v /= Q, w /= Q) total = (total + v % Q * (w % Q)) % Q;
  return (total != 0) == (COMPLEMENT == 1);
}

// <cyclic>
// whether a report contains a category
int holds_cyclic(u64 report, u64 category) {
  u64 rank;
  require_report(report);
  require(category);
  return is_inside((report + category) % MODULUS, &rank);
}

// <columns texts questions values direct interval hash classes projective cyclic subset dense bits identified>
// refuse all but GIVEN counts
static void require_counts(int count, const u64 *given) {
  if (count != GIVEN) refuse("the number of counts is wrong: needed are", GIVEN);
  for (int i = 0; i < count; i++) if (given[i] >= 1000000000000000u) refuse("a count is too long: the most digits are", 15);
}

// the standard error of a mean of n numbers with this variance; the root by Newton's method, from above
static double error(double square, double n) {
  double x = square / n, root = x > 1 ? x : 1, next = root;
  if (!(x > 0)) return 0;
  do root = next, next = (root + x / root) / 2; while (next < root);
  return root;
}

// <columns texts questions values>
// write estimate and standard error of each row of ESTIMATOR, from the counts of all outputs
static void estimates_columns(int count, const u64 *given, double *found) {
  require_counts(count, given);
  double n = 0;
  for (int i = 0; i < M; i++) n += (double)given[i];
  if (!(n > 0)) refuse("there are no reports: the least number is", 1);
  for (int j = 0; j < ROWS; j++) {
    double share = 0, square = 0;
    for (int i = 0; i < M; i++) {
      double a = ESTIMATOR[j][i], c = (double)given[i] / n;
      share += a * c;
      square += a * a * c;
    }
    *found++ = share;
    *found++ = error(square - share * share, n);
  }
}

// <direct interval hash classes projective cyclic subset dense bits>
// write the unbiased estimate of a category and its standard error; HITS of N reports contain it
static void estimates_sets(int count, const u64 *given, double *found) {
  require_counts(count, given);
  if (!given[1] || given[0] > given[1]) refuse("HITS of N reports: HITS is above N, or N is 0; N is", given[1]);
  double n = (double)given[1], rate = (double)given[0] / n, scale = P_CHANCE - Q_CHANCE;
  found[0] = (rate - Q_CHANCE) / scale;
  found[1] = error(rate * (1 - rate), n) / scale;
}

// <identified>
// write estimate and standard error of CATEGORY: HITS of N reports equal it, OUTSIDE are outside the set
static void estimates_identified(int count, const u64 *given, double *found) {
  u64 rank;
  require_counts(count, given);
  require(given[0]);
  if (!given[3] || given[1] > given[3] || given[2] > given[3]) refuse("HITS and OUTSIDE of N reports: one is above N, or N is 0; N is", given[3]);
  double n = (double)given[3], f = (double)given[1] / n, o = (double)given[2] / n;
  if (is_inside(given[0], &rank)) {
    found[0] = (f - SHIFT - TURN * o) / SCALE;
    found[1] = error(f + TURN * TURN * o - (f - TURN * o) * (f - TURN * o), n) / SCALE;
  } else {
    found[0] = f / REVEALED;
    found[1] = error(f * (1 - f), n) / REVEALED;
  }
}

// <refusal>
// refuse: the distribution of the categories is not identified
static void estimates_refusal(int count, const u64 *given, double *found) {
  (void)count, (void)given, (void)found;
  refuse("the proportions are not determined: a category outside the set is never reported; categories:", K);
}

// <columns questions direct interval hash classes projective cyclic restricted>
// a report as a test vector states it
static u64 answer_number(u64 category) { return randomize_direct(category); }

// print a report
static void show_number(u64 category) { printf("%" PRIu64 "\n", randomize_direct(category)); }

// <texts>
// a report as a test vector states it
static u64 answer_texts(u64 category) { return place_of(category); }

// print a report
static void show_texts(u64 category) { puts(randomize_texts(category)); }

// <values>
// a report as a test vector states it
static u64 answer_values(u64 place) { return output_of(NUMBERS[place]); }

// <subset dense bits>
static u64 REPORT[K];
static char LINE[24 * K + 24];

// the digest of a report, as a test vector states it
static u64 answer_set(u64 category) {
  u64 length = randomize_subset(category, REPORT), h = 0;
  for (u64 i = 0; i < length; i++) h = (h * 65537 + REPORT[i] + 1) % 2147483647;
  return h;
}

// <subset dense>
static struct { char text[23]; unsigned char length; } TEXTS[K];  // each category and an ampersand

// <subset dense bits>
// print a report
static void show_set(u64 category) {
  u64 length = randomize_subset(category, REPORT);
  char *end = LINE;
  // <subset dense>
#ifdef NAMED
  for (u64 i = 0; i < length; i++) printf(i ? "&%s" : "%s", CATEGORIES[REPORT[i]]);
  putchar('\n');
  return;
#endif
  for (u64 i = 0; i < K && !TEXTS[K - 1].length; i++) {
    TEXTS[i].length = (unsigned char)snprintf(TEXTS[i].text, sizeof TEXTS[i].text, "%" PRIu64 "&", i);
  }
  for (u64 i = 0; i < length; end += TEXTS[REPORT[i++]].length) memcpy(end, TEXTS[REPORT[i]].text, sizeof TEXTS->text);
  if (length) end[-1] = '\n';
  // <bits>
  for (u64 i = 0; i < length; i++) *end++ = (char)('0' + REPORT[i]);
  *end++ = '\n';
  // <subset dense bits>
  fwrite(LINE, 1, (size_t)(end - LINE), stdout);
}

// </>
static u64 vector, drawn;
static u64 vector_word(void) {
  drawn++;
  return drawn <= WORDS ? VECTORS[vector].words[drawn - 1] : 0;
}

static int fails(const char *what, u64 number) {
  printf("the constants are damaged, a vector fails: %s %" PRIu64 "\n", what, number);
  return 1;
}

// 0 if all test vectors pass; print the first one that fails
static int failure(void) {
  static u64 i;
  // <interval hash classes projective>
  if (Q < 2) return fails("Q", Q);
  // <classes>
  if (!INDEX) return fails("INDEX", INDEX);
  // </>
  for (vector = 0; vector < LENGTH(VECTORS); vector++) {
    drawn = 0;
    if (setjmp(refused)) return fails("refused", vector);
    if (answer_number(VECTORS[vector].category) != VECTORS[vector].report) return fails("report", vector);
    if (drawn != VECTORS[vector].drawn) return fails("words", vector);
  }
  vector = 0;
  // <values>
  for (i = 0; i < LENGTH(REFUSED_NUMBERS); i++) {
    if (!setjmp(refused)) return neighbour(REFUSED_NUMBERS[i]), fails("a number is not refused", i);
  }
  // <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
  for (i = 0; i < LENGTH(REFUSED); i++) {
    if (!setjmp(refused)) return answer_number(REFUSED[i]), fails("a category is not refused", i);
  }
  // <direct interval hash classes projective cyclic>
  for (i = 0; i < LENGTH(HELD); i++) {
    if (setjmp(refused)) return fails("refused report", i);
    if (holds_direct(HELD[i][0], HELD[i][1]) != (int)HELD[i][2]) return fails("holds", i);
  }
  for (i = 0; i < LENGTH(REFUSED_REPORTS); i++) {
    if (!setjmp(refused)) return holds_direct(REFUSED_REPORTS[i], 0), fails("a report is not refused", i);
  }
  for (i = 0; i < LENGTH(REFUSED); i++) {
    if (!setjmp(refused)) return holds_direct(0, REFUSED[i]), fails("a category of a report is not refused", i);
  }
  // <columns texts questions values direct interval hash classes projective cyclic subset dense bits identified>
  static double found[2 * ROWS];
  for (i = 0; i < LENGTH(ESTIMATES); i++) {
    if (setjmp(refused)) return fails("refused counts", i);
    estimates_columns(GIVEN, ESTIMATES[i].given, found);
    for (int j = 0; j < 2 * ROWS; j++) {
      double expected = ESTIMATES[i].found[j], size = expected < 0 ? -expected : expected, far = found[j] - expected;
      if (!((far < 0 ? -far : far) <= 1e-9 * (size > 1 ? size : 1))) return fails("estimate", i);
    }
    if (!setjmp(refused)) return estimates_columns(GIVEN - 1, ESTIMATES[i].given, found), fails("a count missing", i);
  }
  // </>
  return 0;
}

int test(void) {
  word = vector_word;
  is_testing = 1;
  int failed = failure();
  is_testing = 0;
  word = system_word;
  if (!failed) puts("ok");
  return failed;
}

// numbers that are written with digits only
static u64 *numbers(int count, char **texts) {
  u64 *given = calloc(count ? count : 1, sizeof *given);
  if (!given) abort();
  for (int i = 0; i < count; i++) {
    size_t length = strspn(texts[i], "0123456789");
    if (!length || length > 15 || texts[i][length]) refuse("not a number: allowed are digits only, at most", 15);
    given[i] = strtoull(texts[i], 0, 10);
  }
  return given;
}

// print an estimate and its standard error on each line
int estimate(int count, char **texts) {
  static double rows[ROWS][2];
  u64 *given = numbers(count, texts);
  estimates_columns(count, given, rows[0]);
  for (int j = 0; j < ROWS; j++) printf("%.12g %.12g\n", rows[j][0], rows[j][1]);
  free(given);
  return 0;
}

static const char USAGE[] = "the command is missing or unknown: allowed are test, draw X N, estimate COUNTS; categories:";

// run a command and return the exit status
static int run(int argc, char **argv) {
  const char *command = argc > 1 ? argv[1] : "";
  if (argc == 2 && !strcmp(command, "test")) return test();
  if (argc > 1 && !strcmp(command, "estimate")) return estimate(argc - 2, argv + 2);
  if (argc != 4 || strcmp(command, "draw")) refuse(USAGE, K);
  // <values>
  u64 *times = numbers(1, argv + 3);
  neighbour(argv[2]);
  while (times[0]--) puts(randomize_values(argv[2]));
  free(times);
  return 0;
  // <named>
  u64 named = find_category(argv[2]);
  int is_number = strspn(argv[2], "0123456789") == strlen(argv[2]);
  if (named < K && is_number && strtoull(argv[2], 0, 10) != named) refuse("this is also the name of category", named);
  if (named < K) {
    u64 *times = numbers(1, argv + 3);
    while (times[0]--) show_number(named);
    free(times);
    return 0;
  }
  if (!is_number || !*argv[2]) refuse_category();
  // <columns texts questions direct interval hash classes projective cyclic restricted subset dense bits>
  u64 *given = numbers(2, argv + 2);
  require(given[0]);
  while (given[1]--) show_number(given[0]);
  free(given);
  return 0;
  // </>
}

int main(int argc, char **argv) {
  int status = run(argc, argv);
  if (!fflush(stdout) && !ferror(stdout)) return status;
  fputs("the output cannot be written\n", stderr);
  return 2;
}
