// Reads and writes of a word by several threads, for `Memory/AtomicWord.swift` on Apple systems.
#pragma once
#include <stdint.h>

static inline uintptr_t atomic_word_load(const uintptr_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

static inline void atomic_word_store(uintptr_t *word, uintptr_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
