// What of each file is on the disk: an image, to which a file is copied when it is synced.
//
// A page is copied by one write, so that the end of the process finds it old or new, never half.

#if defined(__linux__)
#define _GNU_SOURCE
#include "Recorder.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

RecorderState *recorder;
static char directoryPath[1024];
static size_t directoryLength;
static char imagesPath[1024];
static struct stat directoryInformation;
// Never closed: closing a descriptor of a file drops the locks that the process has on it.
static int ownDescriptors[RecorderMaxFiles];
static int imageDescriptors[RecorderMaxFiles];

// The pages of each file that this process has written since the last sync. Of what earlier processes wrote it knows nothing, nor of
// what is beyond so many pages, and looks at the whole file then.
enum { dirtyBytes = 1024 };
static uint8_t dirtyPages[RecorderMaxFiles][dirtyBytes];
static bool mayBeDirtyAnywhere[RecorderMaxFiles];

static void complain(const char *what) {
    fprintf(stderr, "SyncRecorder: %s\n", what);
    abort();
}

uint64_t next_random(RecorderState *state) {
    state->randomState += 0x9E3779B97F4A7C15u;
    uint64_t mixed = state->randomState;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

void image_path(char *path, size_t size, const char *images, uint32_t file) { snprintf(path, size, "%s/%u", images, file); }

// MARK: Which file

static int file_with_inode(uint64_t inode) {
    for (int file = (int)recorder->fileCount - 1; file >= 0; file--) {
        if (recorder->files[file].inode == inode) return file;
    }
    return -1;
}

static int file_of_information(const struct stat *information) {
    if (!S_ISREG(information->st_mode) || information->st_dev != directoryInformation.st_dev) return -1;
    return file_with_inode(information->st_ino);
}

int file_of_descriptor(int descriptor) {
    struct stat information;
    if (!recorder || fstat(descriptor, &information) != 0) return -1;
    return file_of_information(&information);
}

int file_at_path(const char *path) {
    struct stat information;
    if (!recorder || stat(path, &information) != 0) return -1;
    return file_of_information(&information);
}

bool is_in_directory(const char *path) {
    return strncmp(path, directoryPath, directoryLength) == 0 && path[directoryLength] == '/' && !strchr(path + directoryLength + 1, '/');
}

bool is_directory(int descriptor) {
    struct stat information;
    return fstat(descriptor, &information) == 0 && information.st_dev == directoryInformation.st_dev
        && information.st_ino == directoryInformation.st_ino;
}

// MARK: Copying

static int own_descriptor(int file, int descriptor) {
    if (ownDescriptors[file] >= 0) return ownDescriptors[file];
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    ownDescriptors[file] = raw_open(path, O_RDONLY | O_CLOEXEC, 0);
    if (ownDescriptors[file] < 0) complain("a file cannot be read");
    return ownDescriptors[file];
}

static int image_descriptor(int file) {
    if (imageDescriptors[file] >= 0) return imageDescriptors[file];
    char path[1100];
    image_path(path, sizeof path, imagesPath, (uint32_t)file);
    imageDescriptors[file] = raw_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (imageDescriptors[file] < 0) complain("an image cannot be opened");
    return imageDescriptors[file];
}

static off_t size_of(int descriptor) {
    struct stat information;
    return fstat(descriptor, &information) == 0 ? information.st_size : 0;
}

// What was cut off is gone from the disk too, before anything is written in its place.
static void apply_cut(int file, int image) {
    int64_t cut = recorder->files[file].cut;
    if (cut < 0) return;
    if (size_of(image) > cut) raw_ftruncate(image, cut);
    recorder->files[file].cut = -1;
}

static void copy_pages(int file, int own, off_t start, off_t end) {
    static char new[RecorderPageSize * 16], old[RecorderPageSize * 16];
    int image = image_descriptor(file);
    start -= start % RecorderPageSize;
    while (start < end) {
        size_t wanted = end - start < RecorderPageSize ? RecorderPageSize : sizeof new;
        ssize_t count = raw_pread(own, new, wanted, start);
        if (count <= 0) return;
        ssize_t oldCount = raw_pread(image, old, wanted, start);
        if (oldCount < 0) oldCount = 0;
        for (ssize_t page = 0; page < count && start + page < end; page += RecorderPageSize) {
            ssize_t size = count - page < RecorderPageSize ? count - page : RecorderPageSize;
            if (oldCount >= page + size && memcmp(new + page, old + page, (size_t)size) == 0) continue;
            if (raw_pwrite(image, new + page, (size_t)size, start + page) != size) complain("an image cannot be written");
        }
        start += (off_t)wanted;
    }
}

void record_sync_of_range(int file, int descriptor, off_t start, off_t end) {
    if (!recorder->keepsImages) return;
    int own = own_descriptor(file, descriptor);
    int image = image_descriptor(file);
    apply_cut(file, image);
    copy_pages(file, own, start, end);
}

void record_write(int file, off_t start, off_t end) {
    for (off_t page = start / RecorderPageSize; page * RecorderPageSize < end; page++) {
        if (page >= dirtyBytes * 8) {
            mayBeDirtyAnywhere[file] = true;
            return;
        }
        dirtyPages[file][page / 8] |= (uint8_t)(1 << page % 8);
    }
}

void record_sync(int file, int descriptor) {
    if (recorder->forgetsSyncs || !recorder->keepsImages) return;
    if (mayBeDirtyAnywhere[file]) {
        record_sync_of_range(file, descriptor, 0, INT64_MAX);
        mayBeDirtyAnywhere[file] = false;
    } else {
        int own = own_descriptor(file, descriptor);
        apply_cut(file, image_descriptor(file));
        for (off_t page = 0; page < dirtyBytes * 8; page++) {
            if (dirtyPages[file][page / 8] == 0) page += 7 - page % 8;
            else if (dirtyPages[file][page / 8] & 1 << page % 8) copy_pages(file, own, page * RecorderPageSize, page * RecorderPageSize + 1);
        }
    }
    memset(dirtyPages[file], 0, dirtyBytes);
    record_sync_of_mappings(file, descriptor);
}

void record_cut(int file, int64_t size) {
    int64_t cut = recorder->files[file].cut;
    if (cut < 0 || size < cut) recorder->files[file].cut = size;
}

void record_leaving(int file) {
    if (!recorder->keepsImages || ownDescriptors[file] < 0) return;
    off_t size = size_of(ownDescriptors[file]);
    for (off_t page = 0; page < size; page += RecorderPageSize) {
        if (next_random(recorder) & 1) continue;
        apply_cut(file, image_descriptor(file));
        copy_pages(file, ownDescriptors[file], page, page + 1);
    }
}

void record_writeback(void) {
    if (!recorder->keepsImages || next_random(recorder) % 1024 >= recorder->writebackRate || recorder->fileCount == 0) return;
    int file = (int)(next_random(recorder) % recorder->fileCount);
    if (recorder->files[file].isGone || ownDescriptors[file] < 0) return;
    off_t pages = (size_of(ownDescriptors[file]) + RecorderPageSize - 1) / RecorderPageSize;
    if (pages == 0) return;
    off_t page = (off_t)(next_random(recorder) % (uint64_t)pages) * RecorderPageSize;
    // A page in front of what was cut off is written in its place whether the cut has reached the disk or not.
    if (recorder->files[file].cut >= 0 && page + RecorderPageSize > recorder->files[file].cut) apply_cut(file, image_descriptor(file));
    copy_pages(file, ownDescriptors[file], page, page + 1);
}

// MARK: Names

static uint32_t new_file(uint64_t inode) {
    uint32_t file = recorder->fileCount;
    if (file == RecorderMaxFiles) complain("too many files");
    recorder->files[file] = (RecorderFile){.inode = inode, .cut = -1, .cutting = -1, .isGone = false};
    ownDescriptors[file] = -1;
    imageDescriptors[file] = -1;
    mayBeDirtyAnywhere[file] = true;
    // A process killed between the two leaves an entry that is made again.
    recorder->fileCount = file + 1;
    return file;
}

static void read_directory(RecorderListing *listing) {
    memset(listing, 0, sizeof *listing);
    DIR *directory = opendir(directoryPath);
    if (!directory) complain("the directory cannot be read");
    struct dirent *entry;
    while ((entry = readdir(directory))) {
        char path[2100];
        struct stat information;
        snprintf(path, sizeof path, "%s/%s", directoryPath, entry->d_name);
        if (entry->d_name[0] == '.' || lstat(path, &information) != 0 || !S_ISREG(information.st_mode)) continue;
        if (listing->count == RecorderMaxNames || strlen(entry->d_name) >= RecorderNameSize) complain("too many names");
        int file = file_with_inode(information.st_ino);
        if (file < 0 || recorder->files[file].isGone) file = (int)new_file(information.st_ino);
        RecorderName *name = &listing->names[listing->count++];
        strcpy(name->name, entry->d_name);
        name->file = (uint32_t)file;
        if (ownDescriptors[file] < 0) {
            ownDescriptors[file] = raw_open(path, O_RDONLY | O_CLOEXEC, 0);
        }
    }
    closedir(directory);
}

static bool has_file(const RecorderListing *listing, uint32_t file) {
    for (uint32_t index = 0; index < listing->count; index++) {
        if (listing->names[index].file == file) return true;
    }
    return false;
}

void record_listing(void) {
    RecorderListing listing;
    read_directory(&listing);
    uint32_t count = recorder->listingCount;
    if (count > 0 && memcmp(&recorder->listings[count - 1], &listing, sizeof listing) == 0) return;
    if (count == RecorderMaxListings) {
        // The oldest of so many has reached the disk by now.
        memmove(recorder->listings, recorder->listings + 1, sizeof(RecorderListing) * (RecorderMaxListings - 1));
        count -= 1;
    }
    for (uint32_t file = 0; file < recorder->fileCount; file++) {
        if (!has_file(&listing, file)) recorder->files[file].isGone = true;
    }
    recorder->listings[count] = listing;
    recorder->listingCount = count + 1;
}

void record_directory_sync(void) {
    if (recorder->forgetsSyncs) return;
    record_listing();
    recorder->listings[0] = recorder->listings[recorder->listingCount - 1];
    recorder->listingCount = 1;
}

// MARK: Beginning

static bool set_places(RecorderState *state, const char *directory, const char *images) {
    if (strlen(directory) >= sizeof directoryPath || strlen(images) >= sizeof imagesPath) return false;
    strcpy(directoryPath, directory);
    strcpy(imagesPath, images);
    directoryLength = strlen(directory);
    for (int file = 0; file < RecorderMaxFiles; file++) {
        ownDescriptors[file] = imageDescriptors[file] = -1;
        mayBeDirtyAnywhere[file] = true;
    }
    recorder = state;
    return stat(directory, &directoryInformation) == 0;
}

bool recorder_start(RecorderState *state, const char *directory, const char *images) {
    if (!set_places(state, directory, images)) return false;
    pthread_mutex_lock(&recorderLock);
    record_listing();
    pthread_mutex_unlock(&recorderLock);
    return true;
}

bool recorder_adopt(RecorderState *state, const char *directory, const char *images) {
    for (uint32_t file = 0; file < state->fileCount; file++) {
        char path[1100];
        image_path(path, sizeof path, images, file);
        raw_unlink(path);
    }
    state->fileCount = 0;
    state->listingCount = 0;
    state->armedKinds = 0;
    if (!set_places(state, directory, images)) return false;
    record_listing();
    for (uint32_t file = 0; state->keepsImages && file < state->fileCount; file++) {
        copy_pages((int)file, ownDescriptors[file], 0, INT64_MAX);
    }
    // This process only looks on: it must not keep descriptors that the next series has no use for.
    for (uint32_t file = 0; file < state->fileCount; file++) {
        if (ownDescriptors[file] >= 0) raw_close(ownDescriptors[file]);
        if (imageDescriptors[file] >= 0) raw_close(imageDescriptors[file]);
    }
    recorder = NULL;
    return true;
}
#endif
