// Tells ThreadSanitizer of the half of Synchronization.Mutex that it cannot see on Linux.
//
// The fast path of a mutex is compiled into the code that uses it, where its atomic instructions are seen. Who finds the mutex taken calls
// _lockSlow, and who gives back one that others wait for calls _unlockSlow; both are in libswiftSynchronization, which is not compiled for
// ThreadSanitizer, so that what they order looks like a race. The functions below have the same names, so that the linker takes
// them; they call the library's and say what happened. Nothing else is said of any lock, and nothing is suppressed.
//
// Linked into sanitized builds only; see Scripts/tsan.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Weak, because build tools that are no part of the tests may be linked with this too, without ThreadSanitizer.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define SWIFT_CALL __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context)) void *self

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static void *library_function(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) {
        fprintf(stderr, "mutex_annotations.c: %s is not in this version of Swift; look at its Synchronization module\n", name);
        abort();
    }
    return function;
}

SWIFT_CALL void trove_lock_slow(uint32_t thread, SWIFT_SELF) __asm__(LOCK_SLOW);
SWIFT_CALL void trove_lock_slow(uint32_t thread, SWIFT_SELF) {
    SWIFT_CALL void (*lock)(uint32_t, SWIFT_SELF) = library_function(LOCK_SLOW);
    lock(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT_CALL bool trove_try_lock_slow(SWIFT_SELF) __asm__(TRY_LOCK_SLOW);
SWIFT_CALL bool trove_try_lock_slow(SWIFT_SELF) {
    SWIFT_CALL bool (*try_lock)(SWIFT_SELF) = library_function(TRY_LOCK_SLOW);
    bool is_locked = try_lock(self);
    if (is_locked && __tsan_acquire) __tsan_acquire(self);
    return is_locked;
}

SWIFT_CALL void trove_unlock_slow(SWIFT_SELF) __asm__(UNLOCK_SLOW);
SWIFT_CALL void trove_unlock_slow(SWIFT_SELF) {
    SWIFT_CALL void (*unlock)(SWIFT_SELF) = library_function(UNLOCK_SLOW);
    if (__tsan_release) __tsan_release(self);
    unlock(self);
}
