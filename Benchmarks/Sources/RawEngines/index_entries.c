#include "index_entries.h"

#include <stdlib.h>
#include <string.h>

#include "tally.h"

enum { number_part_size = 1 + 8 };

static uint8_t *put_bytes(uint8_t *end, const void *bytes, size_t size) {
    memcpy(end, bytes, size);
    return end + size;
}

static uint8_t *put_text(uint8_t *end, const raw_text *text) {
    *end++ = 1;
    for (size_t i = 0; i < text->size; i++) {
        uint8_t byte = (uint8_t)text->bytes[i];
        if (byte < 2) {
            *end++ = 1;
            *end++ = byte + 1;
        } else {
            *end++ = byte;
        }
    }
    *end++ = 0;
    return end;
}

static uint8_t *put_number(uint8_t *end, int64_t number) {
    *end++ = 1;
    uint64_t bits = (uint64_t)number ^ (1ull << 63);
    for (int shift = 56; shift >= 0; shift -= 8) *end++ = (uint8_t)(bits >> shift);
    return end;
}

static int compare(const void *left, const void *right) {
    const index_entry *a = left, *b = right;
    if (a->head != b->head) return a->head < b->head ? -1 : 1;
    int order = memcmp(a->bytes, b->bytes, a->size < b->size ? a->size : b->size);
    if (order) return order;
    return a->size < b->size ? -1 : a->size > b->size;
}

/// Adds an entry of the bytes up to `end`. The value begins behind the keyspace and the one.
static void add(index_entries *entries, const index_keyspace *keyspace, const uint8_t *start, const uint8_t *end) {
    uint64_t head = 0;
    const uint8_t *value = start + keyspace->size + 1;
    for (int i = 0; i < 8; i++) head = head << 8 | value[i];
    entries->entries[entries->count++] = (index_entry){head, start, (size_t)(end - start)};
}

static bool allocate(index_entries *entries, size_t count, size_t size) {
    *entries = (index_entries){malloc(count * sizeof(index_entry)), 0, malloc(size)};
    if (entries->entries && entries->bytes) return true;
    index_entries_free(entries);
    return false;
}

bool index_entries_of_artists(const index_keyspace *keyspace, const raw_records *records, const raw_track *tracks,
                              size_t count, index_entries *entries) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++) size += keyspace->size + 2 + 2 * tracks[i].artist.size + raw_key_size;
    if (!allocate(entries, count, size)) return false;
    uint8_t *end = entries->bytes;
    for (size_t i = 0; i < count; i++) {
        uint8_t *start = end;
        end = put_text(put_bytes(end, keyspace->bytes, keyspace->size), &tracks[i].artist);
        end = put_bytes(end, record_key(records, i), raw_key_size);
        add(entries, keyspace, start, end);
    }
    qsort(entries->entries, count, sizeof(index_entry), compare);
    return true;
}

bool index_entries_of_plays(const index_keyspace *keyspace, const raw_records *records, const raw_track *tracks,
                            size_t count, index_entries *entries) {
    if (!allocate(entries, count, count * (keyspace->size + number_part_size + raw_key_size))) return false;
    uint8_t *end = entries->bytes;
    for (size_t i = 0; i < count; i++) {
        uint8_t *start = end;
        end = put_number(put_bytes(end, keyspace->bytes, keyspace->size), tracks[i].plays);
        end = put_bytes(end, record_key(records, i), raw_key_size);
        add(entries, keyspace, start, end);
    }
    qsort(entries->entries, count, sizeof(index_entry), compare);
    return true;
}

void index_entries_free(index_entries *entries) {
    free(entries->entries);
    free(entries->bytes);
}

bool index_bounds_of_artist(const index_keyspace *keyspace, const raw_text *artist, index_bounds *bounds) {
    if (max_keyspace_size + 2 + 2 * artist->size > max_bound_size) return false;
    uint8_t *end = put_text(put_bytes(bounds->low, keyspace->bytes, keyspace->size), artist);
    bounds->low_size = bounds->high_size = (size_t)(end - bounds->low);
    memcpy(bounds->high, bounds->low, bounds->low_size);
    bounds->high[bounds->high_size - 1] = 1;  // above the zero that ends the text
    return true;
}

void index_bounds_of_plays(const index_keyspace *keyspace, const raw_range *plays, index_bounds *bounds) {
    put_number(put_bytes(bounds->low, keyspace->bytes, keyspace->size), plays->low);
    put_number(put_bytes(bounds->high, keyspace->bytes, keyspace->size), plays->high);
    bounds->low_size = bounds->high_size = keyspace->size + number_part_size;
}

bool index_is_below(const uint8_t *key, size_t size, const index_bounds *bounds) {
    int order = memcmp(key, bounds->high, size < bounds->high_size ? size : bounds->high_size);
    return order ? order < 0 : size < bounds->high_size;
}

bool index_matches_add(index_matches *matches, const uint8_t *entry, size_t size) {
    if (matches->count == matches->capacity) {
        size_t capacity = matches->capacity ? matches->capacity * 2 : 256;
        void *keys = realloc(matches->keys, capacity * raw_key_size);
        if (!keys) return false;
        matches->keys = keys;
        matches->capacity = capacity;
    }
    uint8_t *key = matches->keys[matches->count];
    memcpy(key, entry + size - raw_key_size, raw_key_size);
    if (matches->count > 0 && memcmp(key, matches->keys[matches->count - 1], raw_key_size) < 0) matches->is_unsorted = true;
    matches->count += 1;
    return true;
}

static int compare_keys(const void *left, const void *right) { return memcmp(left, right, raw_key_size); }

void index_matches_sort(index_matches *matches) {
    if (matches->is_unsorted) qsort(matches->keys, matches->count, raw_key_size, compare_keys);
}

void index_matches_free(index_matches *matches) { free(matches->keys); }
