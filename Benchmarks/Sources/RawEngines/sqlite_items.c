#include "item_value.h"
#include "sqlite_entries.h"

enum { st_put = sqlite_first_own, st_get, st_erase, st_scan, st_count };

static int open_store(const char *path, raw_durability durability, bool bulk_load, raw_store **result) {
    (void)bulk_load;  // One durable commit at the end is as fast as any other way.
    static const char *const sql[] = {
        "REPLACE INTO entries (key, value) VALUES (?1, ?2)",
        "SELECT value FROM entries WHERE key = ?1",
        "DELETE FROM entries WHERE key = ?1",
        "SELECT key, value FROM entries WHERE key >= ?1 ORDER BY key",
        "SELECT count(*) FROM entries",
    };
    static const raw_shape none;
    return sqlite_open(path, durability, SQLITE_ENTRIES_SCHEMA, sql, sizeof sql / sizeof *sql, &none, result);
}

static int put(raw_store *store, const raw_item *item, bool appends) {
    (void)appends;  // SQLite finds the end of a table by itself.
    uint8_t key[sqlite_record_key_size], value[item_max_value];
    sqlite_make_key(item->id, key);
    size_t size = item_make_value(item, value);
    return size ? sqlite_put(store->statements[st_put], key, sizeof key, value, size) : SQLITE_TOOBIG;
}

static int get(raw_store *store, const raw_item *item, raw_tally *tally) {
    sqlite3_stmt *statement = store->statements[st_get];
    uint8_t key[sqlite_record_key_size];
    sqlite_make_key(item->id, key);
    sqlite3_bind_blob(statement, 1, key, sizeof key, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW)
        item_add_value(tally, sqlite3_column_blob(statement, 0), (size_t)sqlite3_column_bytes(statement, 0));
    return sqlite3_reset(statement);
}

static int erase(raw_store *store, const raw_item *item) {
    sqlite3_stmt *statement = store->statements[st_erase];
    uint8_t key[sqlite_record_key_size];
    sqlite_make_key(item->id, key);
    sqlite3_bind_blob(statement, 1, key, sizeof key, SQLITE_STATIC);
    sqlite3_step(statement);
    return sqlite3_reset(statement);
}

static int scan(raw_store *store, const raw_item *first, size_t limit, raw_tally *tally) {
    sqlite3_stmt *statement = store->statements[st_scan];
    uint8_t key[sqlite_record_key_size] = {sqlite_record_keyspace};
    if (first) sqlite_make_key(first->id, key);
    sqlite3_bind_blob(statement, 1, key, first ? sizeof key : sqlite_prefix_size, SQLITE_STATIC);
    for (size_t i = 0; i < limit && sqlite3_step(statement) == SQLITE_ROW; i++)
        item_add_value(tally, sqlite3_column_blob(statement, 1), (size_t)sqlite3_column_bytes(statement, 1));
    return sqlite3_reset(statement);
}

static int count(raw_store *store, int64_t *count) { return sqlite_number(store, st_count, count); }

const raw_item_engine *raw_item_engine_sqlite(void) {
    static const raw_item_engine engine = {
        sqlite_message, open_store, sqlite_begin_access, sqlite_end_access, put, get, erase, scan, count, sqlite_shut};
    return &engine;
}
