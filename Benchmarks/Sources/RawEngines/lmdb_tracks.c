#include "index_entries.h"
#include "lmdb_store.h"
#include "tally.h"

enum { tracks, artists, plays };

static const index_keyspace no_keyspace = {{0}, 0};

static int open_store(const char *path, raw_durability durability, bool bulk_load, bool label_index,
                      const raw_shape *shape, raw_store **result) {
    (void)bulk_load;  // One durable commit at the end is as fast as any other way.
    (void)label_index;
    static const char *const names[] = {"Track", "Track.artist", "Track.plays"};
    return lmdb_open(path, durability, names, 3, shape, result);
}

static int put_records(raw_store *store, MDB_txn *transaction, const raw_records *records, size_t count) {
    MDB_cursor *cursor;
    int code = mdb_cursor_open(transaction, store->databases[tracks], &cursor);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        MDB_val key = {raw_key_size, (void *)record_key(records, i)};
        MDB_val value = {record_size(records, i), (void *)record_value(records, i)};
        code = mdb_cursor_put(cursor, &key, &value, MDB_APPEND);
    }
    mdb_cursor_close(cursor);
    return code;
}

/// Puts sorted entries into an empty database, and frees them.
static int put_entries(raw_store *store, MDB_txn *transaction, int database, index_entries *entries) {
    MDB_cursor *cursor;
    int code = mdb_cursor_open(transaction, store->databases[database], &cursor);
    if (!code) {
        for (size_t i = 0; i < entries->count && !code; i++) {
            MDB_val key = {entries->entries[i].size, (void *)entries->entries[i].bytes}, value = {0, ""};
            code = mdb_cursor_put(cursor, &key, &value, MDB_APPEND);
        }
        mdb_cursor_close(cursor);
    }
    index_entries_free(entries);
    return code;
}

static int insert(raw_store *store, const raw_records *records, const raw_track *values, size_t count) {
    MDB_txn *transaction;
    index_entries entries;
    int code = mdb_txn_begin(store->environment, NULL, 0, &transaction);
    if (code) return code;
    code = put_records(store, transaction, records, count);
    if (!code)
        code = index_entries_of_artists(&no_keyspace, records, values, count, &entries)
            ? put_entries(store, transaction, artists, &entries) : MDB_PANIC;
    if (!code)
        code = index_entries_of_plays(&no_keyspace, records, values, count, &entries)
            ? put_entries(store, transaction, plays, &entries) : MDB_PANIC;
    if (!code) return mdb_txn_commit(transaction);
    mdb_txn_abort(transaction);
    return code;
}

static int count_after(raw_store *store, int64_t year, int64_t *count) {
    MDB_cursor *cursor;
    MDB_val key, value;
    int64_t found = 0;
    int code = mdb_txn_renew(store->reader);
    if (code) return code;
    if (!(code = mdb_cursor_open(store->reader, store->databases[tracks], &cursor))) {
        for (code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST); !code;
             code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT))
            found += is_after(&store->shape, value.mv_data, year);
        mdb_cursor_close(cursor);
    }
    mdb_txn_reset(store->reader);
    *count = found;
    return code == MDB_NOTFOUND ? 0 : code;
}

/// Collects the entries within the bounds, at most `limit`.
static int match(MDB_cursor *cursor, const index_bounds *bounds, size_t limit, index_matches *matches) {
    MDB_val entry = {bounds->low_size, (void *)bounds->low}, none;
    int code = mdb_cursor_get(cursor, &entry, &none, MDB_SET_RANGE);
    for (; !code && matches->count < limit && index_is_below(entry.mv_data, entry.mv_size, bounds); code = mdb_cursor_get(cursor, &entry, &none, MDB_NEXT))
        if (!index_matches_add(matches, entry.mv_data, entry.mv_size)) return MDB_PANIC;
    return code == MDB_NOTFOUND ? 0 : code;
}

/// Reads the records of the entries within the bounds, at most `limit`.
static int find(raw_store *store, MDB_cursor *cursor, MDB_cursor *records, const index_bounds *bounds, size_t limit,
                raw_tally *tally) {
    index_matches matches = {0};
    int code = match(cursor, bounds, limit, &matches);
    index_matches_sort(&matches);
    for (size_t i = 0; i < matches.count && !code; i++) {
        MDB_val key = {raw_key_size, matches.keys[i]}, value;
        if (!(code = mdb_cursor_get(records, &key, &value, MDB_SET)))
            tally_add(tally, &store->shape, value.mv_data, value.mv_size);
    }
    index_matches_free(&matches);
    return code;
}

/// Opens a cursor on an index and one on the records, in the read transaction, which begins anew.
static int begin_find(raw_store *store, int database, MDB_cursor **cursor, MDB_cursor **records) {
    int code = mdb_txn_renew(store->reader);
    if (code) return code;
    if ((code = mdb_cursor_open(store->reader, store->databases[database], cursor))) {
        mdb_txn_reset(store->reader);
    } else if ((code = mdb_cursor_open(store->reader, store->databases[tracks], records))) {
        mdb_cursor_close(*cursor);
        mdb_txn_reset(store->reader);
    }
    return code;
}

static void end_find(raw_store *store, MDB_cursor *cursor, MDB_cursor *records) {
    mdb_cursor_close(records);
    mdb_cursor_close(cursor);
    mdb_txn_reset(store->reader);
}

static int find_artists(raw_store *store, const raw_text *names, size_t count, raw_tally *tally) {
    MDB_cursor *cursor, *records;
    index_bounds bounds;
    int code = begin_find(store, artists, &cursor, &records);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++)
        code = index_bounds_of_artist(&no_keyspace, &names[i], &bounds) ? find(store, cursor, records, &bounds, SIZE_MAX, tally)
                                                                        : MDB_BAD_VALSIZE;
    end_find(store, cursor, records);
    return code;
}

static int find_first(raw_store *store, const raw_text *names, size_t count, size_t limit, raw_tally *tally) {
    MDB_cursor *cursor, *records;
    index_bounds bounds;
    int code = 0;
    for (size_t i = 0; i < count && !code; i++) {
        if ((code = begin_find(store, artists, &cursor, &records))) return code;
        code = index_bounds_of_artist(&no_keyspace, &names[i], &bounds)
            ? find(store, cursor, records, &bounds, limit, tally) : MDB_BAD_VALSIZE;
        end_find(store, cursor, records);
    }
    return code;
}

static int find_plays(raw_store *store, const raw_range *ranges, size_t count, raw_tally *tally) {
    MDB_cursor *cursor, *records;
    index_bounds bounds;
    int code = begin_find(store, plays, &cursor, &records);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
        index_bounds_of_plays(&no_keyspace, &ranges[i], &bounds);
        code = find(store, cursor, records, &bounds, SIZE_MAX, tally);
    }
    end_find(store, cursor, records);
    return code;
}

const raw_track_engine *raw_track_engine_lmdb(void) {
    static const raw_track_engine engine = {
        lmdb_version, lmdb_message, open_store, insert, count_after, find_artists, find_first, find_plays, NULL, NULL,
        lmdb_count, lmdb_close};
    return &engine;
}
