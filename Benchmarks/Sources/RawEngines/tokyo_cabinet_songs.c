#include "tally.h"
#include "tokyo_cabinet_store.h"

static int insert(raw_store *store, const raw_records *records, size_t first, size_t count) {
    if (!tcbdbtranbegin(store->database)) return tcbdbecode(store->database);
    bool done = true;
    for (size_t position = first; position < first + count && done; position++) {
        uint8_t key[tokyo_record_key_size];
        tokyo_make_key(record_key(records, position), key);
        done = tcbdbput(store->database, key, sizeof key, record_value(records, position), (int)record_size(records, position));
    }
    return tokyo_end(store, done);
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
        uint8_t key[tokyo_record_key_size];
        tokyo_make_key(record_key(records, positions[i]), key);
        int size;
        const uint8_t *value = tcbdbget3(store->database, key, sizeof key, &size);
        if (!value) return tcbdbecode(store->database);
        tally_add_in_order(tally, &store->shape, value, (size_t)size);
    }
    return 0;
}

static int count(raw_store *store, int64_t *count) {
    *count = (int64_t)tcbdbrnum(store->database);
    return 0;
}

const raw_engine *raw_engine_tokyo_cabinet(void) {
    static const raw_engine engine = {
        tokyo_version, tokyo_message, tokyo_open, insert, insert_each, scan, get, count, tokyo_close};
    return &engine;
}
