#include "sqlite_entries.h"
#include "tally.h"

enum { st_put = sqlite_first_own, st_get, st_scan, st_count };

static int open_store(const char *path, raw_durability durability, bool bulk_load, const raw_shape *shape,
                      raw_store **result) {
    (void)bulk_load;  // One durable commit at the end is as fast as any other way.
    static const char *const sql[] = {
        "REPLACE INTO entries (key, value) VALUES (?1, ?2)",
        "SELECT value FROM entries WHERE key = ?1",
        "SELECT key, value FROM entries WHERE key >= ?1 ORDER BY key",
        "SELECT count(*) FROM entries",
    };
    return sqlite_open(path, durability, SQLITE_ENTRIES_SCHEMA, sql, sizeof sql / sizeof *sql, shape, result);
}

static int put(raw_store *store, const raw_records *records, size_t position) {
    uint8_t key[sqlite_record_key_size];
    sqlite_make_key(record_key(records, position), key);
    return sqlite_put(store->statements[st_put], key, sizeof key, record_value(records, position), record_size(records, position));
}

static int insert(raw_store *store, const raw_records *records, size_t first, size_t count) {
    int code = sqlite_run(store, sqlite_begin_write);
    if (code) return code;
    for (size_t position = first; position < first + count && !code; position++) code = put(store, records, position);
    return sqlite_end(store, code);
}

static int insert_each(raw_store *store, const raw_records *records, size_t first, size_t count) {
    int code = 0;
    for (size_t position = first; position < first + count && !code; position++)
        code = insert(store, records, position, 1);
    return code;
}

static int scan(raw_store *store, raw_tally *tally) {
    static const uint8_t keyspace[] = {sqlite_record_keyspace};
    sqlite3_stmt *statement = store->statements[st_scan];
    sqlite3_bind_blob(statement, 1, keyspace, sizeof keyspace, SQLITE_STATIC);
    while (sqlite3_step(statement) == SQLITE_ROW)
        tally_touch(tally, &store->shape, sqlite3_column_blob(statement, 1));
    return sqlite3_reset(statement);
}

static int get(raw_store *store, const raw_records *records, const uint32_t *positions, size_t count,
               bool one_transaction_each, raw_tally *tally) {
    sqlite3_stmt *statement = store->statements[st_get];
    int code = one_transaction_each ? 0 : sqlite_run(store, sqlite_begin);
    // Outside of a transaction a statement is one of its own, which is the cheapest way.
    for (size_t i = 0; i < count && !code; i++) {
        uint8_t key[sqlite_record_key_size];
        sqlite_make_key(record_key(records, positions[i]), key);
        sqlite3_bind_blob(statement, 1, key, sqlite_record_key_size, SQLITE_STATIC);
        if (sqlite3_step(statement) == SQLITE_ROW)
            tally_add_in_order(tally, &store->shape, sqlite3_column_blob(statement, 0), (size_t)sqlite3_column_bytes(statement, 0));
        code = sqlite3_reset(statement);
    }
    if (one_transaction_each) return code;
    int ended = sqlite_run(store, sqlite_commit);
    return code ? code : ended;
}

static int count(raw_store *store, int64_t *count) { return sqlite_number(store, st_count, count); }

const raw_engine *raw_engine_sqlite(void) {
    static const raw_engine engine = {
        sqlite_version, sqlite_message, open_store, insert, insert_each, scan, get, count, sqlite_shut};
    return &engine;
}
