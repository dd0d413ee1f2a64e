// Measures ways to scan a table of keys and values in SQLite; decision 26 has what came of it.
//
//     cc -O2 docs/decisions/0026-sqlite-scans.c -o scans -lsqlite3 && ./scans /dev/shm/scans.db

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { count = 1000000, key_size = 17, value_size = 90 };

static sqlite3 *database;
static uint64_t sum;
static long rows;

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void fill(void) {
    sqlite3_exec(database, "PRAGMA page_size=8192; PRAGMA journal_mode=WAL; CREATE TABLE entries (key BLOB NOT NULL PRIMARY KEY, value) WITHOUT ROWID; BEGIN", 0, 0, 0);
    sqlite3_stmt *statement;
    sqlite3_prepare_v2(database, "INSERT INTO entries VALUES (?1, ?2)", -1, &statement, 0);
    for (uint64_t number = 0; number < count; number++) {
        unsigned char key[key_size] = {1}, value[value_size];
        memset(value, (int)number, value_size);
        for (int place = 0; place < 8; place++) key[key_size - 1 - place] = (unsigned char)(number >> 8 * place);
        sqlite3_bind_blob(statement, 1, key, key_size, 0);
        sqlite3_bind_blob(statement, 2, value, value_size, 0);
        sqlite3_step(statement);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    sqlite3_exec(database, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)", 0, 0, 0);
}

static void take(const void *key, int key_count, const void *value, int value_count) {
    sum += ((const unsigned char *)key)[key_count - 1] + ((const unsigned char *)value)[value_count - 1];
    rows++;
}

static void visit(sqlite3_context *context, int argument_count, sqlite3_value **values) {
    (void)argument_count;
    if (!sqlite3_value_pointer(values[0], "visitor")) return sqlite3_result_error(context, "no visitor", -1);
    const void *key = sqlite3_value_blob(values[1]);
    int key_count = sqlite3_value_bytes(values[1]);
    // The end of the range, which is cheaper here than in SQL.
    if (memcmp(key, "\2", 1) >= 0) return sqlite3_result_error_code(context, SQLITE_ABORT);
    const void *value = sqlite3_value_blob(values[2]);
    take(key, key_count, value, sqlite3_value_bytes(values[2]));
}

/// True where the scan is over: then the statement has a row, and ends as any other.
static void is_over(sqlite3_context *context, int argument_count, sqlite3_value **values) {
    (void)argument_count;
    if (!sqlite3_value_pointer(values[0], "visitor")) return sqlite3_result_error(context, "no visitor", -1);
    const void *key = sqlite3_value_blob(values[1]);
    int key_count = sqlite3_value_bytes(values[1]);
    if (memcmp(key, "\2", 1) >= 0) return sqlite3_result_int(context, 1);
    const void *value = sqlite3_value_blob(values[2]);
    take(key, key_count, value, sqlite3_value_bytes(values[2]));
    sqlite3_result_int(context, 0);
}

static void end(sqlite3_context *context) { sqlite3_result_null(context); }

/// Nanoseconds of processor time a row.
static double scan(const char *sql, int visits) {
    double start = seconds();
    sqlite3_stmt *statement;
    sum = 0;
    rows = 0;
    sqlite3_prepare_v2(database, sql, -1, &statement, 0);
    sqlite3_bind_blob(statement, 1, "\1", 1, 0);
    sqlite3_bind_blob(statement, 2, "\2", 1, 0);
    if (visits) {
        sqlite3_bind_pointer(statement, 3, &sum, "visitor", 0);
        sqlite3_step(statement);
    } else {
        while (sqlite3_step(statement) == SQLITE_ROW) {
            const void *key = sqlite3_column_blob(statement, 0);
            int key_count = sqlite3_column_bytes(statement, 0);
            const void *value = sqlite3_column_blob(statement, 1);
            take(key, key_count, value, sqlite3_column_bytes(statement, 1));
        }
    }
    sqlite3_finalize(statement);
    return rows == count ? (seconds() - start) * 1e9 / count : -1;
}

int main(int argument_count, char **arguments) {
    if (argument_count < 2) return 1;
    unlink(arguments[1]);
    sqlite3_open_v2(arguments[1], &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, 0);
    sqlite3_exec(database, "PRAGMA cache_size=-65536", 0, 0, 0);
    fill();
    sqlite3_create_function(database, "visit", 3, SQLITE_UTF8 | SQLITE_DIRECTONLY, 0, 0, visit, end);
    sqlite3_create_function(database, "is_over", 3, SQLITE_UTF8 | SQLITE_DIRECTONLY, 0, is_over, 0, 0);
    for (int round = 0; round < 7; round++) {
        double steps = scan("SELECT key, value FROM entries WHERE key >= ?1 ORDER BY key", 0);
        double bounded_steps = scan("SELECT key, value FROM entries WHERE key >= ?1 AND key < ?2 ORDER BY key", 0);
        double visits = scan("SELECT visit(?3, key, value) FROM entries WHERE key >= ?1", 1);
        double bounded_visits = scan("SELECT visit(?3, key, value) FROM entries WHERE key >= ?1 AND key < ?2", 1);
        double conditions = scan("SELECT 1 FROM entries WHERE key >= ?1 AND is_over(?3, key, value) ORDER BY key", 1);
        double descending = scan("SELECT 1 FROM entries WHERE key < ?2 AND ?1 IS NOT NULL AND is_over(?3, key, value) ORDER BY key DESC", 1);
        printf("steps %.1f, with a bound in SQL %.1f; an aggregate %.1f, with a bound in SQL %.1f; a condition %.1f, descending %.1f ns a row\n", steps, bounded_steps, visits,
               bounded_visits, conditions, descending);
    }
    return sqlite3_close(database);
}
