#include <sqlite3.h>
#include <stdint.h>
#include <string.h>

// Swift cannot call functions with variable arguments; these give them fixed ones.

static inline int csqlite_set_flag(sqlite3 *connection, int flag, int value) {
    return sqlite3_db_config(connection, flag, value, (int *)0);
}

// SQLite copies the bytes, which Swift has for the call only; the value that asks for it is a cast that Swift does not import.

static inline int csqlite_bind_text_copy(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text ? text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// A pointer that only who knows its name can give to a function or take from it, as SQL cannot: https://sqlite.org/bindptr.html

static inline int csqlite_bind_visitor(sqlite3_stmt *statement, int index, void *visitor) {
    return sqlite3_bind_pointer(statement, index, visitor, "trove.visitor", 0);
}

static inline void *csqlite_visitor(sqlite3_value *value) {
    return sqlite3_value_pointer(value, "trove.visitor");
}

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

// Swift does not import constants that are made by an expression.

enum {
    csqlite_readonly_dbmoved = SQLITE_READONLY_DBMOVED,
    csqlite_ioerr_corruptfs = SQLITE_IOERR_CORRUPTFS,
    csqlite_ioerr_nomem = SQLITE_IOERR_NOMEM,
    csqlite_ioerr_short_read = SQLITE_IOERR_SHORT_READ
};

// The header of the index of the write-ahead log: https://sqlite.org/walformat.html, "The WAL-Index File Format".

typedef struct csqlite_log_state {
    uint32_t version;
    uint32_t unused;
    uint32_t changes;
    uint32_t rest[9];
} csqlite_log_state;

/// The index, mapped for as long as the connection is open; null for one that has no write-ahead log.
static inline const void *csqlite_log_index(sqlite3 *connection) {
    sqlite3_file *file = 0;
    void volatile *index = 0;
    if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file || !file->pMethods) return 0;
    if (file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
    if (file->pMethods->xShmMap(file, 0, 32768, 0, &index) != SQLITE_OK) return 0;
    return (const void *)index;
}

/// A copy of the header. Another process may write it meanwhile: words are read one by one, and all before what the caller reads next.
static inline csqlite_log_state csqlite_read_log_state(const void *index) {
    const volatile uint32_t *words = (const volatile uint32_t *)index;
    uint32_t copy[12];
    csqlite_log_state state;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    for (int place = 0; place < 12; place++) copy[place] = words[place];
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    memcpy(&state, copy, sizeof state);
    return state;
}

/// Writes zeros behind the end of the write-ahead log's file until it has `end` bytes, and returns how many it has; -1 when that fails, as on a full disk, and outside of a write
/// transaction, where others may write to the log, and where there is none.
///
/// What reads the log takes zeros for its end: https://sqlite.org/walformat.html, "WAL File Format".
static inline sqlite3_int64 csqlite_write_log_ahead(sqlite3 *connection, sqlite3_int64 end) {
    static const char zeros[65536];
    sqlite3_file *file = 0;
    sqlite3_int64 size = 0;
    if (sqlite3_txn_state(connection, "main") != SQLITE_TXN_WRITE || !csqlite_log_index(connection)) return -1;
    if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) != SQLITE_OK || !file || !file->pMethods) return -1;
    if (file->pMethods->xFileSize(file, &size) != SQLITE_OK) return -1;
    while (size < end) {
        int count = end - size < (sqlite3_int64)sizeof zeros ? (int)(end - size) : (int)sizeof zeros;
        if (file->pMethods->xWrite(file, zeros, count, size) != SQLITE_OK) return -1;
        size += count;
    }
    return size;
}
