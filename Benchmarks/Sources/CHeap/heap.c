#include "heap.h"

#if defined(__APPLE__)
#include <malloc/malloc.h>

int64_t heap_bytes_in_use(void) {
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return (int64_t)statistics.size_in_use;
}

#else
#include <malloc.h>

int64_t heap_bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}
#endif
