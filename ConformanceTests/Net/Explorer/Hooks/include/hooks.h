// Reports to the explorer how the Swift runtime uses objects: which thread makes, releases and weakly loads
// an object.

#ifndef EXPLORER_HOOKS_H
#define EXPLORER_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Clears all records, for a new run.
void hooks_begin(void);

/// Sets the number of the calling thread in the run. With -1, the actions of the thread are ignored. Returns
/// the former number.
int hooks_enter(int thread);

/// Returns a name for an object that the calling thread makes. Runs that are the same up to this moment give
/// the same name.
uint64_t hooks_name(void);

/// Records that the calling thread reads or writes the object with this name.
void hooks_touch(uint64_t name, bool writes);

/// Returns the uses since the last `hooks_clear`. A use has five fields, from the highest bit on:
/// - the name (30 bits);
/// - whether it was read (1);
/// - the number of references that were released without having been retained (16);
/// - the number of references left (16);
/// - whether it was written (1).
const uint64_t *hooks_accesses(size_t *count);
void hooks_clear(void);

#endif
