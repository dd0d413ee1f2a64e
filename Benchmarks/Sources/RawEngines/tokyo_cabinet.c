#include <stdlib.h>
#include <tcbdb.h>
#include <tcutil.h>

#include "tally.h"

// As in Trove's backend, which also goes without the library's own lock.
#define LEAF_MEMBERS 128
#define NODE_MEMBERS 256
#define BUCKETS 32749
#define LEAF_CACHE 2048
#define NODE_CACHE 1024

enum { prefix_size = 4, stored_key_size = prefix_size + raw_key_size };

struct raw_store {
    TCBDB *database;
    bool syncs_after_load;
    raw_shape shape;
};

static const char *version(void) { return tcversion; }

static const char *message(int code) { return tcbdberrmsg(code); }

static int close_store(raw_store *store) {
    int code = tcbdbclose(store->database) ? 0 : tcbdbecode(store->database);
    tcbdbdel(store->database);
    free(store);
    return code;
}

static int open_store(const char *path, raw_durability durability, bool bulk_load, const raw_shape *shape,
                      raw_store **result) {
    raw_store *store = calloc(1, sizeof *store);
    if (!store) return TCEMISC;
    store->shape = *shape;
    // BDBOTSYNC syncs the log for every page, which a load of a new store does not need: one sync at its end will do.
    bool syncs = durability == raw_durable;
    store->syncs_after_load = syncs && bulk_load;
    store->database = tcbdbnew();
    int mode = BDBOWRITER | BDBOREADER | BDBOCREAT | (syncs && !bulk_load ? BDBOTSYNC : 0);
    if (!tcbdbtune(store->database, LEAF_MEMBERS, NODE_MEMBERS, BUCKETS, -1, -1, BDBTLARGE)
        || !tcbdbsetcache(store->database, LEAF_CACHE, NODE_CACHE)
        || !tcbdbopen(store->database, path, mode)) {
        int code = tcbdbecode(store->database);
        tcbdbdel(store->database);
        free(store);
        return code;
    }
    *result = store;
    return 0;
}

/// The key behind the number of its keyspace, as in Trove's backend.
static void make_key(const raw_records *records, size_t position, uint8_t *key) {
    static const uint8_t prefix[prefix_size] = {0, 0, 0, 1};
    memcpy(key, prefix, prefix_size);
    memcpy(key + prefix_size, record_key(records, position), raw_key_size);
}

static int insert(raw_store *store, const raw_records *records, size_t first, size_t count) {
    if (!tcbdbtranbegin(store->database)) return tcbdbecode(store->database);
    for (size_t position = first; position < first + count; position++) {
        uint8_t key[stored_key_size];
        make_key(records, position, key);
        if (!tcbdbput(store->database, key, stored_key_size, record_value(records, position),
                      (int)record_size(records, position))) {
            int code = tcbdbecode(store->database);
            tcbdbtranabort(store->database);
            return code;
        }
    }
    bool done = tcbdbtrancommit(store->database) && (!store->syncs_after_load || tcbdbsync(store->database));
    return done ? 0 : tcbdbecode(store->database);
}

static int insert_each(raw_store *store, const raw_records *records, size_t first, size_t count) {
    int code = 0;
    for (size_t position = first; position < first + count && !code; position++)
        code = insert(store, records, position, 1);
    return code;
}

static int scan(raw_store *store, raw_tally *tally) {
    BDBCUR *cursor = tcbdbcurnew(store->database);
    for (bool found = tcbdbcurfirst(cursor); found; found = tcbdbcurnext(cursor)) {
        int key_size, value_size;
        const uint8_t *value;
        const void *key = tcbdbcurkey3(cursor, &key_size);
        value = tcbdbcurval3(cursor, &value_size);
        if (!key || !value) break;
        tally_touch(tally, &store->shape, value);
    }
    tcbdbcurdel(cursor);
    int code = tcbdbecode(store->database);
    return code == TCENOREC ? 0 : code;
}

static int get(raw_store *store, const raw_records *records, const uint32_t *positions, size_t count,
               bool one_transaction_each, raw_tally *tally) {
    (void)one_transaction_each;  // Reads have no transactions in this engine.
    for (size_t i = 0; i < count; i++) {
        uint8_t key[stored_key_size];
        make_key(records, positions[i], key);
        int size;
        const uint8_t *value = tcbdbget3(store->database, key, stored_key_size, &size);
        if (!value) return tcbdbecode(store->database);
        tally_add(tally, &store->shape, value, (size_t)size);
    }
    return 0;
}

static int count(raw_store *store, int64_t *count) {
    *count = (int64_t)tcbdbrnum(store->database);
    return 0;
}

const raw_engine *raw_engine_tokyo_cabinet(void) {
    static const raw_engine engine = {
        version, message, open_store, insert, insert_each, scan, get, count, close_store};
    return &engine;
}
