#include <sqlite3.h>

// Swift cannot call functions with variable arguments; these give them fixed ones.

static inline int csqlite_set_flag(sqlite3 *connection, int flag, int value) {
    return sqlite3_db_config(connection, flag, value, (int *)0);
}

// Swift does not import constants that are made by an expression.

enum {
    csqlite_readonly_dbmoved = SQLITE_READONLY_DBMOVED,
    csqlite_ioerr_corruptfs = SQLITE_IOERR_CORRUPTFS,
    csqlite_ioerr_nomem = SQLITE_IOERR_NOMEM,
    csqlite_ioerr_short_read = SQLITE_IOERR_SHORT_READ
};
