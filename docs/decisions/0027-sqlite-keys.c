// Measures ways to find the values of many keys in SQLite; decision 27 has what came of it.
//
//     cc -O2 docs/decisions/0027-sqlite-keys.c -o keys -lsqlite3 && ./keys /dev/shm/keys.db

#include "../../Backends/CSQLite/shim.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { count = 1000000, key_size = 17, value_size = 90, most = 1000, rounds = 7, lookups = 1000000 };

static sqlite3 *database;
static uint8_t list[most][key_size];
static uint64_t sum;
static long found;

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void make_key(uint8_t *key, uint64_t number) {
    memset(key, 0, key_size);
    key[0] = 1;
    for (int place = 0; place < 8; place++) key[key_size - 1 - place] = (uint8_t)(number >> 8 * place);
}

static void fill(void) {
    sqlite3_exec(database, "PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA cache_size=-262144; CREATE TABLE trove_entries (key BLOB NOT NULL PRIMARY KEY, value) WITHOUT ROWID; BEGIN", 0, 0, 0);
    sqlite3_stmt *statement;
    sqlite3_prepare_v2(database, "INSERT INTO trove_entries VALUES (?1, ?2)", -1, &statement, 0);
    for (uint64_t number = 0; number < count; number++) {
        uint8_t key[key_size], value[value_size];
        memset(value, (int)number, value_size);
        make_key(key, number);
        sqlite3_bind_blob(statement, 1, key, key_size, 0);
        sqlite3_bind_blob(statement, 2, value, value_size, 0);
        sqlite3_step(statement);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    sqlite3_exec(database, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)", 0, 0, 0);
}

static void take(const void *value, int value_count) {
    sum += ((const uint8_t *)value)[value_count - 1];
    found++;
}

static void is_enough(sqlite3_context *context, int argument_count, sqlite3_value **values) {
    (void)argument_count;
    if (!csqlite_visitor(values[0])) return sqlite3_result_error(context, "no visitor", -1);
    const void *value = sqlite3_value_blob(values[2]);
    take(value, sqlite3_value_bytes(values[2]));
    sqlite3_result_int(context, 0);
}

static void one_by_one(sqlite3_stmt *statement, int size) {
    for (int place = 0; place < size; place++) {
        sqlite3_bind_blob(statement, 1, list[place], key_size, 0);
        if (sqlite3_step(statement) == SQLITE_ROW) {
            const void *value = sqlite3_column_blob(statement, 0);
            take(value, sqlite3_column_bytes(statement, 0));
        }
        sqlite3_reset(statement);
    }
}

static void joined(sqlite3_stmt *statement, int size) {
    csqlite_keys keys = {.bytes = list[0], .width = key_size, .count = size, .prefix = list[0], .prefix_size = 0};
    csqlite_bind_keys(statement, 1, &keys);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        const void *value = sqlite3_column_blob(statement, 1);
        take(value, sqlite3_column_bytes(statement, 1));
    }
    sqlite3_reset(statement);
}

static void visited(sqlite3_stmt *statement, int size) {
    csqlite_keys keys = {.bytes = list[0], .width = key_size, .count = size, .prefix = list[0], .prefix_size = 0};
    csqlite_bind_keys(statement, 1, &keys);
    csqlite_bind_visitor(statement, 2, &found);
    sqlite3_step(statement);
    sqlite3_reset(statement);
}

static int ascending(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

static void measure(const char *sql, int size, void (*run)(sqlite3_stmt *, int)) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, 0) != SQLITE_OK) exit(puts(sqlite3_errmsg(database)));
    double times[rounds];
    for (int round = 0; round < rounds; round++) {
        sqlite3_exec(database, "BEGIN", 0, 0, 0);
        found = 0;
        double start = seconds();
        for (int repeat = 0; repeat < lookups / size; repeat++) run(statement, size);
        times[round] = (seconds() - start) / (lookups / size * size);
        if (found != lookups / size * size) exit(printf("%ld found\n", found));
        sqlite3_exec(database, "COMMIT", 0, 0, 0);
    }
    qsort(times, rounds, sizeof *times, ascending);
    printf(" %6.0f", times[rounds / 2] * 1e9);
    sqlite3_finalize(statement);
}

int main(int argument_count, char **arguments) {
    const char *path = argument_count > 1 ? arguments[1] : "/dev/shm/keys.db";
    unlink(path);
    sqlite3_open(path, &database);
    fill();
    csqlite_register_keys(database);
    sqlite3_create_function_v2(database, "is_enough", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, 0, is_enough, 0, 0, 0);
    puts("nanoseconds a key\n  keys    one joined visited");
    for (int size = 1; size <= most; size = size < 4 ? size * 2 : size < 10 ? 10 : size * 10) {
        for (int place = 0; place < size; place++) make_key(list[place], (uint64_t)place * (count / size) + (uint64_t)rand() % (count / size));
        printf("%6d", size);
        measure("SELECT value FROM trove_entries WHERE key = ?1", size, one_by_one);
        measure("SELECT w.rowid, e.value FROM trove_keys(?1) AS w CROSS JOIN trove_entries AS e WHERE e.key = w.key", size, joined);
        measure("SELECT 1 FROM trove_keys(?1) AS w CROSS JOIN trove_entries AS e WHERE e.key = w.key AND is_enough(?2, w.rowid, e.value)", size, visited);
        puts("");
    }
    sqlite3_close(database);
    unlink(path);
    return 0;
}
