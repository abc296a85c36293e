// Calls one function of a client, which stands above, with given numbers.
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
  static u64 report[4096];
  (void)report, (void)argc;
  u64 a = strtoull(argv[2], 0, 10), b = strtoull(argv[3], 0, 10);
  if (!strcmp(argv[1], "randomize")) { RANDOMIZE(a); }
  if (!strcmp(argv[1], "holds")) { HOLDS(a, b); }
  return 0;
}
