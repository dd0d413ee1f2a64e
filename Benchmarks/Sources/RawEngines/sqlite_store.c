#include "sqlite_store.h"

#include <stdio.h>
#include <stdlib.h>

// As in Trove's backend.
#define PAGE_SIZE 8192
#define CACHE_KIBIBYTES 65536
#define CHECKPOINT_PAGES 2000

static const char *const common_sql[sqlite_first_own] = {
    [sqlite_begin] = "BEGIN",
    [sqlite_begin_write] = "BEGIN IMMEDIATE",
    [sqlite_commit] = "COMMIT",
    [sqlite_rollback] = "ROLLBACK",
};

const char *sqlite_version(void) { return sqlite3_libversion(); }

const char *sqlite_message(int code) { return sqlite3_errstr(code); }

static const char *synchronous(raw_durability durability) {
    switch (durability) {
    case raw_relaxed:
    case raw_buffered: return "NORMAL";
    case raw_durable: return "FULL";
    }
    return "FULL";
}

int sqlite_shut(raw_store *store) {
    for (int i = 0; i < sqlite_max_statements; i++) sqlite3_finalize(store->statements[i]);
    int code = sqlite3_close(store->database);
    free(store);
    return code;
}

int sqlite_open(const char *path, raw_durability durability, const char *schema, const char *const *sql, int sql_count,
                const raw_shape *shape, raw_store **result) {
    raw_store *store = calloc(1, sizeof *store);
    if (!store) return SQLITE_NOMEM;
    store->shape = *shape;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int code = sqlite3_open_v2(path, &store->database, flags, NULL);
    if (code) goto failed;
    char settings[512];
    snprintf(settings, sizeof settings,
             "PRAGMA page_size = %d; PRAGMA journal_mode = WAL; PRAGMA synchronous = %s; "
             "PRAGMA cache_size = -%d; PRAGMA mmap_size = 0; PRAGMA wal_autocheckpoint = %d; "
             "PRAGMA secure_delete = OFF; PRAGMA cell_size_check = ON",
             PAGE_SIZE, synchronous(durability), CACHE_KIBIBYTES, CHECKPOINT_PAGES);
    if ((code = sqlite3_exec(store->database, settings, NULL, NULL, NULL))
        || (code = sqlite3_exec(store->database, schema, NULL, NULL, NULL)))
        goto failed;
    for (int i = 0; i < sqlite_first_own + sql_count; i++) {
        const char *text = i < sqlite_first_own ? common_sql[i] : sql[i - sqlite_first_own];
        code = sqlite3_prepare_v3(store->database, text, -1, SQLITE_PREPARE_PERSISTENT, &store->statements[i], NULL);
        if (code) goto failed;
    }
    *result = store;
    return 0;
failed:
    sqlite_shut(store);
    return code;
}

int sqlite_run(raw_store *store, int number) {
    sqlite3_step(store->statements[number]);
    return sqlite3_reset(store->statements[number]);
}

int sqlite_end(raw_store *store, int code) {
    if (!code) return sqlite_run(store, sqlite_commit);
    sqlite_run(store, sqlite_rollback);
    return code;
}

int sqlite_begin_access(raw_store *store, raw_access access) {
    switch (access) {
    case raw_reads_once: return 0;
    case raw_reads: return sqlite_run(store, sqlite_begin);
    case raw_writes: return sqlite_run(store, sqlite_begin_write);
    }
    return SQLITE_MISUSE;
}

int sqlite_end_access(raw_store *store, raw_access access, int code) {
    return access == raw_reads_once ? code : sqlite_end(store, code);
}

int sqlite_number(raw_store *store, int number, int64_t *value) {
    sqlite3_stmt *statement = store->statements[number];
    if (sqlite3_step(statement) == SQLITE_ROW) *value = sqlite3_column_int64(statement, 0);
    return sqlite3_reset(statement);
}
