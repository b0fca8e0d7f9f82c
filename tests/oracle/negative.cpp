// The beginning of the programs that tests/oracle/negative.py writes.
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>
#include <cute/tensor.hpp>
using namespace cute;
template <class S> bool positive(S const& s) {
  bool ok = true;
  for_each(flatten_to_tuple(s), [&](auto x) { ok = ok && int(x) > 0; });
  return ok;
}
template <class T> void answer(int id, T const& t) { printf("%d|", id); print(t); printf("|"); }
template <class F> void list(int n, F f) {
  for (int i = 0; i < n; ++i) printf("%d ", int(f(i)));
  printf("|");
}
void done() { printf("\n"); fflush(stdout); _exit(0); }
int main() {
