#ifndef ITEM_VALUE_H
#define ITEM_VALUE_H

#include <string.h>

#include "raw_engines.h"

// The value of an item under a key: the seconds, then the title.

enum { item_max_title = 500, item_max_value = sizeof(int64_t) + item_max_title };

/// Writes an item's value to `bytes`, which has room for `item_max_value`. Returns its size, or 0 when the title is too long.
static inline size_t item_make_value(const raw_item *item, uint8_t *bytes) {
    if (item->title.size > item_max_title) return 0;
    memcpy(bytes, &item->seconds, sizeof item->seconds);
    memcpy(bytes + sizeof item->seconds, item->title.bytes, item->title.size);
    return sizeof item->seconds + item->title.size;
}

/// Adds the value of an item, which every program reads at the same place among others.
static inline void item_add_value(raw_tally *tally, const uint8_t *bytes, size_t size) {
    int64_t seconds;
    memcpy(&seconds, bytes, sizeof seconds);
    tally->count += 1;
    tally->years += seconds;
    tally->text_bytes += (int64_t)(size - sizeof seconds);
    tally->weighted += (uint64_t)tally->count * (uint64_t)seconds;
}

#endif
