#include "allocation_counter.h"

#if defined(__linux__)
#include <features.h>
#endif
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HAS_SANITIZER
#endif
#endif

#if defined(__linux__) && defined(__GLIBC__) && !defined(HAS_SANITIZER)

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

// Each thread counts in a word of its own. For the sum of all it has a slot beside it, which it alone writes, so that counting takes no lock
// and no locked instruction. Slots are not given back, since the counts of threads that have ended stay: threads beyond the number of slots
// share the last one. A slot is therefore no count of one thread: a long run of tests starts more threads than there are slots.

enum { slot_count = 1024, cache_line = 64 };

typedef struct {
    _Alignas(cache_line) _Atomic uint64_t allocations;
} counter_slot;

static counter_slot slots[slot_count];
static _Atomic uint32_t taken;
static __thread counter_slot *own_slot __attribute__((tls_model("initial-exec")));
static __thread uint64_t own_count __attribute__((tls_model("initial-exec")));

static void count(void) {
    own_count++;
    counter_slot *slot = own_slot;
    if (!slot) {
        uint32_t number = atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed);
        slot = own_slot = &slots[number < slot_count ? number : slot_count - 1];
    }
    if (slot == &slots[slot_count - 1]) {
        atomic_fetch_add_explicit(&slot->allocations, 1, memory_order_relaxed);
    } else {
        uint64_t allocations = atomic_load_explicit(&slot->allocations, memory_order_relaxed);
        atomic_store_explicit(&slot->allocations, allocations + 1, memory_order_relaxed);
    }
}

// Of a thread that is measured: what it has allocated and not freed since, and the most of it.
static __thread struct {
    bool is_on;
    int64_t live;
    int64_t peak;
} measure __attribute__((tls_model("initial-exec")));

static void *taken_up(void *memory) {
    if (measure.is_on && memory) {
        measure.live += (int64_t)malloc_usable_size(memory);
        if (measure.live > measure.peak) measure.peak = measure.live;
    }
    return memory;
}

static void given_back(void *memory) {
    if (measure.is_on && memory) measure.live -= (int64_t)malloc_usable_size(memory);
}

// The names under which glibc itself has them.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

void *malloc(size_t size) {
    count();
    return taken_up(__libc_malloc(size));
}

void *calloc(size_t members, size_t size) {
    count();
    return taken_up(__libc_calloc(members, size));
}

void *realloc(void *memory, size_t size) {
    count();
    int64_t before = measure.is_on && memory ? (int64_t)malloc_usable_size(memory) : 0;
    void *result = __libc_realloc(memory, size);
    if (measure.is_on && (result || !size)) {
        measure.live -= before;
        taken_up(result);
    }
    return result;
}

void *memalign(size_t alignment, size_t size) {
    count();
    return taken_up(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || alignment & (alignment - 1)) return EINVAL;
    void *result = memalign(alignment, size);
    if (!result) return ENOMEM;
    *memory = result;
    return 0;
}

void free(void *memory) {
    given_back(memory);
    __libc_free(memory);
}

void allocation_peak_begin(void) {
    measure.live = measure.peak = 0;
    measure.is_on = true;
}

int64_t allocation_peak_end(void) {
    measure.is_on = false;
    return measure.peak;
}

bool allocation_counter_works(void) { return true; }

uint64_t allocation_counter_of_thread(void) { return own_count; }

uint64_t allocation_counter_of_all_threads(void) {
    uint64_t sum = 0;
    for (int i = 0; i < slot_count; i++) sum += atomic_load_explicit(&slots[i].allocations, memory_order_relaxed);
    return sum;
}

#else

bool allocation_counter_works(void) { return false; }

void allocation_peak_begin(void) {}

int64_t allocation_peak_end(void) { return 0; }

uint64_t allocation_counter_of_thread(void) { return 0; }

uint64_t allocation_counter_of_all_threads(void) { return 0; }

#endif
