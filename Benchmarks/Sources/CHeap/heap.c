#include "heap.h"

#include <stdio.h>

#if defined(__APPLE__)
#include <malloc/malloc.h>
#include <sys/resource.h>

int64_t heap_bytes_in_use(void) {
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return (int64_t)statistics.size_in_use;
}

int64_t peak_resident_kib(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (int64_t)usage.ru_maxrss / 1024 : 0;
}

#else
#include <malloc.h>

int64_t heap_bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}

// Does not use `getrusage`, because its maximum survives `exec`: a child would report its parent's peak.
int64_t peak_resident_kib(void) {
  FILE *status = fopen("/proc/self/status", "r");
  if (!status) return 0;
  char line[256];
  long peak = 0;
  while (fgets(line, sizeof line, status)) {
    if (sscanf(line, "VmHWM: %ld", &peak) == 1) break;
  }
  fclose(status);
  return peak;
}
#endif
