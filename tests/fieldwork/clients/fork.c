// Whether parent and child draw the same reports by the client that stands above.
#include <unistd.h>
int main(void) {
  int ends[2];
  u64 mine[40], other[40];
  randomize(0);
  if (pipe(ends)) return 1;
  int child = fork() == 0;
  for (int i = 0; i < 40; i++) mine[i] = randomize(1);
  if (child) return write(ends[1], mine, sizeof mine) != sizeof mine;
  if (read(ends[0], other, sizeof other) != sizeof other) return 1;
  puts(memcmp(mine, other, sizeof mine) ? "different" : "equal");
  return 0;
}
