#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>

#include "tally.h"

// As in Trove's backend.
#define MAP_SIZE ((size_t)1 << 40)
#define MAX_READERS 4096
#define MAX_DATABASES 4096

struct raw_store {
    MDB_env *environment;
    MDB_dbi database;
    MDB_txn *reader;  // reset between reads, renewed for each
    raw_shape shape;
};

static const char *version(void) {
    static char text[32];
    int major, minor, patch;
    mdb_version(&major, &minor, &patch);
    snprintf(text, sizeof text, "%d.%d.%d", major, minor, patch);
    return text;
}

static const char *message(int code) { return mdb_strerror(code); }

static unsigned int sync_flags(raw_durability durability) {
    switch (durability) {
    case raw_relaxed: return MDB_NOSYNC;
    case raw_buffered: return MDB_NOMETASYNC;
    case raw_durable: return 0;
    }
    return 0;
}

static int close_store(raw_store *store) {
    if (store->reader) mdb_txn_abort(store->reader);
    mdb_env_close(store->environment);
    free(store);
    return 0;
}

static int open_store(const char *path, raw_durability durability, bool bulk_load, const raw_shape *shape,
                      raw_store **result) {
    (void)bulk_load;  // One durable commit at the end is as fast as any other way.
    raw_store *store = calloc(1, sizeof *store);
    if (!store) return MDB_PANIC;
    store->shape = *shape;
    int code = mdb_env_create(&store->environment);
    if (code) {
        free(store);
        return code;
    }
    unsigned int flags = MDB_NOSUBDIR | MDB_NOTLS | sync_flags(durability);
    MDB_txn *transaction = NULL;
    if ((code = mdb_env_set_mapsize(store->environment, MAP_SIZE))
        || (code = mdb_env_set_maxreaders(store->environment, MAX_READERS))
        || (code = mdb_env_set_maxdbs(store->environment, MAX_DATABASES))
        || (code = mdb_env_open(store->environment, path, flags, 0644))
        || (code = mdb_txn_begin(store->environment, NULL, 0, &transaction)))
        goto failed;
    if ((code = mdb_dbi_open(transaction, "Song", MDB_CREATE, &store->database))) {
        mdb_txn_abort(transaction);
        goto failed;
    }
    if ((code = mdb_txn_commit(transaction))
        || (code = mdb_txn_begin(store->environment, NULL, MDB_RDONLY, &store->reader)))
        goto failed;
    mdb_txn_reset(store->reader);
    *result = store;
    return 0;
failed:
    close_store(store);
    return code;
}

static int put(raw_store *store, MDB_txn *transaction, const raw_records *records, size_t position) {
    MDB_val key = {raw_key_size, (void *)record_key(records, position)};
    MDB_val value = {record_size(records, position), (void *)record_value(records, position)};
    return mdb_put(transaction, store->database, &key, &value, MDB_APPEND);
}

static int insert(raw_store *store, const raw_records *records, size_t first, size_t count) {
    MDB_txn *transaction;
    MDB_cursor *cursor;
    int code = mdb_txn_begin(store->environment, NULL, 0, &transaction);
    if (code) return code;
    if ((code = mdb_cursor_open(transaction, store->database, &cursor))) {
        mdb_txn_abort(transaction);
        return code;
    }
    for (size_t position = first; position < first + count && !code; position++) {
        MDB_val key = {raw_key_size, (void *)record_key(records, position)};
        MDB_val value = {record_size(records, position), (void *)record_value(records, position)};
        code = mdb_cursor_put(cursor, &key, &value, MDB_APPEND);
    }
    mdb_cursor_close(cursor);
    if (code) {
        mdb_txn_abort(transaction);
        return code;
    }
    return mdb_txn_commit(transaction);
}

static int insert_each(raw_store *store, const raw_records *records, size_t first, size_t count) {
    for (size_t position = first; position < first + count; position++) {
        MDB_txn *transaction;
        int code = mdb_txn_begin(store->environment, NULL, 0, &transaction);
        if (code) return code;
        if ((code = put(store, transaction, records, position))) {
            mdb_txn_abort(transaction);
            return code;
        }
        if ((code = mdb_txn_commit(transaction))) return code;
    }
    return 0;
}

static int scan(raw_store *store, raw_tally *tally) {
    MDB_cursor *cursor;
    MDB_val key, value;
    int code = mdb_txn_renew(store->reader);
    if (code) return code;
    if (!(code = mdb_cursor_open(store->reader, store->database, &cursor))) {
        for (code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST); !code;
             code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT))
            tally_touch(tally, &store->shape, value.mv_data);
        mdb_cursor_close(cursor);
    }
    mdb_txn_reset(store->reader);
    return code == MDB_NOTFOUND ? 0 : code;
}

static int get(raw_store *store, const raw_records *records, const uint32_t *positions, size_t count,
               bool one_transaction_each, raw_tally *tally) {
    int code = 0;
    if (!one_transaction_each && (code = mdb_txn_renew(store->reader))) return code;
    for (size_t i = 0; i < count && !code; i++) {
        if (one_transaction_each && (code = mdb_txn_renew(store->reader))) return code;
        MDB_val key = {raw_key_size, (void *)record_key(records, positions[i])}, value;
        code = mdb_get(store->reader, store->database, &key, &value);
        if (!code) tally_add(tally, &store->shape, value.mv_data, value.mv_size);
        if (one_transaction_each) mdb_txn_reset(store->reader);
    }
    if (!one_transaction_each) mdb_txn_reset(store->reader);
    return code;
}

static int count(raw_store *store, int64_t *count) {
    MDB_stat statistics;
    int code = mdb_txn_renew(store->reader);
    if (code) return code;
    if (!(code = mdb_stat(store->reader, store->database, &statistics))) *count = (int64_t)statistics.ms_entries;
    mdb_txn_reset(store->reader);
    return code;
}

const raw_engine *raw_engine_lmdb(void) {
    static const raw_engine engine = {
        version, message, open_store, insert, insert_each, scan, get, count, close_store};
    return &engine;
}
