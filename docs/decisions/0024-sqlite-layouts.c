// Measures three layouts of a key-value table in SQLite; decision 24 has what came of it.
//
//     cc -O2 docs/decisions/0024-sqlite-layouts.c -o layouts -lsqlite3 && ./layouts /dev/shm/layouts.db A 60
//
// A: one table without row ids, a number of the keyspace in front of each key. B: the same without the number, as a table for each keyspace would be.
// C: row ids, and a unique key beside them.

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { count = 1000000, reads = 300000, changes = 200000, id_size = 16 };

static sqlite3 *database;
static int prefix_size;

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint32_t drawn(void) {
    static uint64_t state = 88172645463325252ULL;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16) % count;
}

static void check(int code) {
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
    fprintf(stderr, "%s\n", sqlite3_errmsg(database));
    exit(1);
}

static void run(const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL)); }

static sqlite3_stmt *prepared(const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL));
    return statement;
}

static void bind_key(sqlite3_stmt *statement, uint32_t number) {
    static uint8_t key[2 + id_size];
    memset(key, 1, sizeof key);
    if (prefix_size) memcpy(key, "\0\7", 2);
    for (int i = 0; i < 4; i++) key[prefix_size + id_size - 4 + i] = (uint8_t)(number >> (24 - 8 * i));
    sqlite3_bind_blob(statement, 1, key, prefix_size + id_size, SQLITE_STATIC);
}

static void step(sqlite3_stmt *statement) {
    check(sqlite3_step(statement));
    check(sqlite3_reset(statement));
}

static void print(const char *name, double start, int operations) { printf("%s %.3f µs  ", name, (seconds() - start) * 1e6 / operations); }

int main(int argument_count, char **arguments) {
    if (argument_count != 4) return 2;
    const char *path = arguments[1];
    char layout = arguments[2][0];
    int value_size = atoi(arguments[3]);
    prefix_size = layout == 'A' ? 2 : 0;
    unlink(path);
    check(sqlite3_open(path, &database));
    run("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 100000");
    run(layout == 'C' ? "CREATE TABLE entry (number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, value NOT NULL)"
                      : "CREATE TABLE entry (key BLOB PRIMARY KEY NOT NULL, value NOT NULL) WITHOUT ROWID");
    void *value = calloc(1, (size_t)value_size);

    double start = seconds();
    sqlite3_stmt *insert = prepared("INSERT INTO entry (key, value) VALUES (?1, ?2)");
    run("BEGIN");
    for (uint32_t i = 0; i < count; i++) {
        bind_key(insert, i);
        sqlite3_bind_blob(insert, 2, value, value_size, SQLITE_STATIC);
        step(insert);
    }
    run("COMMIT");
    print("insert", start, count);
    run("PRAGMA wal_checkpoint(TRUNCATE)");

    run("BEGIN");
    sqlite3_stmt *get = prepared("SELECT value FROM entry WHERE key = ?1");
    start = seconds();
    for (int i = 0; i < reads; i++) {
        bind_key(get, drawn());
        check(sqlite3_step(get));
        sqlite3_column_blob(get, 0);
        sqlite3_reset(get);
    }
    print("get", start, reads);
    if (layout == 'C') {
        sqlite3_stmt *by_number = prepared("SELECT value FROM entry WHERE number = ?1");
        start = seconds();
        for (int i = 0; i < reads; i++) {
            sqlite3_bind_int64(by_number, 1, drawn() + 1);
            check(sqlite3_step(by_number));
            sqlite3_column_blob(by_number, 0);
            sqlite3_reset(by_number);
        }
        print("by row id", start, reads);
    }
    sqlite3_stmt *scan = prepared("SELECT key, value FROM entry ORDER BY key");
    start = seconds();
    while (sqlite3_step(scan) == SQLITE_ROW) {
        sqlite3_column_blob(scan, 0);
        sqlite3_column_blob(scan, 1);
    }
    sqlite3_reset(scan);
    print("scan", start, count);
    sqlite3_stmt *number = prepared(layout == 'A' ? "SELECT count(*) FROM entry WHERE key >= x'0007' AND key < x'0008'" : "SELECT count(*) FROM entry");
    start = seconds();
    check(sqlite3_step(number));
    printf("count %.1f ms  ", (seconds() - start) * 1e3);
    if (sqlite3_column_int(number, 0) != count) return 1;
    sqlite3_reset(number);
    run("COMMIT");

    run("BEGIN");
    sqlite3_stmt *change = prepared("UPDATE entry SET value = ?2 WHERE key = ?1");
    start = seconds();
    for (int i = 0; i < changes; i++) {
        bind_key(change, drawn());
        sqlite3_bind_blob(change, 2, value, value_size, SQLITE_STATIC);
        step(change);
    }
    run("COMMIT");
    print("change", start, changes);
    run("PRAGMA wal_checkpoint(TRUNCATE)");
    puts("");
    return 0;
}
