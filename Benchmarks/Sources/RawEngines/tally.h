#ifndef TALLY_H
#define TALLY_H

#include <string.h>

#include "raw_engines.h"

/// Adds a whole value: what a program that has found a record would read of it.
static inline void tally_add(raw_tally *tally, const raw_shape *shape, const uint8_t *value, size_t size) {
    int64_t year;
    double duration;
    memcpy(&year, value + shape->year_offset, sizeof year);
    memcpy(&duration, value + shape->duration_offset, sizeof duration);
    tally->count += 1;
    tally->years += year;
    tally->durations += duration;
    tally->text_bytes += (int64_t)(size - shape->text_offset);
}

/// Adds a whole value that every program reads at the same place among others.
static inline void tally_add_in_order(raw_tally *tally, const raw_shape *shape, const uint8_t *value, size_t size) {
    int64_t year;
    memcpy(&year, value + shape->year_offset, sizeof year);
    tally_add(tally, shape, value, size);
    tally->weighted += (uint64_t)tally->count * (uint64_t)year;
}

/// Adds one byte of a value.
static inline void tally_touch(raw_tally *tally, const raw_shape *shape, const uint8_t *value) {
    tally->count += 1;
    tally->years += value[shape->year_offset];
}

/// Whether a value's year is later.
static inline bool is_after(const raw_shape *shape, const uint8_t *value, int64_t year) {
    int64_t own;
    memcpy(&own, value + shape->year_offset, sizeof own);
    return own > year;
}

static inline const uint8_t *record_key(const raw_records *records, size_t position) {
    return records->keys + position * raw_key_size;
}

static inline const uint8_t *record_value(const raw_records *records, size_t position) {
    return records->values + records->offsets[position];
}

static inline size_t record_size(const raw_records *records, size_t position) {
    return (size_t)(records->offsets[position + 1] - records->offsets[position]);
}

#endif
