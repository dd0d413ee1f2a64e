#include "index_entries.h"
#include "tally.h"
#include "tokyo_cabinet_store.h"

static const index_keyspace artists = {{0, 0, 0, 2}, 4}, plays = {{0, 0, 0, 3}, 4};

static int open_store(const char *path, raw_durability durability, bool bulk_load, bool label_index,
                      const raw_shape *shape, raw_store **result) {
    (void)label_index;
    return tokyo_open(path, durability, bulk_load, shape, result);
}

static bool put_records(raw_store *store, const raw_records *records, size_t count) {
    bool done = true;
    for (size_t i = 0; i < count && done; i++) {
        uint8_t key[tokyo_record_key_size];
        tokyo_make_key(record_key(records, i), key);
        done = tcbdbput(store->database, key, sizeof key, record_value(records, i), (int)record_size(records, i));
    }
    return done;
}

/// Puts sorted entries, and frees them.
static bool put_entries(raw_store *store, index_entries *entries) {
    bool done = true;
    for (size_t i = 0; i < entries->count && done; i++)
        done = tcbdbput(store->database, entries->entries[i].bytes, (int)entries->entries[i].size, "", 0);
    index_entries_free(entries);
    return done;
}

static int insert(raw_store *store, const raw_records *records, const raw_track *tracks, size_t count) {
    index_entries entries;
    if (!tcbdbtranbegin(store->database)) return tcbdbecode(store->database);
    bool done = put_records(store, records, count);
    if (done)
        done = index_entries_of_artists(&artists, records, tracks, count, &entries) && put_entries(store, &entries);
    if (done)
        done = index_entries_of_plays(&plays, records, tracks, count, &entries) && put_entries(store, &entries);
    return tokyo_end(store, done);
}

static int count_after(raw_store *store, int64_t year, int64_t *count) {
    BDBCUR *cursor = tcbdbcurnew(store->database);
    int64_t found = 0;
    for (bool more = tcbdbcurfirst(cursor); more; more = tcbdbcurnext(cursor)) {
        int key_size, value_size;
        const uint8_t *key = tcbdbcurkey3(cursor, &key_size);
        if (!key || key[tokyo_prefix_size - 1] != tokyo_record_keyspace) break;
        const uint8_t *value = tcbdbcurval3(cursor, &value_size);
        if (!value) break;
        found += is_after(&store->shape, value, year);
    }
    tcbdbcurdel(cursor);
    *count = found;
    return 0;
}

/// Collects the entries within the bounds, at most `limit`.
static int match(raw_store *store, BDBCUR *cursor, const index_bounds *bounds, size_t limit, index_matches *matches) {
    for (bool more = tcbdbcurjump(cursor, bounds->low, (int)bounds->low_size); more && matches->count < limit; more = tcbdbcurnext(cursor)) {
        int size;
        const uint8_t *entry = tcbdbcurkey3(cursor, &size);
        if (!entry) return tcbdbecode(store->database);
        if (!index_is_below(entry, (size_t)size, bounds)) break;
        if (!index_matches_add(matches, entry, (size_t)size)) return TCEMISC;
    }
    return 0;
}

/// Reads the records of the entries within the bounds, at most `limit`.
static int find(raw_store *store, BDBCUR *cursor, const index_bounds *bounds, size_t limit, raw_tally *tally) {
    index_matches matches = {0};
    int code = match(store, cursor, bounds, limit, &matches);
    index_matches_sort(&matches);
    for (size_t i = 0; i < matches.count && !code; i++) {
        int size;
        uint8_t key[tokyo_record_key_size];
        tokyo_make_key(matches.keys[i], key);
        const uint8_t *value = tcbdbget3(store->database, key, sizeof key, &size);
        if (value) tally_add(tally, &store->shape, value, (size_t)size);
        else code = tcbdbecode(store->database);
    }
    index_matches_free(&matches);
    return code;
}

static int find_first(raw_store *store, const raw_text *names, size_t count, size_t limit, raw_tally *tally) {
    index_bounds bounds;
    BDBCUR *cursor = tcbdbcurnew(store->database);
    int code = 0;
    for (size_t i = 0; i < count && !code; i++)
        code = index_bounds_of_artist(&artists, &names[i], &bounds) ? find(store, cursor, &bounds, limit, tally) : TCEINVALID;
    tcbdbcurdel(cursor);
    return code;
}

static int find_artists(raw_store *store, const raw_text *names, size_t count, raw_tally *tally) {
    return find_first(store, names, count, SIZE_MAX, tally);
}

static int find_plays(raw_store *store, const raw_range *ranges, size_t count, raw_tally *tally) {
    index_bounds bounds;
    BDBCUR *cursor = tcbdbcurnew(store->database);
    int code = 0;
    for (size_t i = 0; i < count && !code; i++) {
        index_bounds_of_plays(&plays, &ranges[i], &bounds);
        code = find(store, cursor, &bounds, SIZE_MAX, tally);
    }
    tcbdbcurdel(cursor);
    return code;
}

/// Every track is a record and two entries.
static int count(raw_store *store, int64_t *count) {
    *count = (int64_t)tcbdbrnum(store->database) / 3;
    return 0;
}

const raw_track_engine *raw_track_engine_tokyo_cabinet(void) {
    static const raw_track_engine engine = {
        tokyo_version, tokyo_message, open_store, insert, count_after, find_artists, find_first, find_plays, NULL, NULL,
        count, tokyo_close};
    return &engine;
}
