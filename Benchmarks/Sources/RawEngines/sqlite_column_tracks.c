#include "sqlite_store.h"

enum { st_insert = sqlite_first_own, st_after, st_artist, st_first, st_plays, st_labels, st_count };

#define COLUMNS "title, artist, label, year, plays, rating, duration"

static int open_store(const char *path, raw_durability durability, bool bulk_load, bool label_index,
                      const raw_shape *shape, raw_store **result) {
    (void)bulk_load;  // One durable commit at the end is as fast as any other way.
    static const char *const sql[] = {
        "INSERT INTO track (id, " COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        "SELECT count(*) FROM track WHERE year > ?1",
        "SELECT id, " COLUMNS " FROM track WHERE artist = ?1",
        "SELECT id, " COLUMNS " FROM track WHERE artist = ?1 ORDER BY id LIMIT ?2",
        "SELECT id, " COLUMNS " FROM track WHERE plays >= ?1 AND plays < ?2",
        "SELECT label, count(*) FROM track GROUP BY label",
        "SELECT count(*) FROM track",
    };
    const char *schema =
        "CREATE TABLE IF NOT EXISTS track (id INTEGER PRIMARY KEY, title TEXT NOT NULL, artist TEXT NOT NULL, label TEXT NOT NULL, "
        "year INTEGER NOT NULL, plays INTEGER NOT NULL, rating REAL, duration REAL NOT NULL); "
        "CREATE INDEX IF NOT EXISTS track_artist ON track (artist); "
        "CREATE INDEX IF NOT EXISTS track_plays ON track (plays)";
    int code = sqlite_open(path, durability, schema, sql, sizeof sql / sizeof *sql, shape, result);
    if (code || !label_index) return code;
    // The statements are prepared again by themselves when the schema has changed.
    code = sqlite3_exec((*result)->database, "CREATE INDEX IF NOT EXISTS track_label ON track (label)", NULL, NULL, NULL);
    if (code) sqlite_shut(*result);
    return code;
}

static void bind_text(sqlite3_stmt *statement, int number, const raw_text *text) {
    sqlite3_bind_text(statement, number, text->bytes, (int)text->size, SQLITE_STATIC);
}

static int insert(raw_store *store, const raw_records *records, const raw_track *tracks, size_t count) {
    (void)records;
    sqlite3_stmt *statement = store->statements[st_insert];
    int code = sqlite_run(store, sqlite_begin_write);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        const raw_track *track = &tracks[i];
        sqlite3_bind_int64(statement, 1, (sqlite3_int64)i + 1);
        bind_text(statement, 2, &track->title);
        bind_text(statement, 3, &track->artist);
        bind_text(statement, 4, &track->label);
        sqlite3_bind_int64(statement, 5, track->year);
        sqlite3_bind_int64(statement, 6, track->plays);
        if (track->rating < 0) sqlite3_bind_null(statement, 7);
        else sqlite3_bind_double(statement, 7, track->rating);
        sqlite3_bind_double(statement, 8, track->duration);
        sqlite3_step(statement);
        code = sqlite3_reset(statement);
    }
    return sqlite_end(store, code);
}

static int count_after(raw_store *store, int64_t year, int64_t *count) {
    sqlite3_bind_int64(store->statements[st_after], 1, year);
    return sqlite_number(store, st_after, count);
}

/// Reads all columns of the rows that a statement gives.
static int read_rows(sqlite3_stmt *statement, raw_tally *tally) {
    while (sqlite3_step(statement) == SQLITE_ROW) {
        tally->count += sqlite3_column_int64(statement, 0) > 0;
        for (int column = 1; column <= 3; column++)
            if (sqlite3_column_text(statement, column)) tally->text_bytes += sqlite3_column_bytes(statement, column);
        tally->years += sqlite3_column_int64(statement, 4);
        // Read like the others; no sum has them.
        volatile int64_t plays = sqlite3_column_int64(statement, 5);
        volatile double rating = sqlite3_column_double(statement, 6);
        (void)plays, (void)rating;
        tally->durations += sqlite3_column_double(statement, 7);
    }
    return sqlite3_reset(statement);
}

static int find_artists(raw_store *store, const raw_text *artists, size_t count, raw_tally *tally) {
    int code = sqlite_run(store, sqlite_begin);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        bind_text(store->statements[st_artist], 1, &artists[i]);
        code = read_rows(store->statements[st_artist], tally);
    }
    return sqlite_end(store, code);
}

static int find_first(raw_store *store, const raw_text *artists, size_t count, size_t limit, raw_tally *tally) {
    int code = 0;
    for (size_t i = 0; i < count && !code; i++) {
        if ((code = sqlite_run(store, sqlite_begin))) return code;
        bind_text(store->statements[st_first], 1, &artists[i]);
        sqlite3_bind_int64(store->statements[st_first], 2, (sqlite3_int64)limit);
        code = sqlite_end(store, read_rows(store->statements[st_first], tally));
    }
    return code;
}

static int find_plays(raw_store *store, const raw_range *ranges, size_t count, raw_tally *tally) {
    int code = sqlite_run(store, sqlite_begin);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        sqlite3_bind_int64(store->statements[st_plays], 1, ranges[i].low);
        sqlite3_bind_int64(store->statements[st_plays], 2, ranges[i].high);
        code = read_rows(store->statements[st_plays], tally);
    }
    return sqlite_end(store, code);
}

static int count_labels(raw_store *store, raw_tally *tally) {
    sqlite3_stmt *statement = store->statements[st_labels];
    while (sqlite3_step(statement) == SQLITE_ROW) {
        int64_t tracks = sqlite3_column_int64(statement, 1);
        tally->count += 1;
        tally->years += tracks * tracks;
        if (sqlite3_column_text(statement, 0)) tally->text_bytes += sqlite3_column_bytes(statement, 0);
    }
    return sqlite3_reset(statement);
}

static int ask(raw_store *store, const char *sql, raw_tally *tally) {
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);
    if (code) return code;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        tally->count += 1;
        if (sqlite3_column_type(statement, 0) == SQLITE_INTEGER) tally->years += sqlite3_column_int64(statement, 0);
        else if (sqlite3_column_text(statement, 0)) tally->text_bytes += sqlite3_column_bytes(statement, 0);
    }
    return sqlite3_finalize(statement);
}

static int count(raw_store *store, int64_t *count) { return sqlite_number(store, st_count, count); }

const raw_track_engine *raw_track_engine_sqlite_columns(void) {
    static const raw_track_engine engine = {
        sqlite_version, sqlite_message, open_store, insert, count_after, find_artists, find_first, find_plays, count_labels, ask,
        count, sqlite_shut};
    return &engine;
}
