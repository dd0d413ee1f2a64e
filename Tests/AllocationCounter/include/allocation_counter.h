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

/// Begins to measure how much more memory this thread has allocated and not freed at one time than it has now.
void allocation_peak_begin(void);

/// Ends it, and tells the peak in bytes; 0 where allocations are not counted.
int64_t allocation_peak_end(void);

#endif
