// The memory use of the process, as reported by the allocator and the kernel.
#pragma once
#include <stdint.h>

/// Bytes in use on the heap, including the allocator's own bytes for each piece.
int64_t heap_bytes_in_use(void);

/// The largest resident memory so far, in KiB.
int64_t peak_resident_kib(void);
