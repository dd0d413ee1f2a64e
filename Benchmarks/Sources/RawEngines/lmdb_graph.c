#include "lmdb_store.h"

#include <stdlib.h>
#include <string.h>

// Members and lists of them. A member's value is its number and its text; a list's the ids of its members and its name. What a member is
// in, once however often, is in a third database: the member's id and the list's, without a value.

enum { members, lists, sources };

enum { source_size = 2 * raw_key_size };

static int open_store(const char *path, raw_durability durability, raw_store **result) {
    static const char *const names[] = {"Member", "List", "List.members"};
    static const raw_shape none;
    return lmdb_open(path, durability, names, 3, &none, result);
}

static int put_members(MDB_cursor *cursor, const raw_graph *graph) {
    int code = 0;
    for (size_t i = 0; i < graph->member_count && !code; i++) {
        const raw_title *member = &graph->members[i];
        MDB_val key = {raw_key_size, (void *)(graph->ids + i * raw_key_size)};
        MDB_val value = {sizeof member->seconds + member->title.size, NULL};
        if ((code = mdb_cursor_put(cursor, &key, &value, MDB_APPEND | MDB_RESERVE))) break;
        memcpy(value.mv_data, &member->seconds, sizeof member->seconds);
        memcpy((uint8_t *)value.mv_data + sizeof member->seconds, member->title.bytes, member->title.size);
    }
    return code;
}

/// Puts lists, and writes what each of their members is in to `entries`.
static int put_lists(MDB_cursor *cursor, const raw_graph *graph, uint8_t *entries) {
    int code = 0;
    for (size_t list = 0; list < graph->list_count && !code; list++) {
        const uint8_t *id = graph->ids + (graph->member_count + list) * raw_key_size;
        uint64_t length = graph->list_length;
        MDB_val key = {raw_key_size, (void *)id};
        MDB_val value = {sizeof length + length * raw_key_size + graph->names[list].size, NULL};
        if ((code = mdb_cursor_put(cursor, &key, &value, MDB_APPEND | MDB_RESERVE))) break;
        uint8_t *bytes = value.mv_data;
        memcpy(bytes, &length, sizeof length);
        bytes += sizeof length;
        for (size_t place = 0; place < length; place++, bytes += raw_key_size, entries += source_size) {
            const uint8_t *member = graph->ids + graph->places[list * length + place] * raw_key_size;
            memcpy(bytes, member, raw_key_size);
            memcpy(entries, member, raw_key_size);
            memcpy(entries + raw_key_size, id, raw_key_size);
        }
        memcpy(bytes, graph->names[list].bytes, graph->names[list].size);
    }
    return code;
}

static int compare_entries(const void *left, const void *right) { return memcmp(left, right, source_size); }

static int put_entries(MDB_cursor *cursor, uint8_t *entries, size_t count) {
    qsort(entries, count, source_size, compare_entries);
    int code = 0;
    for (size_t i = 0; i < count && !code; i++) {
        if (i > 0 && !compare_entries(entries + (i - 1) * source_size, entries + i * source_size)) continue;
        MDB_val key = {source_size, entries + i * source_size}, value = {0, ""};
        code = mdb_cursor_put(cursor, &key, &value, MDB_APPEND);
    }
    return code;
}

static int end(MDB_txn *transaction, int code) {
    if (!code) return mdb_txn_commit(transaction);
    mdb_txn_abort(transaction);
    return code;
}

static int insert(raw_store *store, const raw_graph *graph) {
    size_t place_count = graph->list_count * graph->list_length;
    uint8_t *entries = malloc(place_count * source_size);
    if (!entries) return MDB_PANIC;
    MDB_txn *transaction;
    int code = mdb_txn_begin(store->environment, NULL, 0, &transaction);
    if (code) {
        free(entries);
        return code;
    }
    for (int database = members; database <= sources && !code; database++) {
        MDB_cursor *cursor;
        if ((code = mdb_cursor_open(transaction, store->databases[database], &cursor))) break;
        switch (database) {
        case members: code = put_members(cursor, graph); break;
        case lists: code = put_lists(cursor, graph, entries); break;
        default: code = put_entries(cursor, entries, place_count);
        }
        mdb_cursor_close(cursor);
    }
    free(entries);
    return end(transaction, code);
}

static int read_first(raw_store *store, raw_tally *tally) {
    MDB_cursor *cursor;
    MDB_val key, value, member;
    int code = mdb_txn_renew(store->reader);
    if (code) return code;
    if (!(code = mdb_cursor_open(store->reader, store->databases[lists], &cursor))) {
        for (code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST); !code; code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
            MDB_val id = {raw_key_size, (uint8_t *)value.mv_data + sizeof(uint64_t)};
            if ((code = mdb_get(store->reader, store->databases[members], &id, &member))) break;
            int64_t seconds;
            memcpy(&seconds, member.mv_data, sizeof seconds);
            tally->count += 1;
            tally->years += seconds;
            tally->text_bytes += (int64_t)(member.mv_size - sizeof seconds);
        }
        mdb_cursor_close(cursor);
    }
    mdb_txn_reset(store->reader);
    return code == MDB_NOTFOUND ? 0 : code;
}

/// Deletes a member and everything that is known of what it is in.
static int delete_member(raw_store *store, MDB_txn *transaction, const uint8_t *member, const uint8_t *list) {
    uint8_t entry[source_size];
    memcpy(entry, member, raw_key_size);
    memcpy(entry + raw_key_size, list, raw_key_size);
    MDB_val key = {raw_key_size, (void *)member}, source = {source_size, entry};
    int code = mdb_del(transaction, store->databases[members], &key, NULL);
    return code ? code : mdb_del(transaction, store->databases[sources], &source, NULL);
}

static int delete_list(raw_store *store, const uint8_t *id, int64_t number) {
    (void)number;
    MDB_txn *transaction;
    int code = mdb_txn_begin(store->environment, NULL, 0, &transaction);
    if (code) return code;
    MDB_val key = {raw_key_size, (void *)id}, value;
    if ((code = mdb_get(transaction, store->databases[lists], &key, &value))) return end(transaction, code);
    // The value is in a page that the transaction may write over.
    uint64_t length;
    memcpy(&length, value.mv_data, sizeof length);
    uint8_t *ids = malloc(length * raw_key_size);
    if (!ids) return end(transaction, MDB_PANIC);
    memcpy(ids, (uint8_t *)value.mv_data + sizeof length, length * raw_key_size);
    for (uint64_t i = 0; i < length && !code; i++) code = delete_member(store, transaction, ids + i * raw_key_size, id);
    free(ids);
    if (!code) code = mdb_del(transaction, store->databases[lists], &key, NULL);
    return end(transaction, code);
}

static int count(raw_store *store, bool counts_places, int64_t *count) {
    MDB_stat statistics;
    int code = mdb_txn_renew(store->reader);
    if (code) return code;
    *count = 0;
    for (int database = members; database <= lists && !code; database++) {
        if (!(code = mdb_stat(store->reader, store->databases[database], &statistics))) *count += (int64_t)statistics.ms_entries;
    }
    MDB_cursor *cursor;
    MDB_val key, value;
    if (!code && counts_places && !(code = mdb_cursor_open(store->reader, store->databases[lists], &cursor))) {
        for (code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST); !code; code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
            uint64_t length;
            memcpy(&length, value.mv_data, sizeof length);
            *count += (int64_t)length;
        }
        mdb_cursor_close(cursor);
        if (code == MDB_NOTFOUND) code = 0;
    }
    mdb_txn_reset(store->reader);
    return code;
}

const raw_graph_engine *raw_graph_engine_lmdb(void) {
    static const raw_graph_engine engine = {lmdb_message, open_store, insert, read_first, delete_list, count, lmdb_close};
    return &engine;
}
