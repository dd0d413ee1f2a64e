#include "lmdb_store.h"

#include <stdio.h>
#include <stdlib.h>

// As in Trove's backend.
#define MAP_SIZE ((size_t)1 << 40)
#define MAX_READERS 4096
#define MAX_DATABASES 4096

const char *lmdb_version(void) {
    static char text[32];
    int major, minor, patch;
    mdb_version(&major, &minor, &patch);
    snprintf(text, sizeof text, "%d.%d.%d", major, minor, patch);
    return text;
}

const char *lmdb_message(int code) { return mdb_strerror(code); }

static unsigned int sync_flags(raw_durability durability) {
    switch (durability) {
    case raw_relaxed: return MDB_NOSYNC;
    case raw_buffered: return MDB_NOMETASYNC;
    case raw_durable: return 0;
    }
    return 0;
}

int lmdb_close(raw_store *store) {
    if (store->reader) mdb_txn_abort(store->reader);
    mdb_env_close(store->environment);
    free(store);
    return 0;
}

int lmdb_open(const char *path, raw_durability durability, const char *const *names, int name_count,
              const raw_shape *shape, raw_store **result) {
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
    for (int i = 0; i < name_count; i++) {
        if ((code = mdb_dbi_open(transaction, names[i], MDB_CREATE, &store->databases[i]))) {
            mdb_txn_abort(transaction);
            goto failed;
        }
    }
    if ((code = mdb_txn_commit(transaction))
        || (code = mdb_txn_begin(store->environment, NULL, MDB_RDONLY, &store->reader)))
        goto failed;
    mdb_txn_reset(store->reader);
    *result = store;
    return 0;
failed:
    lmdb_close(store);
    return code;
}

int lmdb_count(raw_store *store, int64_t *count) {
    MDB_stat statistics;
    int code = mdb_txn_renew(store->reader);
    if (code) return code;
    if (!(code = mdb_stat(store->reader, store->databases[0], &statistics))) *count = (int64_t)statistics.ms_entries;
    mdb_txn_reset(store->reader);
    return code;
}
