// The calls that the engines make. Each is counted, ends the process when it is the one to end at, is made, and is recorded.

#if defined(__linux__)
#define _GNU_SOURCE
#include "Recorder.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define RECORDER_IS_OUT_OF_PLACE 1
#endif
#endif

pthread_mutex_t recorderLock = PTHREAD_MUTEX_INITIALIZER;

int raw_open(const char *path, int flags, mode_t mode) { return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode); }
int raw_close(int descriptor) { return (int)syscall(SYS_close, descriptor); }
ssize_t raw_pread(int descriptor, void *bytes, size_t count, off_t offset) {
    return syscall(SYS_pread64, descriptor, bytes, count, offset);
}
ssize_t raw_pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
}
int raw_ftruncate(int descriptor, off_t size) { return (int)syscall(SYS_ftruncate, descriptor, size); }
int raw_unlink(const char *path) { return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0); }
static off_t raw_lseek(int descriptor, off_t offset, int whence) { return syscall(SYS_lseek, descriptor, offset, whence); }

_Noreturn void recorder_end_process(void) {
    for (;;) {
        syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    }
}

pid_t recorder_fork(void) { return fork(); }

bool recorder_pipe(int *ends) { return pipe2(ends, O_CLOEXEC) == 0; }

pid_t recorder_spawn(const char *path, char *const *arguments, int output) {
    extern char **environ;
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return -1;
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    pid_t child;
    int code = posix_spawn(&child, path, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code == 0 ? child : -1;
}

// The mappings that a sync reaches; none is noted where the calls below are left out.
enum { maxMappings = 64 };
static struct {
    char *start;
    size_t size;
    off_t offset;
    int file;
    // A descriptor of the recorder's own, never closed: closing one would drop the engine's locks.
    int descriptor;
} mappings[maxMappings];

void record_sync_of_mappings(int file, int descriptor) {
    for (int index = 0; index < maxMappings; index++) {
        if (!mappings[index].start || mappings[index].file != file) continue;
        record_sync_of_range(file, descriptor, mappings[index].offset, mappings[index].offset + (off_t)mappings[index].size);
    }
}

void recorder_arm(RecorderState *state, uint32_t kinds, int64_t target, uint32_t mode) {
    state->killTarget = target;
    state->killMode = mode;
    __atomic_store_n(&state->callCount, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&state->armedKinds, kinds, __ATOMIC_SEQ_CST);
}

void recorder_disarm(RecorderState *state) { __atomic_store_n(&state->armedKinds, 0, __ATOMIC_SEQ_CST); }

// Counts a call that is about to be made; whether the process is to end at it, after the call or in the middle of it.
static bool counted(uint32_t kind) {
    RecorderState *state = recorder;
    if (!(__atomic_load_n(&state->armedKinds, __ATOMIC_SEQ_CST) & kind)) return false;
    if (__atomic_add_fetch(&state->callCount, 1, __ATOMIC_SEQ_CST) != state->killTarget) return false;
    if (state->killMode == RecorderKillsBefore) recorder_end_process();
    if (state->killMode == RecorderKillsInside && kind != RecorderWrites && kind != RecorderTruncations) recorder_end_process();
    return true;
}

static void end_if(bool isLast) {
    if (isLast) recorder_end_process();
}

#ifndef RECORDER_IS_OUT_OF_PLACE

bool recorder_is_in_place(void) { return true; }

// MARK: Writing

// Makes the write, or half of it and the end.
static ssize_t written(int file, int descriptor, const void *bytes, size_t count, off_t offset, bool isPositioned) {
    bool isLast = counted(RecorderWrites);
    if (isLast && recorder->killMode == RecorderKillsInside) {
        count /= 2;
    }
    // Held while writing, so that no sync in between takes half of a page to the disk.
    pthread_mutex_lock(&recorderLock);
    if (!isPositioned) {
        int flags = fcntl(descriptor, F_GETFL);
        offset = raw_lseek(descriptor, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
    }
    ssize_t result = isPositioned ? raw_pwrite(descriptor, bytes, count, offset) : syscall(SYS_write, descriptor, bytes, count);
    int code = errno;
    end_if(isLast && recorder->killMode == RecorderKillsInside);
    if (result > 0) {
        record_write(file, offset, offset + result);
        if (fcntl(descriptor, F_GETFL) & (O_SYNC | O_DSYNC)) record_sync_of_range(file, descriptor, offset, offset + result);
        record_writeback();
    }
    pthread_mutex_unlock(&recorderLock);
    end_if(isLast);
    errno = code;
    return result;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    int file = file_of_descriptor(descriptor);
    if (file < 0) return syscall(SYS_write, descriptor, bytes, count);
    return written(file, descriptor, bytes, count, 0, false);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    int file = file_of_descriptor(descriptor);
    if (file < 0) return raw_pwrite(descriptor, bytes, count, offset);
    return written(file, descriptor, bytes, count, offset, true);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) { return pwrite(descriptor, bytes, count, offset); }

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    if (file_of_descriptor(descriptor) < 0) return syscall(SYS_writev, descriptor, parts, count);
    // A short count is what callers have to expect anyway.
    ssize_t total = 0;
    for (int index = 0; index < count; index++) {
        ssize_t result = write(descriptor, parts[index].iov_base, parts[index].iov_len);
        if (result < 0) return total > 0 ? total : -1;
        total += result;
        if ((size_t)result < parts[index].iov_len) break;
    }
    return total;
}

int ftruncate(int descriptor, off_t size) {
    int file = file_of_descriptor(descriptor);
    if (file < 0) return raw_ftruncate(descriptor, size);
    bool isLast = counted(RecorderTruncations);
    pthread_mutex_lock(&recorderLock);
    struct stat before;
    bool isKnown = fstat(descriptor, &before) == 0;
    bool isCutting = isKnown && size < before.st_size;
    if (isCutting) recorder->files[file].cutting = size;
    int result = raw_ftruncate(descriptor, size);
    int code = errno;
    end_if(isLast && recorder->killMode == RecorderKillsInside);
    if (result == 0 && isKnown) {
        if (isCutting) record_cut(file, size); else record_write(file, before.st_size, size);
    }
    if (isCutting) recorder->files[file].cutting = -1;
    record_writeback();
    pthread_mutex_unlock(&recorderLock);
    end_if(isLast);
    errno = code;
    return result;
}

int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }

// MARK: Syncing

static int synced(int descriptor, long call) {
    RecorderState *state = recorder;
    int file = file_of_descriptor(descriptor);
    bool isDirectory = file < 0 && state && is_directory(descriptor);
    if (file < 0 && !isDirectory) return (int)syscall(call, descriptor);
    bool isLast = counted(RecorderSyncs);
    int result = state->syncsForReal ? (int)syscall(call, descriptor) : 0;
    int code = errno;
    if (result == 0) {
        pthread_mutex_lock(&recorderLock);
        __atomic_add_fetch(&state->syncCount, 1, __ATOMIC_SEQ_CST);
        if (isDirectory) record_directory_sync(); else record_sync(file, descriptor);
        pthread_mutex_unlock(&recorderLock);
    }
    end_if(isLast);
    errno = code;
    return result;
}

int fsync(int descriptor) { return synced(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return synced(descriptor, SYS_fdatasync); }

// MARK: Mapping

static void *mapped(void *address, size_t size, int protection, int flags, int descriptor, off_t offset) {
    return (void *)syscall(SYS_mmap, address, size, protection, flags, descriptor, offset);
}

void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t offset) {
    int file = descriptor < 0 || !(flags & MAP_SHARED) ? -1 : file_of_descriptor(descriptor);
    if (file < 0) return mapped(address, size, protection, flags, descriptor, offset);
    bool isLast = counted(RecorderMappings);
    void *result = mapped(address, size, protection, flags, descriptor, offset);
    int code = errno;
    if (result != MAP_FAILED && protection & PROT_WRITE) {
        pthread_mutex_lock(&recorderLock);
        for (int index = 0; index < maxMappings; index++) {
            if (mappings[index].start) continue;
            mappings[index].start = result;
            mappings[index].size = size;
            mappings[index].offset = offset;
            mappings[index].file = file;
            mappings[index].descriptor = descriptor;
            break;
        }
        pthread_mutex_unlock(&recorderLock);
    }
    end_if(isLast);
    errno = code;
    return result;
}

void *mmap64(void *address, size_t size, int protection, int flags, int descriptor, off64_t offset) {
    return mmap(address, size, protection, flags, descriptor, offset);
}

int munmap(void *address, size_t size) {
    if (recorder) {
        pthread_mutex_lock(&recorderLock);
        for (int index = 0; index < maxMappings; index++) {
            if (mappings[index].start == address) mappings[index].start = NULL;
        }
        pthread_mutex_unlock(&recorderLock);
    }
    return (int)syscall(SYS_munmap, address, size);
}

int msync(void *address, size_t size, int flags) {
    int found = -1;
    for (int index = 0; recorder && index < maxMappings && found < 0; index++) {
        char *start = mappings[index].start;
        if (start && (char *)address >= start && (char *)address < start + mappings[index].size) found = index;
    }
    if (found < 0 || !(flags & MS_SYNC)) return (int)syscall(SYS_msync, address, size, flags);
    bool isLast = counted(RecorderSyncs);
    int result = recorder->syncsForReal ? (int)syscall(SYS_msync, address, size, flags) : 0;
    int code = errno;
    if (result == 0) {
        pthread_mutex_lock(&recorderLock);
        __atomic_add_fetch(&recorder->syncCount, 1, __ATOMIC_SEQ_CST);
        off_t start = mappings[found].offset + ((char *)address - mappings[found].start);
        if (!recorder->forgetsSyncs) record_sync_of_range(mappings[found].file, mappings[found].descriptor, start, start + (off_t)size);
        pthread_mutex_unlock(&recorderLock);
    }
    end_if(isLast);
    errno = code;
    return result;
}

// MARK: Names

static void names_changed(void) {
    pthread_mutex_lock(&recorderLock);
    record_listing();
    record_writeback();
    pthread_mutex_unlock(&recorderLock);
}

static int opened(int directory, const char *path, int flags, mode_t mode) {
    bool isRecorded = recorder && flags & (O_CREAT | O_TRUNC) && is_in_directory(path);
    if (!isRecorded) return (int)syscall(SYS_openat, directory, path, flags, mode);
    int file = file_at_path(path);
    bool isNew = file < 0;
    struct stat before;
    bool isCut = !isNew && flags & O_TRUNC && stat(path, &before) == 0 && before.st_size > 0;
    bool isLast = isNew ? counted(RecorderNames) : isCut ? counted(RecorderTruncations) : false;
    if (isCut) {
        pthread_mutex_lock(&recorderLock);
        recorder->files[file].cutting = 0;
    }
    int result = (int)syscall(SYS_openat, directory, path, flags, mode);
    int code = errno;
    if (isCut) {
        end_if(isLast && recorder->killMode == RecorderKillsInside);
        if (result >= 0) record_cut(file, 0);
        recorder->files[file].cutting = -1;
        pthread_mutex_unlock(&recorderLock);
    }
    if (result >= 0 && isNew) names_changed();
    end_if(isLast);
    errno = code;
    return result;
}

#ifndef __O_TMPFILE
#define __O_TMPFILE 0
#endif

#define MODE_ARGUMENT(mode, flags, last)              \
    mode_t mode = 0;                                  \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {          \
        va_list list;                                 \
        va_start(list, last);                         \
        mode = (mode_t)va_arg(list, int);             \
        va_end(list);                                 \
    }

int open(const char *path, int flags, ...) {
    MODE_ARGUMENT(mode, flags, flags)
    return opened(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE_ARGUMENT(mode, flags, flags)
    return opened(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int openat(int directory, const char *path, int flags, ...) {
    MODE_ARGUMENT(mode, flags, flags)
    return opened(directory, path, flags, mode);
}

int creat(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

// A name is about to go; the file keeps what has reached the disk.
static void name_leaves(const char *path) {
    int file = file_at_path(path);
    struct stat information;
    if (file < 0 || stat(path, &information) != 0 || information.st_nlink > 1) return;
    pthread_mutex_lock(&recorderLock);
    record_leaving(file);
    pthread_mutex_unlock(&recorderLock);
}

int unlink(const char *path) {
    if (!recorder || !is_in_directory(path) || access(path, F_OK) != 0) return raw_unlink(path);
    bool isLast = counted(RecorderNames);
    name_leaves(path);
    int result = raw_unlink(path);
    int code = errno;
    names_changed();
    end_if(isLast);
    errno = code;
    return result;
}

int rename(const char *from, const char *to) {
    if (!recorder || !is_in_directory(from)) return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
    bool isLast = counted(RecorderNames);
    name_leaves(to);
    int result = (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
    int code = errno;
    names_changed();
    end_if(isLast);
    errno = code;
    return result;
}

int link(const char *from, const char *to) {
    if (!recorder || !is_in_directory(to)) return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
    bool isLast = counted(RecorderNames);
    int result = (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
    int code = errno;
    names_changed();
    end_if(isLast);
    errno = code;
    return result;
}

#else
bool recorder_is_in_place(void) { return false; }
#endif
#endif
