#pragma once
#include <stdint.h>

/// Bytes in use on the heap, including the allocator's own bytes for each piece.
int64_t heap_bytes_in_use(void);
