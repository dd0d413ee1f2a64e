#include "sqlite_store.h"

enum { st_insert = sqlite_first_own, st_insert_text, st_find, st_rank, st_count };

int raw_titles_open(const char *path, raw_durability durability, raw_store **result) {
    static const char *const sql[] = {
        "INSERT INTO title (id, title, seconds) VALUES (?1, ?2, ?3)",
        "INSERT INTO title_text (rowid, title) VALUES (?1, ?2)",
        "SELECT title.id, title.title, title.seconds FROM title_text JOIN title ON title.id = title_text.rowid "
        "WHERE title_text MATCH ?1",
        "SELECT title.id, title.title, title.seconds FROM title_text JOIN title ON title.id = title_text.rowid "
        "WHERE title_text MATCH ?1 ORDER BY rank LIMIT ?2",
        "SELECT count(*) FROM title",
    };
    // The words alone are in FTS5; the texts stay in the table. Both are written by the program, without triggers.
    const char *schema =
        "CREATE TABLE IF NOT EXISTS title (id INTEGER PRIMARY KEY, title TEXT NOT NULL, seconds INTEGER NOT NULL); "
        "CREATE VIRTUAL TABLE IF NOT EXISTS title_text USING fts5(title, content='title', content_rowid='id')";
    static const raw_shape none;
    return sqlite_open(path, durability, schema, sql, sizeof sql / sizeof *sql, &none, result);
}

int raw_titles_insert(raw_store *store, const raw_title *titles, size_t count) {
    sqlite3_stmt *row = store->statements[st_insert], *text = store->statements[st_insert_text];
    int code = sqlite_run(store, sqlite_begin_write);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        const raw_title *title = &titles[i];
        sqlite3_bind_int64(row, 1, (sqlite3_int64)i + 1);
        sqlite3_bind_text(row, 2, title->title.bytes, (int)title->title.size, SQLITE_STATIC);
        sqlite3_bind_int64(row, 3, title->seconds);
        sqlite3_step(row);
        if ((code = sqlite3_reset(row))) break;
        sqlite3_bind_int64(text, 1, (sqlite3_int64)i + 1);
        sqlite3_bind_text(text, 2, title->title.bytes, (int)title->title.size, SQLITE_STATIC);
        sqlite3_step(text);
        code = sqlite3_reset(text);
    }
    return sqlite_end(store, code);
}

int raw_titles_find(raw_store *store, const raw_text *words, size_t count, raw_tally *tally) {
    sqlite3_stmt *statement = store->statements[st_find];
    int code = sqlite_run(store, sqlite_begin);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        sqlite3_bind_text(statement, 1, words[i].bytes, (int)words[i].size, SQLITE_STATIC);
        while (sqlite3_step(statement) == SQLITE_ROW) {
            tally->count += sqlite3_column_int64(statement, 0) > 0;
            if (sqlite3_column_text(statement, 1)) tally->text_bytes += sqlite3_column_bytes(statement, 1);
            tally->years += sqlite3_column_int64(statement, 2);
        }
        code = sqlite3_reset(statement);
    }
    return sqlite_end(store, code);
}

int raw_titles_rank(raw_store *store, const raw_text *searches, size_t count, size_t limit, int64_t *ids) {
    sqlite3_stmt *statement = store->statements[st_rank];
    int code = sqlite_run(store, sqlite_begin);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        sqlite3_bind_text(statement, 1, searches[i].bytes, (int)searches[i].size, SQLITE_STATIC);
        sqlite3_bind_int64(statement, 2, (sqlite3_int64)limit);
        int64_t *id = ids + i * limit;
        for (; sqlite3_step(statement) == SQLITE_ROW; id++)
            *id = sqlite3_column_text(statement, 1) && sqlite3_column_int64(statement, 2) > 0 ? sqlite3_column_int64(statement, 0) : 0;
        while (id < ids + (i + 1) * limit) *id++ = 0;
        code = sqlite3_reset(statement);
    }
    return sqlite_end(store, code);
}

int raw_titles_count(raw_store *store, int64_t *count) { return sqlite_number(store, st_count, count); }

int raw_titles_close(raw_store *store) { return sqlite_shut(store); }

const char *raw_titles_message(int code) { return sqlite_message(code); }
