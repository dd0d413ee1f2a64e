#define _GNU_SOURCE
#include "FailingCalls.h"

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static bool isArmed;
static int64_t target, calls, failed;
static int errorNumber;
static bool goesOn;
static const char *firstCall = "";
static int leftBehind;
static bool endsProcess;

bool failing_calls_are_in_place(void) { return true; }

void failing_calls_arm(int64_t nth, int error, bool lasts) {
    target = nth;
    errorNumber = error;
    goesOn = lasts;
    leftBehind = 0;
    endsProcess = false;
    failed = 0;
    firstCall = "";
    __atomic_store_n(&calls, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&isArmed, true, __ATOMIC_SEQ_CST);
}

void failing_calls_arm_hidden(int64_t nth, int error, int left) {
    failing_calls_arm(nth, error, false);
    leftBehind = left;
}

void failing_calls_arm_end(int64_t nth) {
    failing_calls_arm(nth, EIO, false);
    endsProcess = true;
}

void failing_calls_disarm(void) { __atomic_store_n(&isArmed, false, __ATOMIC_SEQ_CST); }

int64_t failing_calls_failed(void) { return __atomic_load_n(&failed, __ATOMIC_SEQ_CST); }

const char *failing_calls_first(void) { return firstCall; }

// Pipes and terminals are left alone.
static bool is_file(int descriptor) {
    struct stat status;
    return descriptor > 2 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

// Counts a call; whether it is to fail. Sets errno then, and `isHalf` when a write is to be cut short instead.
static bool fails(const char *name, int descriptor, bool *isHalf) {
    if (!__atomic_load_n(&isArmed, __ATOMIC_SEQ_CST)) return false;
    int before = errno;
    if (descriptor >= 0 && !is_file(descriptor)) {
        errno = before;
        return false;
    }
    errno = before;
    int64_t call = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
    if (call != target && !(goesOn && call > target)) return false;
    if (endsProcess) _exit(failing_calls_end_status);
    bool isFirst = call == target;
    if (isFirst && errorNumber == 0) {
        // Only a write can be cut short; other calls pass.
        if (!isHalf) return false;
        *isHalf = true;
    }
    if (__atomic_add_fetch(&failed, 1, __ATOMIC_SEQ_CST) == 1) firstCall = name;
    if (isHalf && *isHalf) return false;
    errno = errorNumber ? errorNumber : ENOSPC;
    return true;
}

// What a write returns; after a failure one that succeeds may leave an error number behind.
static ssize_t written(ssize_t count) {
    if (count >= 0 && leftBehind && __atomic_load_n(&isArmed, __ATOMIC_SEQ_CST) && failing_calls_failed() > 0) errno = leftBehind;
    return count;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    bool isHalf = false;
    if (fails("write", descriptor, &isHalf)) return -1;
    return written(syscall(SYS_write, descriptor, bytes, isHalf && count > 1 ? count / 2 : count));
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    bool isHalf = false;
    if (fails("pwrite", descriptor, &isHalf)) return -1;
    return written(syscall(SYS_pwrite64, descriptor, bytes, isHalf && count > 1 ? count / 2 : count, offset));
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) { return pwrite(descriptor, bytes, count, offset); }

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    if (fails("writev", descriptor, NULL)) return -1;
    return syscall(SYS_writev, descriptor, parts, count);
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
    if (fails("pwritev", descriptor, NULL)) return -1;
    return syscall(SYS_pwritev, descriptor, parts, count, offset, 0);
}

ssize_t pwritev64(int descriptor, const struct iovec *parts, int count, off64_t offset) {
    return pwritev(descriptor, parts, count, offset);
}

// Syncs that do not fail are not made: they take time, and change nothing for a process and a system that go on.
int fsync(int descriptor) { return fails("fsync", descriptor, NULL) ? -1 : 0; }

int fdatasync(int descriptor) { return fails("fdatasync", descriptor, NULL) ? -1 : 0; }

int msync(void *address, size_t size, int flags) { return fails("msync", -1, NULL) ? -1 : 0; }

int ftruncate(int descriptor, off_t size) {
    // Cutting a file to the size it has does nothing that could fail.
    struct stat status;
    if (fstat(descriptor, &status) == 0 && status.st_size == size) return 0;
    if (fails("ftruncate", descriptor, NULL)) return -1;
    return (int)syscall(SYS_ftruncate, descriptor, size);
}

int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }

// These do not fail; a process may end before them.
static void passed(const char *name) {
    if (endsProcess) fails(name, -1, NULL);
}

int rename(const char *old, const char *new) {
    passed("rename");
    return (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
}

int unlink(const char *path) {
    passed("unlink");
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int mkdir(const char *path, mode_t mode) {
    passed("mkdir");
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

#else

bool failing_calls_are_in_place(void) { return false; }
void failing_calls_arm(int64_t nth, int error, bool lasts) {}
void failing_calls_arm_hidden(int64_t nth, int error, int left) {}
void failing_calls_arm_end(int64_t nth) {}
void failing_calls_disarm(void) {}
int64_t failing_calls_failed(void) { return 0; }
const char *failing_calls_first(void) { return ""; }

#endif
