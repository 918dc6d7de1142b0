// Threads share one kind of state without a lock: the last release of a reference runs a deinit, and a weak
// load detects the release. The runtime has hooks for allocations and releases. For weak references, this
// program has symbols that hide the runtime's symbols.
//
// The threads of a run run one at a time, so this file needs no locks. `current` is -1 on all other threads
// (the scheduler, Dispatch), and their actions are ignored.

#define _GNU_SOURCE
#include "hooks.h"
#include <dlfcn.h>
#include <string.h>

enum { PLACES = 1 << 16, MOST = 1 << 14, THREADS = 32 };

typedef struct {
  const void *address;
  uint64_t name;
  uint32_t run;
} Place;

static Place places[PLACES];
static uint32_t run = 1;
static uint64_t accesses[MOST];
static size_t count = 0;
static uint32_t made[THREADS + 1];
static uint32_t made_before = 0;
static __thread int current = -1;

static Place *find(const void *address) {
  size_t index = ((uintptr_t)address >> 4) * 0x9E3779B97F4A7C15u >> 48;
  for (size_t tries = 0; tries < PLACES; tries++) {
    Place *place = &places[(index + tries) & (PLACES - 1)];
    if (place->run != run || place->address == address) return place;
  }
  __builtin_trap();
}

static uint64_t name_of(const void *address) {
  Place *place = find(address);
  return place->run == run ? place->name : 0;
}

static void give(const void *address, uint64_t name) {
  Place *place = find(address);
  *place = (Place){address, name, run};
}

int hooks_enter(int thread) {
  int before = current;
  current = thread;
  return before;
}

void hooks_begin(void) {
  run++;
  count = 0;
  memset(made, 0, sizeof made);
}

uint64_t hooks_name(void) {
  if (current < 0) return UINT64_C(1) << 26 | made_before++;
  return (uint64_t)(current + 1) << 20 | made[current]++;
}

/// A use of an object or variable by the current step.
typedef struct {
  uint64_t name;
  bool is_read;
  bool is_written;
  /// `balance`: references retained since the step began, minus references released. `depth`: how far below
  /// zero the balance has been.
  int32_t balance;
  int32_t depth;
  size_t left;
} Use;

static Use uses[MOST];

static Use *use(uint64_t name) {
  static Use nothing;
  if (current < 0 || name == 0) return &nothing;
  for (size_t index = 0; index < count; index++) {
    if (uses[index].name == name) return &uses[index];
  }
  if (count == MOST) __builtin_trap();
  uses[count] = (Use){.name = name};
  return &uses[count++];
}

void hooks_touch(uint64_t name, bool writes) {
  if (writes) use(name)->is_written = true; else use(name)->is_read = true;
}

const uint64_t *hooks_accesses(size_t *number) {
  const uint64_t most = 0xFFFF;
  *number = 0;
  for (size_t index = 0; index < count; index++) {
    Use of = uses[index];
    uint64_t depth = of.depth > 0 ? (uint64_t)of.depth : 0;
    // A step that releases no more references than it has retained does not affect other threads.
    if (!of.is_read && !of.is_written && depth == 0) continue;
    accesses[(*number)++] = of.name << 34 | (uint64_t)of.is_read << 33 | (depth < most ? depth : most) << 17 |
      (of.left < most ? of.left : most) << 1 | of.is_written;
  }
  return accesses;
}

void hooks_clear(void) { count = 0; }

#ifdef __linux__

extern void *(*_swift_allocObject)(const void *metadata, size_t size, size_t mask);
extern void *(*_swift_retain)(void *object);
extern void *(*_swift_retain_n)(void *object, uint32_t times);
extern void (*_swift_release)(void *object);
extern void (*_swift_release_n)(void *object, uint32_t times);
extern bool _swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly;
extern size_t swift_retainCount(void *object);

static void *(*real_alloc)(const void *, size_t, size_t);
static void *(*real_retain)(void *);
static void *(*real_retain_n)(void *, uint32_t);
static void (*real_release)(void *);
static void (*real_release_n)(void *, uint32_t);

// While the hooks are in use, the runtime passes them the text of strings as if it were an object. Without
// hooks, the runtime first checks the sign of the address. To detect such texts, this table records every
// page that ever had an object. An address on another page is an immortal object, or no object at all.

enum { HEAP = 1 << 20, PAGE = 12 };
static uintptr_t heap[HEAP];

static uintptr_t *slot(uintptr_t page) {
  size_t index = page * 0x9E3779B97F4A7C15u >> 44;
  while (heap[index] != 0 && heap[index] != page) index = (index + 1) & (HEAP - 1);
  return &heap[index];
}

static bool is_object(const void *object) {
  return (uintptr_t)object >> PAGE != 0 && *slot((uintptr_t)object >> PAGE) != 0;
}

static void *alloc(const void *metadata, size_t size, size_t mask) {
  void *object = real_alloc(metadata, size, mask);
  uintptr_t page = (uintptr_t)object >> PAGE;
  uintptr_t *place;
  do place = slot(page);
  while (*place == 0 && !__sync_bool_compare_and_swap(place, 0, page));
  if (current >= 0) give(object, hooks_name());
  return object;
}

static void *retain(void *object) {
  if (!is_object(object)) return object;
  if (current >= 0) use(name_of(object))->balance++;
  return real_retain(object);
}

static void *retain_n(void *object, uint32_t times) {
  if (!is_object(object)) return object;
  if (current >= 0) use(name_of(object))->balance += (int32_t)times;
  return real_retain_n(object, times);
}

static void note_release(void *object, uint32_t times) {
  if (current < 0) return;
  size_t left = swift_retainCount(object) - times;
  Use *of = use(name_of(object));
  of->balance -= (int32_t)times;
  if (of->depth < -of->balance) of->depth = -of->balance;
  of->left = left;
  if (left == 0) of->is_written = true;
}

static void release(void *object) {
  if (!is_object(object)) return;
  note_release(object, 1);
  real_release(object);
}

static void release_n(void *object, uint32_t times) {
  if (!is_object(object)) return;
  note_release(object, times);
  real_release_n(object, times);
}

/// Runs before any other code of the program.
__attribute__((constructor)) static void install(void) {
  real_alloc = _swift_allocObject;
  real_retain = _swift_retain;
  real_retain_n = _swift_retain_n;
  real_release = _swift_release;
  real_release_n = _swift_release_n;
  _swift_allocObject = alloc;
  _swift_retain = retain;
  _swift_retain_n = retain_n;
  _swift_release = release;
  _swift_release_n = release_n;
  _swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly = true;
}

// A weak reference has the name of its object. The name is stored, because it cannot be found after the
// object is freed.

static void *real(const char *symbol, void **known) {
  if (*known == NULL) *known = dlsym(RTLD_NEXT, symbol);
  return *known;
}

typedef void *One(void *);
typedef void *Two(void *, void *);
#define REAL(symbol, type) static void *known; type *function = (type *)real(symbol, &known)

static void *loaded(void *reference, void *object) {
  if (current < 0) return object;
  Use *of = use(name_of(reference));
  of->is_read = true;
  if (object != NULL) of->balance++;
  return object;
}

void *swift_weakInit(void *reference, void *object) {
  REAL("swift_weakInit", Two);
  if (current >= 0) give(reference, object ? name_of(object) : 0);
  return function(reference, object);
}

void *swift_weakAssign(void *reference, void *object) {
  REAL("swift_weakAssign", Two);
  if (current >= 0) give(reference, object ? name_of(object) : 0);
  return function(reference, object);
}

void *swift_weakCopyInit(void *to, void *from) {
  REAL("swift_weakCopyInit", Two);
  if (current >= 0) {
    hooks_touch(name_of(from), false);
    give(to, name_of(from));
  }
  return function(to, from);
}

void *swift_weakTakeInit(void *to, void *from) {
  REAL("swift_weakTakeInit", Two);
  if (current >= 0) give(to, name_of(from));
  return function(to, from);
}

void *swift_weakLoadStrong(void *reference) {
  REAL("swift_weakLoadStrong", One);
  return loaded(reference, function(reference));
}

void *swift_weakTakeStrong(void *reference) {
  REAL("swift_weakTakeStrong", One);
  return loaded(reference, function(reference));
}

#endif
