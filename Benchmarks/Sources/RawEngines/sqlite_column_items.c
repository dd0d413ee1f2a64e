#include "sqlite_store.h"

enum { st_put = sqlite_first_own, st_get, st_erase, st_scan, st_count };

static int open_store(const char *path, raw_durability durability, bool bulk_load, raw_store **result) {
    (void)bulk_load;  // One durable commit at the end is as fast as any other way.
    static const char *const sql[] = {
        "REPLACE INTO item (id, title, seconds) VALUES (?1, ?2, ?3)",
        "SELECT id, title, seconds FROM item WHERE id = ?1",
        "DELETE FROM item WHERE id = ?1",
        "SELECT id, title, seconds FROM item WHERE id >= ?1 ORDER BY id",
        "SELECT count(*) FROM item",
    };
    static const raw_shape none;
    const char *schema = "CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, title TEXT NOT NULL, seconds INTEGER NOT NULL)";
    return sqlite_open(path, durability, schema, sql, sizeof sql / sizeof *sql, &none, result);
}

static int put(raw_store *store, const raw_item *item, bool appends) {
    (void)appends;  // SQLite finds the end of a table by itself.
    sqlite3_stmt *statement = store->statements[st_put];
    sqlite3_bind_int64(statement, 1, item->number);
    sqlite3_bind_text(statement, 2, item->title.bytes, (int)item->title.size, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 3, item->seconds);
    sqlite3_step(statement);
    return sqlite3_reset(statement);
}

/// Reads the row that a statement stands at.
static void read_row(sqlite3_stmt *statement, raw_tally *tally) {
    tally->count += sqlite3_column_int64(statement, 0) > 0;
    if (sqlite3_column_text(statement, 1)) tally->text_bytes += sqlite3_column_bytes(statement, 1);
    int64_t seconds = sqlite3_column_int64(statement, 2);
    tally->years += seconds;
    tally->weighted += (uint64_t)tally->count * (uint64_t)seconds;
}

static int get(raw_store *store, const raw_item *item, raw_tally *tally) {
    sqlite3_stmt *statement = store->statements[st_get];
    sqlite3_bind_int64(statement, 1, item->number);
    if (sqlite3_step(statement) == SQLITE_ROW) read_row(statement, tally);
    return sqlite3_reset(statement);
}

static int erase(raw_store *store, const raw_item *item) {
    sqlite3_stmt *statement = store->statements[st_erase];
    sqlite3_bind_int64(statement, 1, item->number);
    sqlite3_step(statement);
    return sqlite3_reset(statement);
}

static int scan(raw_store *store, const raw_item *first, size_t limit, raw_tally *tally) {
    sqlite3_stmt *statement = store->statements[st_scan];
    sqlite3_bind_int64(statement, 1, first ? first->number : 0);
    for (size_t i = 0; i < limit && sqlite3_step(statement) == SQLITE_ROW; i++) read_row(statement, tally);
    return sqlite3_reset(statement);
}

static int count(raw_store *store, int64_t *count) { return sqlite_number(store, st_count, count); }

const raw_item_engine *raw_item_engine_sqlite_columns(void) {
    static const raw_item_engine engine = {
        sqlite_message, open_store, sqlite_begin_access, sqlite_end_access, put, get, erase, scan, count, sqlite_shut};
    return &engine;
}
