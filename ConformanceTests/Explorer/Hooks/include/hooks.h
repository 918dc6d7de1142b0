// What the Swift runtime does to objects, seen by the explorer: who made, released and weakly loaded what.

#ifndef EXPLORER_HOOKS_H
#define EXPLORER_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// From now on objects of this class are counted.
void hooks_watch(const void *metadata);

/// Forgets everything, for a new run.
void hooks_begin(void);

/// The calling thread is this one of the run from now on; -1: none, and nothing that it does is seen.
/// Returns what it was before.
int hooks_enter(int thread);

/// A name for something that the calling thread makes. The same in every run in which it does the same up to then.
uint64_t hooks_name(void);

/// The calling thread reads or writes what has this name.
void hooks_touch(uint64_t name, bool writes);

/// What was touched since the last `hooks_clear`. From the highest bit on: the name (30 bits), whether it was read (1), how
/// many references were given up that had not been taken (16), how many were left (16), whether it was written (1).
const uint64_t *hooks_accesses(size_t *count);
void hooks_clear(void);

/// How many objects of the watched class there are more than at `hooks_begin`.
int64_t hooks_count(void);

#endif
