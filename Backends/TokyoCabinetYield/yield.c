#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "TokyoCabinetYield.h"

#if defined(__linux__)
#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// The code of the library. The length is written last and read first: while it is 0 nothing lies inside.
static _Atomic uintptr_t code_start;
static _Atomic size_t code_length;

struct search {
    uintptr_t address;
    uintptr_t start;
    size_t length;
};

static int find_segment(struct dl_phdr_info *image, size_t size, void *context) {
    (void)size;
    struct search *search = context;
    for (int number = 0; number < image->dlpi_phnum; number++) {
        const ElfW(Phdr) *segment = &image->dlpi_phdr[number];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
        uintptr_t start = (uintptr_t)(image->dlpi_addr + segment->p_vaddr);
        if (search->address - start < segment->p_memsz) {
            search->start = start;
            search->length = segment->p_memsz;
            return 1;
        }
    }
    return 0;
}

void trove_ignore_yields_of(const char *function) {
    if (atomic_load_explicit(&code_length, memory_order_acquire) != 0) return;
    struct search search = {.address = (uintptr_t)dlsym(RTLD_DEFAULT, function)};
    dl_iterate_phdr(find_segment, &search);
    // Linked into one image with this function, the library's code cannot be told from the program's.
    if (search.length == 0 || (uintptr_t)&trove_ignore_yields_of - search.start < search.length) return;
    atomic_store_explicit(&code_start, search.start, memory_order_relaxed);
    atomic_store_explicit(&code_length, search.length, memory_order_release);
}

// Stands before the C library's function: shared libraries look a name up in the program first. Weak, so that a program that
// brings a function of this name along links as before.
__attribute__((weak)) int sched_yield(void) {
    size_t length = atomic_load_explicit(&code_length, memory_order_acquire);
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    if (caller - atomic_load_explicit(&code_start, memory_order_relaxed) < length) return 0;
    return (int)syscall(SYS_sched_yield);
}

#else

void trove_ignore_yields_of(const char *function) {
    (void)function;
}

#endif
