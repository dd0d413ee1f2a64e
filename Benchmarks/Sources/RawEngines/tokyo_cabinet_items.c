#include "item_value.h"
#include "tokyo_cabinet_store.h"

static int open_store(const char *path, raw_durability durability, bool bulk_load, raw_store **result) {
    static const raw_shape none;
    return tokyo_open(path, durability, bulk_load, &none, result);
}

static int begin(raw_store *store, raw_access access) {
    if (access != raw_writes) return 0;  // Reads have no transactions in this engine.
    return tcbdbtranbegin(store->database) ? 0 : tcbdbecode(store->database);
}

static int end(raw_store *store, raw_access access, int code) {
    if (access != raw_writes) return code;
    int ended = tokyo_end(store, !code);
    return code ? code : ended;
}

static int put(raw_store *store, const raw_item *item, bool appends) {
    (void)appends;  // The engine looks at the leaf of the last change first.
    uint8_t key[tokyo_record_key_size], value[item_max_value];
    tokyo_make_key(item->id, key);
    size_t size = item_make_value(item, value);
    if (!size) return TCEMISC;
    return tcbdbput(store->database, key, sizeof key, value, (int)size) ? 0 : tcbdbecode(store->database);
}

static int get(raw_store *store, const raw_item *item, raw_tally *tally) {
    uint8_t key[tokyo_record_key_size];
    tokyo_make_key(item->id, key);
    int size;
    const uint8_t *value = tcbdbget3(store->database, key, sizeof key, &size);
    if (value) item_add_value(tally, value, (size_t)size);
    if (value) return 0;
    int code = tcbdbecode(store->database);
    return code == TCENOREC ? 0 : code;
}

static int erase(raw_store *store, const raw_item *item) {
    uint8_t key[tokyo_record_key_size];
    tokyo_make_key(item->id, key);
    return tcbdbout(store->database, key, sizeof key) ? 0 : tcbdbecode(store->database);
}

static int scan(raw_store *store, const raw_item *first, size_t limit, raw_tally *tally) {
    BDBCUR *cursor = tcbdbcurnew(store->database);
    uint8_t key[tokyo_record_key_size];
    if (first) tokyo_make_key(first->id, key);
    bool found = first ? tcbdbcurjump(cursor, key, sizeof key) : tcbdbcurfirst(cursor);
    for (size_t i = 0; i < limit && found; i++) {
        int size;
        const uint8_t *value = tcbdbcurval3(cursor, &size);
        if (!value) break;
        item_add_value(tally, value, (size_t)size);
        found = tcbdbcurnext(cursor);
    }
    tcbdbcurdel(cursor);
    int code = tcbdbecode(store->database);
    return code == TCENOREC || found ? 0 : code;
}

static int count(raw_store *store, int64_t *count) {
    *count = (int64_t)tcbdbrnum(store->database);
    return 0;
}

const raw_item_engine *raw_item_engine_tokyo_cabinet(void) {
    static const raw_item_engine engine = {
        tokyo_message, open_store, begin, end, put, get, erase, scan, count, tokyo_close};
    return &engine;
}
