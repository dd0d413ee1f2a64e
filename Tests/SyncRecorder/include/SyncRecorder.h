// Takes the place of the system calls that change files, in the process it is linked into, so that a test can end the
// process at the nth of them, and knows what of the files a power loss would have left.
//
// Linux only: the functions are found before those of the C library because they stand in the program itself.

#ifndef SYNC_RECORDER_H
#define SYNC_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    RecorderMaxFiles = 1024,
    RecorderMaxNames = 24,
    RecorderNameSize = 64,
    RecorderMaxListings = 64,
    RecorderPageSize = 4096,
};

// The kinds of calls that are counted.
enum {
    RecorderWrites = 1,
    RecorderSyncs = 2,
    RecorderTruncations = 4,
    // Files made, renamed, linked and removed.
    RecorderNames = 8,
    RecorderMappings = 16,
    RecorderAllCalls = 31,
};

// What becomes of the call at which the process ends.
enum {
    RecorderKillsBefore = 0,
    RecorderKillsAfter = 1,
    // Half of what is to be written is; a file has its new length, and this process had no time to note it; calls of other kinds are not made.
    RecorderKillsInside = 2,
};

// A file of the store that is or was there. Its image, what a power loss leaves of it at the least, is a file of its own.
typedef struct {
    uint64_t inode;
    // The least size the file was cut to since its last sync; -1 when it was not.
    int64_t cut;
    // Where a call is cutting it off; a process that is killed in the call cannot tell whether it did. Negative when none is.
    int64_t cutting;
    // Whether all names of the file are gone, so that its inode number may come back for another one.
    bool isGone;
} RecorderFile;

typedef struct {
    char name[RecorderNameSize];
    uint32_t file;
} RecorderName;

// What was in the directory at one moment.
typedef struct {
    uint32_t count;
    RecorderName names[RecorderMaxNames];
} RecorderListing;

// Shared by the processes of a series, one of which works at a time. It lives in memory that outlives each of them.
typedef struct {
    // Which calls end the process; 0 for none.
    uint32_t armedKinds;
    uint32_t killMode;
    int64_t killTarget;
    // The calls of these kinds since `recorder_arm`.
    int64_t callCount;
    // Whether images are kept; without them only calls are counted.
    bool keepsImages;
    // Whether syncs reach the disk; they take time and change nothing for a process that is killed.
    bool syncsForReal;
    // For tests of the tests: syncs are taken for done that were not.
    bool forgetsSyncs;
    // How many of 1,024 calls are followed by one page reaching the disk unasked.
    uint32_t writebackRate;
    uint64_t randomState;
    uint64_t syncCount;
    uint32_t fileCount;
    RecorderFile files[RecorderMaxFiles];
    // Those that a power loss may leave. The first was made durable by syncing the directory, the last is how it is.
    uint32_t listingCount;
    RecorderListing listings[RecorderMaxListings];
} RecorderState;

// Begins a series: the files in `directory` are on the disk as they are. Removes what is in `images`.
bool recorder_adopt(RecorderState *state, const char *directory, const char *images);

// From now on this process's calls on files in `directory` are counted and recorded.
bool recorder_start(RecorderState *state, const char *directory, const char *images);

// The process ends at the call number `target` of these kinds from now on.
void recorder_arm(RecorderState *state, uint32_t kinds, int64_t target, uint32_t mode);
void recorder_disarm(RecorderState *state);

// Puts into `directory` what a power loss leaves of it: every unit of `unit` bytes that was changed since it was synced is old or
// new, as are lengths and names. Everything is on the disk then.
bool recorder_lose_power(RecorderState *state, const char *directory, const char *images, uint64_t seed, size_t unit);

// Whether the functions here are those that the engines call.
bool recorder_is_in_place(void);

// `fork`, for a process with one thread.
pid_t recorder_fork(void);

// A pipe that programs started later do not inherit.
bool recorder_pipe(int *ends);

// Starts a program whose output and errors go into a pipe; -1 when it does not start.
pid_t recorder_spawn(const char *path, char *const *arguments, int output);

// Ends the process as nothing else could: no handler, no buffer is written.
_Noreturn void recorder_end_process(void);

#endif
