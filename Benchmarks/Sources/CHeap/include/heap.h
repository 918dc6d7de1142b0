// How much memory the process has, as the system's allocator and the kernel see it.
#pragma once
#include <stdint.h>

/// Bytes in use on the heap, with the allocator's own for each piece.
int64_t heap_bytes_in_use(void);

/// The largest resident memory so far, in KiB.
int64_t peak_resident_kib(void);
