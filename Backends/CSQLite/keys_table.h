#include <sqlite3.h>
#include <stdint.h>
#include <string.h>

/// Keys that a statement takes from its caller as the rows of a table: those of a list, each behind the same few bytes.
typedef struct csqlite_keys {
    const uint8_t *bytes;
    /// Where each key ends; null when all have the same width.
    const int64_t *ends;
    int64_t width;
    int64_t count;
    const uint8_t *prefix;
    int32_t prefix_size;
} csqlite_keys;

static inline int csqlite_bind_keys(sqlite3_stmt *statement, int index, const csqlite_keys *keys) {
    return sqlite3_bind_pointer(statement, index, (void *)keys, "trove.keys", 0);
}

// The table: trove_keys(keys), whose rowid is the position of a key. https://sqlite.org/vtab.html, "Eponymous-only virtual tables".

typedef struct csqlite_keys_cursor {
    sqlite3_vtab_cursor base;
    const csqlite_keys *keys;
    int64_t position;
    uint8_t *key;
    int64_t capacity;
} csqlite_keys_cursor;

static inline int csqlite_keys_connect(
    sqlite3 *connection, void *context, int count, const char *const *arguments, sqlite3_vtab **table, char **message) {
    int code = sqlite3_declare_vtab(connection, "CREATE TABLE trove_keys(key BLOB, keys HIDDEN)");
    if (code == SQLITE_OK) code = sqlite3_vtab_config(connection, SQLITE_VTAB_DIRECTONLY);
    if (code != SQLITE_OK) return code;
    *table = (sqlite3_vtab *)sqlite3_malloc(sizeof **table);
    if (!*table) return SQLITE_NOMEM;
    memset(*table, 0, sizeof **table);
    return SQLITE_OK;
}

static inline int csqlite_keys_disconnect(sqlite3_vtab *table) {
    sqlite3_free(table);
    return SQLITE_OK;
}

static inline int csqlite_keys_plan(sqlite3_vtab *table, sqlite3_index_info *plan) {
    for (int place = 0; place < plan->nConstraint; place++) {
        if (plan->aConstraint[place].iColumn != 1 || plan->aConstraint[place].op != SQLITE_INDEX_CONSTRAINT_EQ || !plan->aConstraint[place].usable) continue;
        plan->aConstraintUsage[place].argvIndex = 1;
        plan->aConstraintUsage[place].omit = 1;
        plan->estimatedCost = 1;
        plan->estimatedRows = 100;
        return SQLITE_OK;
    }
    return SQLITE_CONSTRAINT;
}

static inline int csqlite_keys_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
    csqlite_keys_cursor *opened = (csqlite_keys_cursor *)sqlite3_malloc(sizeof *opened);
    if (!opened) return SQLITE_NOMEM;
    memset(opened, 0, sizeof *opened);
    *cursor = &opened->base;
    return SQLITE_OK;
}

static inline int csqlite_keys_close(sqlite3_vtab_cursor *cursor) {
    sqlite3_free(((csqlite_keys_cursor *)cursor)->key);
    sqlite3_free(cursor);
    return SQLITE_OK;
}

/// Begins with the first key. Who has no list to give, as SQL of the application, finds no rows.
static inline int csqlite_keys_filter(sqlite3_vtab_cursor *cursor, int plan, const char *name, int count, sqlite3_value **arguments) {
    csqlite_keys_cursor *self = (csqlite_keys_cursor *)cursor;
    self->keys = count > 0 ? (const csqlite_keys *)sqlite3_value_pointer(arguments[0], "trove.keys") : 0;
    self->position = 0;
    return SQLITE_OK;
}

static inline int csqlite_keys_next(sqlite3_vtab_cursor *cursor) {
    ((csqlite_keys_cursor *)cursor)->position++;
    return SQLITE_OK;
}

static inline int csqlite_keys_eof(sqlite3_vtab_cursor *cursor) {
    csqlite_keys_cursor *self = (csqlite_keys_cursor *)cursor;
    return !self->keys || self->position >= self->keys->count;
}

/// The key, which lives until the next one is asked for: a search takes it at once.
static inline int csqlite_keys_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column) {
    csqlite_keys_cursor *self = (csqlite_keys_cursor *)cursor;
    const csqlite_keys *keys = self->keys;
    if (column != 0) return SQLITE_OK;
    int64_t start = keys->ends ? (self->position ? keys->ends[self->position - 1] : 0) : self->position * keys->width;
    int64_t width = keys->ends ? keys->ends[self->position] - start : keys->width;
    int64_t size = keys->prefix_size + width;
    if (size > self->capacity) {
        uint8_t *key = (uint8_t *)sqlite3_realloc64(self->key, (sqlite3_uint64)size);
        if (!key) return SQLITE_NOMEM;
        self->key = key;
        self->capacity = size;
    }
    memcpy(self->key, keys->prefix, (size_t)keys->prefix_size);
    memcpy(self->key + keys->prefix_size, keys->bytes + start, (size_t)width);
    sqlite3_result_blob64(context, self->key, (sqlite3_uint64)size, SQLITE_STATIC);
    return SQLITE_OK;
}

static inline int csqlite_keys_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
    *rowid = ((csqlite_keys_cursor *)cursor)->position;
    return SQLITE_OK;
}

/// Makes the table known to a connection.
static inline int csqlite_register_keys(sqlite3 *connection) {
    static const sqlite3_module module = {
        .xConnect = csqlite_keys_connect,
        .xBestIndex = csqlite_keys_plan,
        .xDisconnect = csqlite_keys_disconnect,
        .xOpen = csqlite_keys_open,
        .xClose = csqlite_keys_close,
        .xFilter = csqlite_keys_filter,
        .xNext = csqlite_keys_next,
        .xEof = csqlite_keys_eof,
        .xColumn = csqlite_keys_column,
        .xRowid = csqlite_keys_rowid,
    };
    return sqlite3_create_module_v2(connection, "trove_keys", &module, 0, 0);
}
