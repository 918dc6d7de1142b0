// Counts what the calling thread allocates. Only glibc tells its own functions by other names, so only there it counts.
#pragma once
#include <stdint.h>

/// Whether the functions below count anything on this platform.
int allocations_are_counted(void);

/// How often the calling thread has asked for memory.
int64_t allocations_made(void);

/// Bytes that the heap has set aside for what the calling thread has asked for and not yet returned, with the
/// heap's own eight for each piece.
int64_t allocations_bytes(void);

/// Bytes that the heap has set aside for the piece at `pointer`, without the heap's own.
int64_t allocations_size(const void *pointer);
