#include <sqlite3.h>
#include <stdint.h>
#include <string.h>
#include "keys_table.h"

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
    uint32_t kind;
    /// How many pages of the log are committed.
    uint32_t pages;
    uint32_t rest[3];
    /// What the log has got at random, anew whenever it begins anew.
    uint32_t salt[2];
    uint32_t checksum[2];
} csqlite_log_state;

/// The index, mapped for as long as the connection is open; null for one that has no write-ahead log.
static inline const void *csqlite_log_index(sqlite3 *connection) {
    sqlite3_file *file = 0;
    void volatile *index = 0;
    if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file || !file->pMethods) return 0;
    if (file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
    int code = file->pMethods->xShmMap(file, 0, 32768, 0, &index);
    /* An index that may only be read is mapped all the same. */
    return code == SQLITE_OK || code == SQLITE_READONLY ? (const void *)index : 0;
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
