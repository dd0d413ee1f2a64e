#include "sqlite_store.h"

enum { st_insert = sqlite_first_own, st_count, st_find, attribute_count = 6 };

int raw_documents_open(const char *path, raw_durability durability, raw_store **result) {
    static const char *const sql[] = {
        "INSERT INTO document (id, name, city, kind, year, size, price) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        "SELECT count(*) FROM document",
        "SELECT name, size FROM document INDEXED BY document_name WHERE name = ?1",
        "SELECT name, size FROM document INDEXED BY document_city WHERE city = ?1",
        "SELECT name, size FROM document INDEXED BY document_kind WHERE kind = ?1",
        "SELECT name, size FROM document INDEXED BY document_year WHERE year = ?1",
        "SELECT name, size FROM document INDEXED BY document_size WHERE size = ?1",
        "SELECT name, size FROM document INDEXED BY document_price WHERE price = ?1",
    };
    static const raw_shape none;
    const char *schema =
        "CREATE TABLE IF NOT EXISTS document (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, kind TEXT NOT NULL, "
        "year INTEGER NOT NULL, size INTEGER NOT NULL, price REAL NOT NULL); "
        "CREATE INDEX IF NOT EXISTS document_name ON document (name); CREATE INDEX IF NOT EXISTS document_city ON document (city); "
        "CREATE INDEX IF NOT EXISTS document_kind ON document (kind); CREATE INDEX IF NOT EXISTS document_year ON document (year); "
        "CREATE INDEX IF NOT EXISTS document_size ON document (size); CREATE INDEX IF NOT EXISTS document_price ON document (price)";
    return sqlite_open(path, durability, schema, sql, sizeof sql / sizeof *sql, &none, result);
}

static void bind_text(sqlite3_stmt *statement, int number, const raw_text *text) {
    sqlite3_bind_text(statement, number, text->bytes, (int)text->size, SQLITE_STATIC);
}

int raw_documents_insert(raw_store *store, const raw_document *documents, size_t count, int64_t first) {
    sqlite3_stmt *statement = store->statements[st_insert];
    int code = sqlite_run(store, sqlite_begin_write);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        const raw_document *document = &documents[i];
        sqlite3_bind_int64(statement, 1, first + (sqlite3_int64)i);
        bind_text(statement, 2, &document->name);
        bind_text(statement, 3, &document->city);
        bind_text(statement, 4, &document->kind);
        sqlite3_bind_int64(statement, 5, document->year);
        sqlite3_bind_int64(statement, 6, document->size);
        sqlite3_bind_double(statement, 7, document->price);
        sqlite3_step(statement);
        code = sqlite3_reset(statement);
    }
    return sqlite_end(store, code);
}

int raw_documents_find(raw_store *store, const raw_document *document, raw_tally *tally) {
    sqlite3_stmt **statements = &store->statements[st_find];
    bind_text(statements[0], 1, &document->name);
    bind_text(statements[1], 1, &document->city);
    bind_text(statements[2], 1, &document->kind);
    sqlite3_bind_int64(statements[3], 1, document->year);
    sqlite3_bind_int64(statements[4], 1, document->size);
    sqlite3_bind_double(statements[5], 1, document->price);
    int code = 0;
    for (int i = 0; i < attribute_count && !code; i++) {
        while (sqlite3_step(statements[i]) == SQLITE_ROW) {
            tally->count += 1;
            if (sqlite3_column_text(statements[i], 0)) tally->text_bytes += sqlite3_column_bytes(statements[i], 0);
            tally->years += sqlite3_column_int64(statements[i], 1);
        }
        code = sqlite3_reset(statements[i]);
    }
    return code;
}

int raw_documents_count(raw_store *store, int64_t *count) { return sqlite_number(store, st_count, count); }

int raw_documents_close(raw_store *store) { return sqlite_shut(store); }

const char *raw_documents_message(int code) { return sqlite_message(code); }
