#include "tokyo_cabinet_store.h"

#include <stdlib.h>

// As in Trove's backend, which also goes without the library's own lock.
#define LEAF_MEMBERS 128
#define NODE_MEMBERS 256
#define BUCKETS 32749
#define LEAF_CACHE 2048
#define NODE_CACHE 1024

const char *tokyo_version(void) { return tcversion; }

const char *tokyo_message(int code) { return tcbdberrmsg(code); }

int tokyo_close(raw_store *store) {
    int code = tcbdbclose(store->database) ? 0 : tcbdbecode(store->database);
    tcbdbdel(store->database);
    free(store);
    return code;
}

int tokyo_open(const char *path, raw_durability durability, bool bulk_load, const raw_shape *shape, raw_store **result) {
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

int tokyo_end(raw_store *store, bool done) {
    if (!done) {
        int code = tcbdbecode(store->database);
        tcbdbtranabort(store->database);
        return code;
    }
    done = tcbdbtrancommit(store->database) && (!store->syncs_after_load || tcbdbsync(store->database));
    return done ? 0 : tcbdbecode(store->database);
}
