#include "item_value.h"
#include "lmdb_store.h"

static int open_store(const char *path, raw_durability durability, bool bulk_load, raw_store **result) {
    (void)bulk_load;  // One durable commit at the end is as fast as any other way.
    static const char *const names[] = {"Item"};
    static const raw_shape none;
    return lmdb_open(path, durability, names, 1, &none, result);
}

static int begin(raw_store *store, raw_access access) {
    return access == raw_writes ? mdb_txn_begin(store->environment, NULL, 0, &store->writer) : mdb_txn_renew(store->reader);
}

static int end(raw_store *store, raw_access access, int code) {
    if (access != raw_writes) {
        mdb_txn_reset(store->reader);
        return code;
    }
    MDB_txn *writer = store->writer;
    store->writer = NULL;
    if (!code) return mdb_txn_commit(writer);
    mdb_txn_abort(writer);
    return code;
}

static MDB_txn *transaction(raw_store *store) { return store->writer ? store->writer : store->reader; }

static int put(raw_store *store, const raw_item *item, bool appends) {
    uint8_t bytes[item_max_value];
    MDB_val key = {raw_key_size, (void *)item->id}, value = {item_make_value(item, bytes), bytes};
    return value.mv_size ? mdb_put(store->writer, store->databases[0], &key, &value, appends ? MDB_APPEND : 0) : MDB_BAD_VALSIZE;
}

static int get(raw_store *store, const raw_item *item, raw_tally *tally) {
    MDB_val key = {raw_key_size, (void *)item->id}, value;
    int code = mdb_get(transaction(store), store->databases[0], &key, &value);
    if (!code) item_add_value(tally, value.mv_data, value.mv_size);
    return code == MDB_NOTFOUND ? 0 : code;
}

static int erase(raw_store *store, const raw_item *item) {
    MDB_val key = {raw_key_size, (void *)item->id};
    return mdb_del(store->writer, store->databases[0], &key, NULL);
}

static int scan(raw_store *store, const raw_item *first, size_t limit, raw_tally *tally) {
    MDB_cursor *cursor;
    MDB_val key = {0, NULL}, value;
    int code = mdb_cursor_open(transaction(store), store->databases[0], &cursor);
    if (code) return code;
    if (first) {
        key.mv_size = raw_key_size;
        key.mv_data = (void *)first->id;
    }
    code = mdb_cursor_get(cursor, &key, &value, first ? MDB_SET_RANGE : MDB_FIRST);
    for (size_t i = 0; i < limit && !code; i++) {
        item_add_value(tally, value.mv_data, value.mv_size);
        code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT);
    }
    mdb_cursor_close(cursor);
    return code == MDB_NOTFOUND ? 0 : code;
}

const raw_item_engine *raw_item_engine_lmdb(void) {
    static const raw_item_engine engine = {
        lmdb_message, open_store, begin, end, put, get, erase, scan, lmdb_count, lmdb_close};
    return &engine;
}
