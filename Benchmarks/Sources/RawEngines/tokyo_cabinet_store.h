#ifndef TOKYO_CABINET_STORE_H
#define TOKYO_CABINET_STORE_H

#include <string.h>
#include <tcbdb.h>
#include <tcutil.h>

#include "raw_engines.h"

struct raw_store {
    TCBDB *database;
    bool syncs_after_load;
    raw_shape shape;
};

// One file for all keyspaces, as in Trove's backend; the first bytes of a key are the number of its own.
enum {
    tokyo_prefix_size = 4,
    tokyo_record_keyspace = 1,
    tokyo_record_key_size = tokyo_prefix_size + raw_key_size
};

const char *tokyo_version(void);
const char *tokyo_message(int code);

int tokyo_open(const char *path, raw_durability durability, bool bulk_load, const raw_shape *shape, raw_store **result);
int tokyo_close(raw_store *store);

/// Ends a transaction: commits it, or takes everything back when `done` is false. Returns the error's code, or 0.
int tokyo_end(raw_store *store, bool done);

/// Makes the stored key of a record of its own.
static inline void tokyo_make_key(const uint8_t *record_key, uint8_t *key) {
    static const uint8_t prefix[tokyo_prefix_size] = {0, 0, 0, tokyo_record_keyspace};
    memcpy(key, prefix, tokyo_prefix_size);
    memcpy(key + tokyo_prefix_size, record_key, raw_key_size);
}

#endif
