// The executable's own malloc and its relatives, which the dynamic linker prefers to the C library's: each counts
// and calls the original by glibc's second name for it.
#include "allocations.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__GLIBC__)
#include <malloc.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// Thread-local, so that what other threads do (Dispatch's, say) leaves the figures exact.
static _Thread_local int64_t made __attribute__((tls_model("initial-exec")));
static _Thread_local int64_t bytes __attribute__((tls_model("initial-exec")));

enum { OWN = 8 };

static void *counted(void *piece) {
  if (piece) {
    made += 1;
    bytes += (int64_t)malloc_usable_size(piece) + OWN;
  }
  return piece;
}

static void returned(void *piece) {
  if (piece) bytes -= (int64_t)malloc_usable_size(piece) + OWN;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }
void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **out, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *piece = counted(__libc_memalign(alignment, size));
  if (!piece) return ENOMEM;
  *out = piece;
  return 0;
}

void *realloc(void *old, size_t size) {
  int64_t before = old ? (int64_t)malloc_usable_size(old) + OWN : 0;
  void *piece = __libc_realloc(old, size);
  if (piece || size == 0) bytes -= before;
  return counted(piece);
}

void free(void *piece) {
  returned(piece);
  __libc_free(piece);
}

int allocations_are_counted(void) { return 1; }
int64_t allocations_made(void) { return made; }
int64_t allocations_bytes(void) { return bytes; }
int64_t allocations_size(const void *pointer) { return (int64_t)malloc_usable_size((void *)pointer); }

#else

int allocations_are_counted(void) { return 0; }
int64_t allocations_made(void) { return 0; }
int64_t allocations_bytes(void) { return 0; }
int64_t allocations_size(const void *pointer) { return 0; }

#endif
