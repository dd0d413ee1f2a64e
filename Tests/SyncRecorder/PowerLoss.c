// What a power loss leaves.
//
// - A unit of a file that was changed since the last sync is old or new, each by itself. Old is the image: the last sync and what the system
//   wrote unasked since.
// - A file that has grown is as long as before, as now, or ends between; what was not written of it is zero.
// - A file that was cut is as before, or the cut came first: what was written after it never stands beside what it cut off. File systems
//   that keep a journal, and those that copy on write, free blocks before they give them away.
// - Names are those of one moment between the last sync of the directory and the end, so changes of names keep their order, as they do
//   in a journal. Syncing a file says nothing about its name, which is less than ext4 does.

#if defined(__linux__)
#define _GNU_SOURCE
#include "Recorder.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    char *bytes;
    size_t size;
} Content;

static Content content_of(const char *path) {
    Content content = {NULL, 0};
    int descriptor = raw_open(path, O_RDONLY | O_CLOEXEC, 0);
    if (descriptor < 0) return content;
    struct stat information;
    if (fstat(descriptor, &information) == 0 && information.st_size > 0) {
        content.bytes = malloc((size_t)information.st_size);
        while (content.bytes && content.size < (size_t)information.st_size) {
            ssize_t count = raw_pread(descriptor, content.bytes + content.size, (size_t)information.st_size - content.size, (off_t)content.size);
            if (count <= 0) break;
            content.size += (size_t)count;
        }
    }
    raw_close(descriptor);
    return content;
}

static bool write_content(const char *path, const Content *content) {
    int descriptor = raw_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (descriptor < 0) return false;
    bool isWritten = content->size == 0 || raw_pwrite(descriptor, content->bytes, content->size, 0) == (ssize_t)content->size;
    raw_close(descriptor);
    return isWritten;
}

static uint64_t below(RecorderState *state, uint64_t bound) { return bound == 0 ? 0 : next_random(state) % bound; }

static size_t chosen_size(RecorderState *state, size_t old, size_t new) {
    size_t low = old < new ? old : new, high = old < new ? new : old;
    switch (below(state, 4)) {
    case 0: return old;
    case 1: {
        size_t pages = (high - low) / RecorderPageSize;
        size_t size = (low + below(state, pages + 1) * RecorderPageSize) / RecorderPageSize * RecorderPageSize;
        return size < low ? low : size;
    }
    default: return new;
    }
}

// Old and new content mixed.
static Content mixed(RecorderState *state, Content old, Content new, int64_t cut, size_t unit) {
    // How many of 8 units are new: mostly half, but nearly all and nearly none find other mistakes.
    static const uint64_t shares[] = {4, 4, 4, 1, 7, 0, 8, 2};
    uint64_t share = shares[below(state, 8)];
    bool isCut = cut >= 0 && below(state, 2);
    // Where new content cannot be, because the file still has what was cut off.
    size_t newEnd = cut >= 0 && !isCut ? (size_t)cut : SIZE_MAX;
    if (isCut && old.size > (size_t)cut) old.size = (size_t)cut;
    Content result;
    result.size = newEnd == SIZE_MAX ? chosen_size(state, old.size, new.size) : old.size;
    result.bytes = calloc(1, result.size + 1);
    for (size_t start = 0; result.bytes && start < result.size; start += unit) {
        size_t end = start + unit < result.size ? start + unit : result.size;
        bool isNew = start < newEnd && below(state, 8) < share;
        const Content *source = isNew ? &new : &old;
        size_t sourceEnd = end < source->size ? end : source->size;
        // A unit of which only the beginning is in the old file was extended as a whole or not at all.
        if (start < sourceEnd) memcpy(result.bytes + start, source->bytes + start, sourceEnd - start);
    }
    return result;
}

static const char *current_name(const RecorderState *state, uint32_t file) {
    const RecorderListing *now = &state->listings[state->listingCount - 1];
    for (uint32_t index = 0; index < now->count; index++) {
        if (now->names[index].file == file) return now->names[index].name;
    }
    return NULL;
}

static bool remove_files(const char *directory) {
    DIR *stream = opendir(directory);
    if (!stream) return false;
    struct dirent *entry;
    bool isDone = true;
    while ((entry = readdir(stream))) {
        char path[2100];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        isDone = raw_unlink(path) == 0 && isDone;
    }
    closedir(stream);
    return isDone;
}

bool recorder_lose_power(RecorderState *state, const char *directory, const char *images, uint64_t seed, size_t unit) {
    if (state->listingCount == 0) return false;
    state->randomState = seed;
    const RecorderListing listing = state->listings[below(state, state->listingCount)];
    Content contents[RecorderMaxNames];
    bool isDone = true;
    for (uint32_t index = 0; index < listing.count; index++) {
        uint32_t file = listing.names[index].file;
        char path[2100];
        image_path(path, sizeof path, images, file);
        Content old = content_of(path);
        const char *name = current_name(state, file);
        Content new = {NULL, 0};
        if (name) {
            snprintf(path, sizeof path, "%s/%s", directory, name);
            new = content_of(path);
            // The process was killed in the call that cuts, after the file was cut and before that was noted.
            RecorderFile *cut = &state->files[file];
            if (cut->cutting >= 0 && new.size <= (size_t)cut->cutting && (cut->cut < 0 || cut->cutting < cut->cut)) cut->cut = cut->cutting;
            cut->cutting = -1;
            contents[index] = mixed(state, old, new, state->files[file].cut, unit);
            free(old.bytes);
            free(new.bytes);
        } else {
            contents[index] = old;
        }
    }
    isDone = remove_files(directory);
    for (uint32_t index = 0; index < listing.count; index++) {
        char path[2100];
        snprintf(path, sizeof path, "%s/%s", directory, listing.names[index].name);
        uint32_t first = 0;
        while (listing.names[first].file != listing.names[index].file) first++;
        if (first == index) {
            isDone = write_content(path, &contents[index]) && isDone;
        } else {
            char other[2100];
            snprintf(other, sizeof other, "%s/%s", directory, listing.names[first].name);
            isDone = link(other, path) == 0 && isDone;
        }
        free(contents[index].bytes);
    }
    return isDone && recorder_adopt(state, directory, images);
}
#endif
