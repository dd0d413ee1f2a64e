#ifndef SQLITE_ENTRIES_H
#define SQLITE_ENTRIES_H

#include <string.h>

#include "sqlite_store.h"

// One table for all keyspaces, as in Trove's backend; the first byte of a key is the number of its own.
#define SQLITE_ENTRIES_SCHEMA \
    "CREATE TABLE IF NOT EXISTS entries (key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL) WITHOUT ROWID"

enum { sqlite_prefix_size = 1, sqlite_record_keyspace = 1, sqlite_record_key_size = sqlite_prefix_size + raw_key_size };

/// Makes the stored key of a record of its own.
static inline void sqlite_make_key(const uint8_t *record_key, uint8_t *key) {
    key[0] = sqlite_record_keyspace;
    memcpy(key + sqlite_prefix_size, record_key, raw_key_size);
}

/// Runs a statement with a key and a value.
static inline int sqlite_put(sqlite3_stmt *statement, const uint8_t *key, size_t key_size, const uint8_t *value, size_t value_size) {
    sqlite3_bind_blob(statement, 1, key, (int)key_size, SQLITE_STATIC);
    sqlite3_bind_blob(statement, 2, value, (int)value_size, SQLITE_STATIC);
    sqlite3_step(statement);
    return sqlite3_reset(statement);
}

#endif
