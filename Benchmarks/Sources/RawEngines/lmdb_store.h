#ifndef LMDB_STORE_H
#define LMDB_STORE_H

#include <lmdb.h>

#include "raw_engines.h"

enum { lmdb_max_databases = 3 };

struct raw_store {
    MDB_env *environment;
    MDB_dbi databases[lmdb_max_databases];
    MDB_txn *reader;  // reset between reads, renewed for each
    MDB_txn *writer;  // NULL when nothing is being written
    raw_shape shape;
};

const char *lmdb_version(void);
const char *lmdb_message(int code);

/// Opens the file at `path`, or makes it, with databases of these names.
int lmdb_open(const char *path, raw_durability durability, const char *const *names, int name_count,
              const raw_shape *shape, raw_store **result);

/// The number of entries in the first database.
int lmdb_count(raw_store *store, int64_t *count);

int lmdb_close(raw_store *store);

#endif
