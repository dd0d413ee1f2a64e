#include "index_entries.h"
#include "sqlite_entries.h"
#include "tally.h"

enum { st_put = sqlite_first_own, st_get, st_scan, st_between, st_count };

static const index_keyspace artists = {{2}, 1}, plays = {{3}, 1};
static const uint8_t tracks_begin[] = {sqlite_record_keyspace}, tracks_end[] = {sqlite_record_keyspace + 1};

static int open_store(const char *path, raw_durability durability, bool bulk_load, bool label_index,
                      const raw_shape *shape, raw_store **result) {
    (void)bulk_load;  // One durable commit at the end is as fast as any other way.
    (void)label_index;
    static const char *const sql[] = {
        "REPLACE INTO entries (key, value) VALUES (?1, ?2)",
        "SELECT value FROM entries WHERE key = ?1",
        "SELECT value FROM entries WHERE key >= ?1 AND key < ?2",
        "SELECT key FROM entries WHERE key >= ?1 AND key < ?2 ORDER BY key",
        "SELECT count(*) FROM entries WHERE key >= x'01' AND key < x'02'",
    };
    return sqlite_open(path, durability, SQLITE_ENTRIES_SCHEMA, sql, sizeof sql / sizeof *sql, shape, result);
}

static int put_records(raw_store *store, const raw_records *records, size_t count) {
    int code = 0;
    for (size_t i = 0; i < count && !code; i++) {
        uint8_t key[sqlite_record_key_size];
        sqlite_make_key(record_key(records, i), key);
        code = sqlite_put(store->statements[st_put], key, sizeof key, record_value(records, i), record_size(records, i));
    }
    return code;
}

/// Puts sorted entries, and frees them.
static int put_entries(raw_store *store, index_entries *entries) {
    static const uint8_t none[1];
    int code = 0;
    for (size_t i = 0; i < entries->count && !code; i++)
        code = sqlite_put(store->statements[st_put], entries->entries[i].bytes, entries->entries[i].size, none, 0);
    index_entries_free(entries);
    return code;
}

static int insert(raw_store *store, const raw_records *records, const raw_track *tracks, size_t count) {
    index_entries entries;
    int code = sqlite_run(store, sqlite_begin_write);
    if (code) return code;
    code = put_records(store, records, count);
    if (!code)
        code = index_entries_of_artists(&artists, records, tracks, count, &entries) ? put_entries(store, &entries) : SQLITE_NOMEM;
    if (!code)
        code = index_entries_of_plays(&plays, records, tracks, count, &entries) ? put_entries(store, &entries) : SQLITE_NOMEM;
    return sqlite_end(store, code);
}

static int count_after(raw_store *store, int64_t year, int64_t *count) {
    sqlite3_stmt *statement = store->statements[st_scan];
    int64_t found = 0;
    sqlite3_bind_blob(statement, 1, tracks_begin, sizeof tracks_begin, SQLITE_STATIC);
    sqlite3_bind_blob(statement, 2, tracks_end, sizeof tracks_end, SQLITE_STATIC);
    while (sqlite3_step(statement) == SQLITE_ROW) found += is_after(&store->shape, sqlite3_column_blob(statement, 0), year);
    *count = found;
    return sqlite3_reset(statement);
}

static int get(raw_store *store, const uint8_t *record_key, raw_tally *tally) {
    sqlite3_stmt *statement = store->statements[st_get];
    uint8_t key[sqlite_record_key_size];
    sqlite_make_key(record_key, key);
    sqlite3_bind_blob(statement, 1, key, sizeof key, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW)
        tally_add(tally, &store->shape, sqlite3_column_blob(statement, 0), (size_t)sqlite3_column_bytes(statement, 0));
    return sqlite3_reset(statement);
}

/// Collects the entries within the bounds, at most `limit`.
static int match(raw_store *store, const index_bounds *bounds, size_t limit, index_matches *matches) {
    sqlite3_stmt *statement = store->statements[st_between];
    bool has_memory = true;
    sqlite3_bind_blob(statement, 1, bounds->low, (int)bounds->low_size, SQLITE_STATIC);
    sqlite3_bind_blob(statement, 2, bounds->high, (int)bounds->high_size, SQLITE_STATIC);
    while (has_memory && matches->count < limit && sqlite3_step(statement) == SQLITE_ROW)
        has_memory = index_matches_add(matches, sqlite3_column_blob(statement, 0), (size_t)sqlite3_column_bytes(statement, 0));
    int code = sqlite3_reset(statement);
    return has_memory ? code : SQLITE_NOMEM;
}

/// Reads the records of the entries within the bounds, at most `limit`.
static int find(raw_store *store, const index_bounds *bounds, size_t limit, raw_tally *tally) {
    index_matches matches = {0};
    int code = match(store, bounds, limit, &matches);
    index_matches_sort(&matches);
    for (size_t i = 0; i < matches.count && !code; i++) code = get(store, matches.keys[i], tally);
    index_matches_free(&matches);
    return code;
}

static int find_artists(raw_store *store, const raw_text *names, size_t count, raw_tally *tally) {
    index_bounds bounds;
    int code = sqlite_run(store, sqlite_begin);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++)
        code = index_bounds_of_artist(&artists, &names[i], &bounds) ? find(store, &bounds, SIZE_MAX, tally) : SQLITE_TOOBIG;
    return sqlite_end(store, code);
}

static int find_first(raw_store *store, const raw_text *names, size_t count, size_t limit, raw_tally *tally) {
    index_bounds bounds;
    int code = 0;
    for (size_t i = 0; i < count && !code; i++) {
        if ((code = sqlite_run(store, sqlite_begin))) return code;
        code = index_bounds_of_artist(&artists, &names[i], &bounds) ? find(store, &bounds, limit, tally) : SQLITE_TOOBIG;
        code = sqlite_end(store, code);
    }
    return code;
}

static int find_plays(raw_store *store, const raw_range *ranges, size_t count, raw_tally *tally) {
    index_bounds bounds;
    int code = sqlite_run(store, sqlite_begin);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        index_bounds_of_plays(&plays, &ranges[i], &bounds);
        code = find(store, &bounds, SIZE_MAX, tally);
    }
    return sqlite_end(store, code);
}

static int count(raw_store *store, int64_t *count) { return sqlite_number(store, st_count, count); }

const raw_track_engine *raw_track_engine_sqlite(void) {
    static const raw_track_engine engine = {
        sqlite_version, sqlite_message, open_store, insert, count_after, find_artists, find_first, find_plays, NULL, NULL,
        count, sqlite_shut};
    return &engine;
}
