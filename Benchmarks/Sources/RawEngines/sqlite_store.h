#ifndef SQLITE_STORE_H
#define SQLITE_STORE_H

#include <sqlite3.h>

#include "raw_engines.h"

enum { sqlite_max_statements = 16 };

struct raw_store {
    sqlite3 *database;
    sqlite3_stmt *statements[sqlite_max_statements];
    raw_shape shape;
};

/// The statements that every store has; its own follow.
enum { sqlite_begin, sqlite_begin_write, sqlite_commit, sqlite_rollback, sqlite_first_own };

const char *sqlite_version(void);
const char *sqlite_message(int code);

/// Opens the file at `path`, or makes it with this schema, with the settings of Trove's backend, and prepares statements.
int sqlite_open(const char *path, raw_durability durability, const char *schema, const char *const *sql, int sql_count,
                const raw_shape *shape, raw_store **result);

/// Runs a statement that gives no rows.
int sqlite_run(raw_store *store, int number);

/// Ends a write transaction: commits it, or takes everything back when `code` is an error, which is returned.
int sqlite_end(raw_store *store, int code);

/// Begins and ends reads and writes; one read alone is a transaction by itself.
int sqlite_begin_access(raw_store *store, raw_access access);
int sqlite_end_access(raw_store *store, raw_access access, int code);

/// The number that a statement without parameters gives.
int sqlite_number(raw_store *store, int number, int64_t *value);

int sqlite_shut(raw_store *store);

#endif
