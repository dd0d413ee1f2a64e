#ifndef INDEX_ENTRIES_H
#define INDEX_ENTRIES_H

#include "raw_engines.h"

// The entries of indexes as Trove writes them, see docs/format.md: the keyspace's number as the engine wants it, a one,
// the order-preserving value, and the record's key. They have no value.

enum { max_keyspace_size = 4, max_bound_size = 512 };

/// The bytes before the entries of one index.
typedef struct {
    uint8_t bytes[max_keyspace_size];
    size_t size;
} index_keyspace;

typedef struct {
    uint64_t head;  // the first bytes of the value, for the sort
    const uint8_t *bytes;
    size_t size;
} index_entry;

typedef struct {
    index_entry *entries;
    size_t count;
    uint8_t *bytes;  // what the entries point into
} index_entries;

/// Makes the entries of all artists, or of all plays, and sorts them. Returns false when memory is short.
bool index_entries_of_artists(const index_keyspace *keyspace, const raw_records *records, const raw_track *tracks,
                              size_t count, index_entries *entries);
bool index_entries_of_plays(const index_keyspace *keyspace, const raw_records *records, const raw_track *tracks,
                            size_t count, index_entries *entries);
void index_entries_free(index_entries *entries);

/// The entries from `low` up to, not including, `high`.
typedef struct {
    uint8_t low[max_bound_size], high[max_bound_size];
    size_t low_size, high_size;
} index_bounds;

/// The entries of one artist. Returns false when the name is too long.
bool index_bounds_of_artist(const index_keyspace *keyspace, const raw_text *artist, index_bounds *bounds);
void index_bounds_of_plays(const index_keyspace *keyspace, const raw_range *plays, index_bounds *bounds);

/// Whether an entry is below the upper bound.
bool index_is_below(const uint8_t *key, size_t size, const index_bounds *bounds);

/// The keys of the records that an index has led to. They are read in the order of the keys, which touches each page of
/// the records once and costs less than reading them in the order of the index.
typedef struct {
    uint8_t (*keys)[raw_key_size];
    size_t count, capacity;
    bool is_unsorted;
} index_matches;

/// Adds the key at the end of an entry. Returns false when memory is short.
bool index_matches_add(index_matches *matches, const uint8_t *entry, size_t size);
void index_matches_sort(index_matches *matches);
void index_matches_free(index_matches *matches);

#endif
