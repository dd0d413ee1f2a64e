#include <sqlite3.h>

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

// Swift does not import constants that are made by an expression.

enum {
    csqlite_readonly_dbmoved = SQLITE_READONLY_DBMOVED,
    csqlite_ioerr_corruptfs = SQLITE_IOERR_CORRUPTFS,
    csqlite_ioerr_nomem = SQLITE_IOERR_NOMEM,
    csqlite_ioerr_short_read = SQLITE_IOERR_SHORT_READ
};
