// Takes the place of the system calls that change files, in the program it is linked into, so that the nth of them can fail.
//
// Linux only: the functions are found before those of the C library because they stand in the program itself.

#ifndef FAILING_CALLS_H
#define FAILING_CALLS_H

#include <stdbool.h>
#include <stdint.h>

// Whether calls can be made to fail here.
bool failing_calls_are_in_place(void);

// Counts calls from now on; the nth returns an error with this number, and when `lasts` all after it too. With `error` 0 the nth writes the
// half of what it was given, and the calls that follow fail with ENOSPC when `lasts`.
void failing_calls_arm(int64_t nth, int error, bool lasts);

// As above with one failure, after which writes that succeed leave the error number `left` behind, as allocators do that find memory at last.
void failing_calls_arm_hidden(int64_t nth, int error, int left);

// Ends the process at the nth call from now on, before the call is made. Renaming, removing and making of files and folders are calls here too.
void failing_calls_arm_end(int64_t nth);

// The exit status of such a process.
enum { failing_calls_end_status = 77 };

// Lets every call pass from now on.
void failing_calls_disarm(void);

// The calls that failed since they were armed.
int64_t failing_calls_failed(void);

// The name of the first call that failed, "" when none did.
const char *failing_calls_first(void);

#endif
