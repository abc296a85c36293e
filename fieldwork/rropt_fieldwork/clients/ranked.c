// Exact reports of subset selection; rropt's page "Ship a client" describes it. cc -O2 -o client client.c
// <named>
// A category is given by its number; find_category(name) returns it.
// </>
// Call randomize(category, report) once, and keep the report: a new draw of the same truth reveals more. Commands:
//
//   test              print "ok", or the test vector that fails (exit status 1)
//   draw X N          print N reports of category X
//   estimate HITS N   print estimate and standard error of a category that HITS of N reports contain
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
typedef uint64_t u64;

// <data>
const char IDENTITY[] = "";
const char *const CATEGORIES[] = {"no", "yes", "maybe"};  // names of the categories 0 to K - 1
enum { K = 3 };  // categories
enum { WORDS = 1 };  // most words of a test vector
static const u64 SIZE = 2u;  // categories of a report
static const u64 INSIDE = 2u;  // sets with the truth, each of weight OWN
static const u64 OWN = 2u;
static const u64 OUTSIDE = 1u;  // sets without the truth, each of weight OTHER
static const u64 OTHER = 1u;
// category, words (then zeros), number of words drawn, digest of the report
static const struct { u64 category, words[WORDS], drawn, digest; } VECTORS[] = {{0u, {0u}, 1u, 65538u}};
// </data>
enum { LENGTH = sizeof VECTORS / sizeof *VECTORS };
static u64 vector = LENGTH, drawn;

static u64 word(void) {
  u64 w;
  if (vector < LENGTH) return drawn < WORDS ? VECTORS[vector].words[drawn++] : (drawn++, 0);
  if (getrandom(&w, sizeof w, 0) != sizeof w) abort();
  return w;
}

_Noreturn static void refuse(const char *reason, u64 number) {
  fprintf(stderr, "%s %" PRIu64 "\n", reason, number);
  exit(2);
}

// <named>
// the number of a category from its name; K if no category has the name
u64 find_category(const char *name) {
  u64 found = 0;
  while (found < K && strcmp(CATEGORIES[found], name)) found++;
  return found;
}

// </>
// does not repeat a category: it may be the truth
static void require(u64 category) {
  // <named>
  if (category < K) return;
  fprintf(stderr, "no such category: allowed are the integers from 0 to %d and the names", K - 1);
  for (u64 i = 0; i < (K > 12 ? 5 : K); i++) {
    fputs(i ? ", \"" : " \"", stderr);
    for (const char *c = CATEGORIES[i]; *c; c++) fputc((unsigned char)*c < 32 || *c == 127 ? '?' : *c, stderr);
    fputc('"', stderr);
  }
  if (K > 12) fprintf(stderr, ", and so on: all %d are in CATEGORIES", K);
  fputc('\n', stderr);
  exit(2);
  // <unnamed>
  if (category >= K) refuse("no such category: allowed are the integers from 0 to", K - 1);
  // </>
}

// a report of a category: SIZE categories in ascending order; return SIZE
// A uniform u below total selects a set by its rank: of the c sets of s of n categories, c s / n contain the first.
u64 randomize(u64 category, u64 *report) {
  require(category);
  u64 truth = INSIDE * OWN, total = truth + OUTSIDE * OTHER, mask = total - 1, u, length = 0, n = K - 1;
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  do u = word() & mask; while (u >= total);
  u64 inside = u < truth, rank = inside ? u / OWN : (u - truth) / OTHER, c = inside ? INSIDE : OUTSIDE, s = SIZE - inside;
  for (u64 y = 0; y < K; y++) {
    if (y == category) {
      if (inside) report[length++] = y;
      continue;
    }
    u64 first = c / n * s + c % n * s / n;  // c s / n, in 64 bits
    n--;
    if (rank < first) report[length++] = y, c = first, s--;
    else rank -= first, c -= first;
  }
  return length;
}

static void estimate(u64 hits, u64 many) {
  if (!many || hits > many) refuse("HITS of N reports: needed is 0 < N >= HITS; N is", many);
  double own = (double)(INSIDE * OWN), truth = own / (own + (double)(OUTSIDE * OTHER)), rate = (double)hits / (double)many;
  double other = ((double)SIZE - truth) / (K - 1);  // a report contains another category
  double x = rate * (1 - rate) / (double)many, root = 0, next = 1;
  if (x > 0) do root = next, next = (root + x / root) / 2; while (next < root);  // Newton's method
  printf("%.12g %.12g\n", (rate - other) / (truth - other), root / (truth - other));
}

static u64 REPORT[K];

int test(void) {
  for (vector = 0; vector < LENGTH; vector++) {
    u64 h = 0, category = VECTORS[vector].category, length = drawn = 0;
    if (category < K) length = randomize(category, REPORT);
    for (u64 i = 0; i < length; i++) h = (h * 65537 + REPORT[i] + 1) % 2147483647;
    if (h == VECTORS[vector].digest && drawn == VECTORS[vector].drawn) continue;
    printf("the constants are damaged, a vector fails: %" PRIu64 "\n", vector);
    vector = LENGTH;
    return 1;
  }
  puts("ok");
  return 0;
}

static u64 number(const char *text) {
  size_t length = strspn(text, "0123456789");
  if (!length || length > 15 || text[length]) refuse("not a number: allowed are digits, at most", 15);
  return strtoull(text, 0, 10);
}

int main(int argc, char **argv) {
  const char *command = argc > 1 ? argv[1] : "";
  int status = 0;
  if (argc == 2 && !strcmp(command, "test")) status = test();
  else if (argc == 4 && !strcmp(command, "estimate")) estimate(number(argv[2]), number(argv[3]));
  else if (argc == 4 && !strcmp(command, "draw")) {
    // <named>
    u64 category = find_category(argv[2]);
    int is_number = *argv[2] && strspn(argv[2], "0123456789") == strlen(argv[2]);
    if (category < K && is_number && number(argv[2]) != category) refuse("this is also the name of category", category);
    if (is_number) category = number(argv[2]);
    // <unnamed>
    u64 category = number(argv[2]);
    // </>
    require(category);
    for (u64 left = number(argv[3]); left--; putchar('\n')) {
      u64 length = randomize(category, REPORT);
      // <named>
      for (u64 i = 0; i < length; i++) printf(i ? "&%s" : "%s", CATEGORIES[REPORT[i]]);
      // <unnamed>
      for (u64 i = 0; i < length; i++) printf(i ? "&%" PRIu64 : "%" PRIu64, REPORT[i]);
      // </>
    }
  } else refuse("no such command: allowed are test, draw X N, estimate HITS N; categories:", K);
  if (!fflush(stdout) && !ferror(stdout)) return status;
  fputs("the output cannot be written\n", stderr);
  return 2;
}
