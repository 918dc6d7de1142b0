// A word that threads read and write without a lock. Only Apple systems use it, because there `Atomic` of
// `Synchronization` begins with macOS 15 and iOS 18.
#pragma once
#include <stdint.h>

static inline uintptr_t atomic_word_load(const uintptr_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline void atomic_word_store(uintptr_t *word, uintptr_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}
