#include "sqlite_store.h"

// Members have the ids 1 to their number, lists likewise. What is in a list, and where, is in a join table that goes with either side; an
// index leads from members to lists.

enum { st_member = sqlite_first_own, st_list, st_place, st_first, st_delete_members, st_delete_list, st_members, st_lists, st_places };

#define FIRST_MEMBERS \
    "SELECT member.id, member.title, member.seconds FROM list JOIN place ON place.list = list.id AND place.position = 0 " \
    "JOIN member ON member.id = place.member"

static int open_store(const char *path, raw_durability durability, raw_store **result) {
    static const char *const sql[] = {
        "INSERT INTO member (id, title, seconds) VALUES (?1, ?2, ?3)",
        "INSERT INTO list (id, name) VALUES (?1, ?2)",
        "INSERT INTO place (list, position, member) VALUES (?1, ?2, ?3)",
        FIRST_MEMBERS,
        "DELETE FROM member WHERE id IN (SELECT member FROM place WHERE list = ?1)",
        "DELETE FROM list WHERE id = ?1",
        "SELECT count(*) FROM member",
        "SELECT count(*) FROM list",
        "SELECT count(*) FROM place",
    };
    static const raw_shape none;
    const char *schema =
        "PRAGMA foreign_keys = ON; "
        "CREATE TABLE IF NOT EXISTS member (id INTEGER PRIMARY KEY, title TEXT NOT NULL, seconds INTEGER NOT NULL); "
        "CREATE TABLE IF NOT EXISTS list (id INTEGER PRIMARY KEY, name TEXT NOT NULL); "
        "CREATE TABLE IF NOT EXISTS place (list INTEGER NOT NULL REFERENCES list ON DELETE CASCADE, position INTEGER NOT NULL, "
        "member INTEGER NOT NULL REFERENCES member ON DELETE CASCADE, PRIMARY KEY (list, position)) WITHOUT ROWID; "
        "CREATE INDEX IF NOT EXISTS place_member ON place (member)";
    return sqlite_open(path, durability, schema, sql, sizeof sql / sizeof *sql, &none, result);
}

static int insert_row(sqlite3_stmt *statement, int64_t id, const raw_text *text) {
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_text(statement, 2, text->bytes, (int)text->size, SQLITE_STATIC);
    sqlite3_step(statement);
    return sqlite3_reset(statement);
}

static int insert_places(sqlite3_stmt *statement, const raw_graph *graph, size_t list) {
    int code = 0;
    for (size_t place = 0; place < graph->list_length && !code; place++) {
        sqlite3_bind_int64(statement, 1, (sqlite3_int64)list + 1);
        sqlite3_bind_int64(statement, 2, (sqlite3_int64)place);
        sqlite3_bind_int64(statement, 3, (sqlite3_int64)graph->places[list * graph->list_length + place] + 1);
        sqlite3_step(statement);
        code = sqlite3_reset(statement);
    }
    return code;
}

static int insert(raw_store *store, const raw_graph *graph) {
    int code = sqlite_run(store, sqlite_begin_write);
    if (code) return code;
    for (size_t i = 0; i < graph->member_count && !code; i++) {
        sqlite3_bind_int64(store->statements[st_member], 3, graph->members[i].seconds);
        code = insert_row(store->statements[st_member], (int64_t)i + 1, &graph->members[i].title);
    }
    for (size_t list = 0; list < graph->list_count && !code; list++) {
        code = insert_row(store->statements[st_list], (int64_t)list + 1, &graph->names[list]);
        if (!code) code = insert_places(store->statements[st_place], graph, list);
    }
    return sqlite_end(store, code);
}

static int read_first(raw_store *store, raw_tally *tally) {
    sqlite3_stmt *statement = store->statements[st_first];
    while (sqlite3_step(statement) == SQLITE_ROW) {
        tally->count += sqlite3_column_int64(statement, 0) > 0;
        if (sqlite3_column_text(statement, 1)) tally->text_bytes += sqlite3_column_bytes(statement, 1);
        tally->years += sqlite3_column_int64(statement, 2);
    }
    return sqlite3_reset(statement);
}

static int delete_by(sqlite3_stmt *statement, int64_t list) {
    sqlite3_bind_int64(statement, 1, list);
    sqlite3_step(statement);
    return sqlite3_reset(statement);
}

static int delete_list(raw_store *store, const uint8_t *id, int64_t number) {
    (void)id;
    int code = sqlite_run(store, sqlite_begin_write);
    if (code) return code;
    code = delete_by(store->statements[st_delete_members], number);
    if (!code) code = delete_by(store->statements[st_delete_list], number);
    return sqlite_end(store, code);
}

static int count(raw_store *store, bool counts_places, int64_t *count) {
    *count = 0;
    int code = 0;
    for (int statement = st_members; statement <= (counts_places ? st_places : st_lists) && !code; statement++) {
        int64_t rows = 0;
        code = sqlite_number(store, statement, &rows);
        *count += rows;
    }
    return code;
}

const raw_graph_engine *raw_graph_engine_sqlite_columns(void) {
    static const raw_graph_engine engine = {sqlite_message, open_store, insert, read_first, delete_list, count, sqlite_shut};
    return &engine;
}
