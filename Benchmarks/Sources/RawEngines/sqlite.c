#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "tally.h"

// As in Trove's backend.
#define PAGE_SIZE 8192
#define CACHE_KIBIBYTES 65536
#define CHECKPOINT_PAGES 2000

// One table for all keyspaces; the first byte of a key is the number of its own.
enum { prefix_size = 1, stored_key_size = prefix_size + raw_key_size };
static const uint8_t prefix[prefix_size] = {1};

enum { st_begin, st_begin_write, st_commit, st_rollback, st_put, st_get, st_scan, st_count, statement_count };

static const char *const sql[statement_count] = {
    [st_begin] = "BEGIN",
    [st_begin_write] = "BEGIN IMMEDIATE",
    [st_commit] = "COMMIT",
    [st_rollback] = "ROLLBACK",
    [st_put] = "REPLACE INTO entries (key, value) VALUES (?1, ?2)",
    [st_get] = "SELECT value FROM entries WHERE key = ?1",
    [st_scan] = "SELECT key, value FROM entries WHERE key >= ?1 ORDER BY key",
    [st_count] = "SELECT count(*) FROM entries",
};

struct raw_store {
    sqlite3 *database;
    sqlite3_stmt *statements[statement_count];
    raw_shape shape;
};

static const char *version(void) { return sqlite3_libversion(); }

static const char *message(int code) { return sqlite3_errstr(code); }

static const char *synchronous(raw_durability durability) {
    switch (durability) {
    case raw_relaxed:
    case raw_buffered: return "NORMAL";
    case raw_durable: return "FULL";
    }
    return "FULL";
}

static int close_store(raw_store *store) {
    for (int i = 0; i < statement_count; i++) sqlite3_finalize(store->statements[i]);
    int code = sqlite3_close(store->database);
    free(store);
    return code;
}

static int open_store(const char *path, raw_durability durability, bool bulk_load, const raw_shape *shape,
                      raw_store **result) {
    (void)bulk_load;  // One durable commit at the end is as fast as any other way.
    raw_store *store = calloc(1, sizeof *store);
    if (!store) return SQLITE_NOMEM;
    store->shape = *shape;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int code = sqlite3_open_v2(path, &store->database, flags, NULL);
    if (code) goto failed;
    char settings[512];
    snprintf(settings, sizeof settings,
             "PRAGMA page_size = %d; PRAGMA journal_mode = WAL; PRAGMA synchronous = %s; "
             "PRAGMA cache_size = -%d; PRAGMA mmap_size = 0; PRAGMA wal_autocheckpoint = %d; "
             "PRAGMA secure_delete = OFF; PRAGMA cell_size_check = ON; "
             "CREATE TABLE IF NOT EXISTS entries (key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL) WITHOUT ROWID",
             PAGE_SIZE, synchronous(durability), CACHE_KIBIBYTES, CHECKPOINT_PAGES);
    if ((code = sqlite3_exec(store->database, settings, NULL, NULL, NULL))) goto failed;
    for (int i = 0; i < statement_count; i++) {
        code = sqlite3_prepare_v3(store->database, sql[i], -1, SQLITE_PREPARE_PERSISTENT, &store->statements[i], NULL);
        if (code) goto failed;
    }
    *result = store;
    return 0;
failed:
    close_store(store);
    return code;
}

/// Runs a statement that gives no rows.
static int run(raw_store *store, int number) {
    sqlite3_step(store->statements[number]);
    return sqlite3_reset(store->statements[number]);
}

static void make_key(const raw_records *records, size_t position, uint8_t *key) {
    memcpy(key, prefix, prefix_size);
    memcpy(key + prefix_size, record_key(records, position), raw_key_size);
}

static int put(raw_store *store, const raw_records *records, size_t position) {
    sqlite3_stmt *statement = store->statements[st_put];
    uint8_t key[stored_key_size];
    make_key(records, position, key);
    sqlite3_bind_blob(statement, 1, key, stored_key_size, SQLITE_STATIC);
    sqlite3_bind_blob(statement, 2, record_value(records, position), (int)record_size(records, position), SQLITE_STATIC);
    sqlite3_step(statement);
    return sqlite3_reset(statement);
}

static int insert(raw_store *store, const raw_records *records, size_t first, size_t count) {
    int code = run(store, st_begin_write);
    if (code) return code;
    for (size_t position = first; position < first + count; position++) {
        if ((code = put(store, records, position))) {
            run(store, st_rollback);
            return code;
        }
    }
    return run(store, st_commit);
}

static int insert_each(raw_store *store, const raw_records *records, size_t first, size_t count) {
    int code = 0;
    for (size_t position = first; position < first + count && !code; position++)
        code = insert(store, records, position, 1);
    return code;
}

static int scan(raw_store *store, raw_tally *tally) {
    sqlite3_stmt *statement = store->statements[st_scan];
    sqlite3_bind_blob(statement, 1, prefix, prefix_size, SQLITE_STATIC);
    while (sqlite3_step(statement) == SQLITE_ROW)
        tally_touch(tally, &store->shape, sqlite3_column_blob(statement, 1));
    return sqlite3_reset(statement);
}

static int get(raw_store *store, const raw_records *records, const uint32_t *positions, size_t count,
               bool one_transaction_each, raw_tally *tally) {
    sqlite3_stmt *statement = store->statements[st_get];
    int code = one_transaction_each ? 0 : run(store, st_begin);
    // Outside of a transaction a statement is one of its own, which is the cheapest way.
    for (size_t i = 0; i < count && !code; i++) {
        uint8_t key[stored_key_size];
        make_key(records, positions[i], key);
        sqlite3_bind_blob(statement, 1, key, stored_key_size, SQLITE_STATIC);
        if (sqlite3_step(statement) == SQLITE_ROW)
            tally_add(tally, &store->shape, sqlite3_column_blob(statement, 0), (size_t)sqlite3_column_bytes(statement, 0));
        code = sqlite3_reset(statement);
    }
    if (one_transaction_each) return code;
    int ended = run(store, st_commit);
    return code ? code : ended;
}

static int count(raw_store *store, int64_t *count) {
    sqlite3_stmt *statement = store->statements[st_count];
    if (sqlite3_step(statement) == SQLITE_ROW) *count = sqlite3_column_int64(statement, 0);
    return sqlite3_reset(statement);
}

const raw_engine *raw_engine_sqlite(void) {
    static const raw_engine engine = {
        version, message, open_store, insert, insert_each, scan, get, count, close_store};
    return &engine;
}
