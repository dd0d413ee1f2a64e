#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

// Counts what a program asks of malloc and its kin, by standing before the C library's own functions. A program that has this target is
// counted from its first allocation on; that costs it about a nanosecond each.

/// Whether this program's allocations are counted: on Linux with glibc, without a sanitizer.
bool allocation_counter_works(void);

/// How often this thread has allocated memory so far.
uint64_t allocation_counter_of_thread(void);

/// How often all threads have. A moment later there may be more.
uint64_t allocation_counter_of_all_threads(void);

#endif
