// Where no function can take the place of the system's, there is no recorder.

#if !defined(__linux__)
#include "SyncRecorder.h"
#include <stdlib.h>

bool recorder_is_in_place(void) { return false; }
bool recorder_adopt(RecorderState *state, const char *directory, const char *images) { return false; }
bool recorder_start(RecorderState *state, const char *directory, const char *images) { return false; }
void recorder_arm(RecorderState *state, uint32_t kinds, int64_t target, uint32_t mode) {}
void recorder_disarm(RecorderState *state) {}
bool recorder_lose_power(RecorderState *state, const char *directory, const char *images, uint64_t seed, size_t unit) { return false; }
bool recorder_pipe(int *ends) { return false; }
pid_t recorder_fork(void) { return -1; }
pid_t recorder_spawn(const char *path, char *const *arguments, int output) { return -1; }
_Noreturn void recorder_end_process(void) { abort(); }
#endif
