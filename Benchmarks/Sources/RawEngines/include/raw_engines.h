#ifndef RAW_ENGINES_H
#define RAW_ENGINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What an application written in C against an engine would do, with keys and values that are ready.
// The settings are those of Trove's backends, and so are the keys and values, byte for byte.
// Every function returns 0 or the engine's own error code.

enum { raw_key_size = 16 };

/// Keys and values in the order of the keys. Owned by the caller, who keeps them while a call runs.
typedef struct {
    const uint8_t *keys;      // raw_key_size bytes each
    const uint64_t *offsets;  // of the values; one more than there are values
    const uint8_t *values;
} raw_records;

/// What was read: added up from the values, to be compared with what other contestants read.
typedef struct {
    int64_t count;
    int64_t years;
    double durations;
    int64_t text_bytes;
} raw_tally;

/// Where the numbers are in a value. Found when the values are made, see `RecordShape`.
typedef struct {
    size_t year_offset;      // little-endian, 64 bits
    size_t duration_offset;  // little-endian, 64 bits
    size_t text_offset;      // from here to the end there is text
} raw_shape;

typedef enum { raw_relaxed = 0, raw_buffered = 1, raw_durable = 2 } raw_durability;

typedef struct raw_store raw_store;

/// An engine's functions, so that the workloads are written once.
typedef struct {
    const char *(*version)(void);
    const char *(*message)(int code);
    /// Opens the store at `path`, or makes it. For a bulk load, `insert` is the only call that writes.
    int (*open)(const char *path, raw_durability durability, bool bulk_load, const raw_shape *shape, raw_store **store);
    /// Stores `count` records from `first` on, above all that are stored, in one transaction.
    int (*insert)(raw_store *store, const raw_records *records, size_t first, size_t count);
    /// Stores `count` records from `first` on, a transaction each.
    int (*insert_each)(raw_store *store, const raw_records *records, size_t first, size_t count);
    /// Reads one byte of every value: the lowest of the year, which is added up.
    int (*scan)(raw_store *store, raw_tally *tally);
    /// Reads the records at `positions`, in one transaction or in one each.
    int (*get)(raw_store *store, const raw_records *records, const uint32_t *positions, size_t count,
               bool one_transaction_each, raw_tally *tally);
    int (*count)(raw_store *store, int64_t *count);
    int (*close)(raw_store *store);
} raw_engine;

const raw_engine *raw_engine_lmdb(void);
const raw_engine *raw_engine_sqlite(void);
const raw_engine *raw_engine_tokyo_cabinet(void);

#endif
