#include "lmdb_store.h"
#include "tally.h"

static int open_store(const char *path, raw_durability durability, bool bulk_load, const raw_shape *shape,
                      raw_store **result) {
    (void)bulk_load;  // One durable commit at the end is as fast as any other way.
    static const char *const names[] = {"Song"};
    return lmdb_open(path, durability, names, 1, shape, result);
}

static int put(raw_store *store, MDB_txn *transaction, const raw_records *records, size_t position) {
    MDB_val key = {raw_key_size, (void *)record_key(records, position)};
    MDB_val value = {record_size(records, position), (void *)record_value(records, position)};
    return mdb_put(transaction, store->databases[0], &key, &value, MDB_APPEND);
}

static int insert(raw_store *store, const raw_records *records, size_t first, size_t count) {
    MDB_txn *transaction;
    MDB_cursor *cursor;
    int code = mdb_txn_begin(store->environment, NULL, 0, &transaction);
    if (code) return code;
    if ((code = mdb_cursor_open(transaction, store->databases[0], &cursor))) {
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
    if (!(code = mdb_cursor_open(store->reader, store->databases[0], &cursor))) {
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
        code = mdb_get(store->reader, store->databases[0], &key, &value);
        if (!code) tally_add_in_order(tally, &store->shape, value.mv_data, value.mv_size);
        if (one_transaction_each) mdb_txn_reset(store->reader);
    }
    if (!one_transaction_each) mdb_txn_reset(store->reader);
    return code;
}

const raw_engine *raw_engine_lmdb(void) {
    static const raw_engine engine = {
        lmdb_version, lmdb_message, open_store, insert, insert_each, scan, get, lmdb_count, lmdb_close};
    return &engine;
}
