// What the files of the recorder share.

#ifndef RECORDER_H
#define RECORDER_H

#include "SyncRecorder.h"
#include <pthread.h>
#include <sys/stat.h>

// What this process records into; NULL when it does not.
extern RecorderState *recorder;
// Guards everything below and `recorder`'s files and listings against the process's other threads.
extern pthread_mutex_t recorderLock;

// Calls of the system that pass the recorder by. They return -1 with `errno` set.
int raw_open(const char *path, int flags, mode_t mode);
int raw_close(int descriptor);
ssize_t raw_pread(int descriptor, void *bytes, size_t count, off_t offset);
ssize_t raw_pwrite(int descriptor, const void *bytes, size_t count, off_t offset);
int raw_ftruncate(int descriptor, off_t size);
int raw_unlink(const char *path);

// The number of the file behind a descriptor; -1 when it is none of the store's.
int file_of_descriptor(int descriptor);
int file_at_path(const char *path);
bool is_in_directory(const char *path);
bool is_directory(int descriptor);

// All with the lock held. `descriptor` is any of the file.
void record_sync(int file, int descriptor);
void record_sync_of_range(int file, int descriptor, off_t start, off_t end);
void record_write(int file, off_t start, off_t end);
// The parts of a file that are mapped for writing may change at any time.
void record_sync_of_mappings(int file, int descriptor);
void record_cut(int file, int64_t size);
void record_listing(void);
void record_directory_sync(void);
// Lets some of a file that is about to lose its last name reach the disk.
void record_leaving(int file);
// Lets a page of some file reach the disk unasked, now and then.
void record_writeback(void);

uint64_t next_random(RecorderState *state);
void image_path(char *path, size_t size, const char *images, uint32_t file);

#endif
