#include "sqlite_store.h"

#include <string.h>

enum { st_insert = sqlite_first_own, st_insert_value, st_count, st_find };

int raw_notes_open(const char *path, raw_durability durability, raw_store **result) {
    static const char *const sql[] = {
        "INSERT INTO note (key, archive) VALUES (?1, ?2)",
        "INSERT INTO note_value (key, path, value) VALUES (?1, ?2, ?3)",
        "SELECT count(*) FROM note",
        "SELECT note.archive FROM note_value INDEXED BY note_value_path JOIN note ON note.key = note_value.key "
        "WHERE note_value.path = ?1 AND note_value.value = ?2",
    };
    static const raw_shape none;
    // NanoStore's two tables. Where it has an index on the attribute and one on the value, this has one on both, which answers at once. The index on the key is
    // what a change and a removal of a document find its values by.
    const char *schema =
        "CREATE TABLE IF NOT EXISTS note (key BLOB PRIMARY KEY NOT NULL, archive BLOB NOT NULL) WITHOUT ROWID; "
        "CREATE TABLE IF NOT EXISTS note_value (key BLOB NOT NULL, path TEXT NOT NULL, value NOT NULL); "
        "CREATE INDEX IF NOT EXISTS note_value_key ON note_value (key); CREATE INDEX IF NOT EXISTS note_value_path ON note_value (path, value)";
    return sqlite_open(path, durability, schema, sql, sizeof sql / sizeof *sql, &none, result);
}

static int bind_text(sqlite3_stmt *statement, int number, const raw_text *text) {
    return sqlite3_bind_text(statement, number, text->bytes, (int)text->size, SQLITE_STATIC);
}

static int insert_leaf(sqlite3_stmt *statement, const raw_note *note, const raw_leaf *leaf) {
    sqlite3_bind_blob(statement, 1, note->key, raw_key_size, SQLITE_STATIC);
    bind_text(statement, 2, &leaf->path);
    switch (leaf->kind) {
    case raw_leaf_text: bind_text(statement, 3, &leaf->text); break;
    case raw_leaf_integer: sqlite3_bind_int64(statement, 3, leaf->integer); break;
    case raw_leaf_real: sqlite3_bind_double(statement, 3, leaf->real); break;
    }
    sqlite3_step(statement);
    return sqlite3_reset(statement);
}

int raw_notes_insert(raw_store *store, const raw_note *notes, size_t count) {
    sqlite3_stmt *statement = store->statements[st_insert];
    int code = sqlite_run(store, sqlite_begin_write);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        const raw_note *note = &notes[i];
        sqlite3_bind_blob(statement, 1, note->key, raw_key_size, SQLITE_STATIC);
        sqlite3_bind_blob(statement, 2, note->archive.bytes, (int)note->archive.size, SQLITE_STATIC);
        sqlite3_step(statement);
        code = sqlite3_reset(statement);
        for (size_t leaf = 0; leaf < note->leaf_count && !code; leaf++) code = insert_leaf(store->statements[st_insert_value], note, &note->leaves[leaf]);
    }
    return sqlite_end(store, code);
}

int raw_notes_find(raw_store *store, const raw_text *path, const raw_text *value, raw_tally *tally) {
    sqlite3_stmt *statement = store->statements[st_find];
    bind_text(statement, 1, path);
    bind_text(statement, 2, value);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        const void *archive = sqlite3_column_blob(statement, 0);
        int64_t number;
        if (!archive || sqlite3_column_bytes(statement, 0) < (int)sizeof number) break;
        memcpy(&number, archive, sizeof number);
        tally->count += 1;
        tally->years += number;
    }
    return sqlite3_reset(statement);
}

int raw_notes_count(raw_store *store, int64_t *count) { return sqlite_number(store, st_count, count); }

int raw_notes_close(raw_store *store) { return sqlite_shut(store); }

const char *raw_notes_message(int code) { return sqlite_message(code); }
