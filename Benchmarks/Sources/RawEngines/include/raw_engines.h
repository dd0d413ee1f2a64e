#ifndef RAW_ENGINES_H
#define RAW_ENGINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What an application written in C against an engine would do, with keys and values that are ready.
// The settings are those of Trove's backends. Where an engine holds keys and values, they are Trove's, byte for byte.
// Every function returns 0 or the engine's own error code.

enum { raw_key_size = 16 };

/// Keys and values in the order of the keys. Owned by the caller, who keeps them while a call runs.
typedef struct {
    const uint8_t *keys;      // raw_key_size bytes each
    const uint64_t *offsets;  // of the values; one more than there are values
    const uint8_t *values;
} raw_records;

/// What was read: added up from the values, to be compared with what other contestants read.
typedef struct {
    int64_t count;
    int64_t years;
    double durations;
    int64_t text_bytes;
    uint64_t weighted;  // the years, each times its place among what was read, from 1; of songs and items, which all read in one order
} raw_tally;

/// Where the numbers are in a value. Found when the values are made, see `RecordShape`.
typedef struct {
    size_t year_offset;      // little-endian, 64 bits
    size_t duration_offset;  // little-endian, 64 bits
    size_t text_offset;      // from here to the end there is text
} raw_shape;

typedef enum { raw_relaxed = 0, raw_buffered = 1, raw_durable = 2 } raw_durability;

typedef struct raw_store raw_store;

/// An engine's functions, so that the workloads are written once.
typedef struct {
    const char *(*version)(void);
    const char *(*message)(int code);
    /// Opens the store at `path`, or makes it. For a bulk load, `insert` is the only call that writes.
    int (*open)(const char *path, raw_durability durability, bool bulk_load, const raw_shape *shape, raw_store **store);
    /// Stores `count` records from `first` on, above all that are stored, in one transaction.
    int (*insert)(raw_store *store, const raw_records *records, size_t first, size_t count);
    /// Stores `count` records from `first` on, a transaction each.
    int (*insert_each)(raw_store *store, const raw_records *records, size_t first, size_t count);
    /// Reads one byte of every value: the lowest of the year, which is added up.
    int (*scan)(raw_store *store, raw_tally *tally);
    /// Reads the records at `positions`, in one transaction or in one each.
    int (*get)(raw_store *store, const raw_records *records, const uint32_t *positions, size_t count,
               bool one_transaction_each, raw_tally *tally);
    int (*count)(raw_store *store, int64_t *count);
    int (*close)(raw_store *store);
} raw_engine;

const raw_engine *raw_engine_lmdb(void);
const raw_engine *raw_engine_sqlite(void);
const raw_engine *raw_engine_tokyo_cabinet(void);

/// A text in UTF-8. Owned by the caller.
typedef struct {
    const char *bytes;
    size_t size;
} raw_text;

/// The values of a track.
typedef struct {
    raw_text title, artist, label;
    int64_t year, plays;
    double rating;  // negative for none
    double duration;
} raw_track;

/// The numbers from `low` up to, not including, `high`.
typedef struct {
    int64_t low, high;
} raw_range;

/// An engine's functions for tracks, which have an index on the artist and one on the plays.
typedef struct {
    const char *(*version)(void);
    const char *(*message)(int code);
    /// Opens the store at `path`, or makes it; with `label_index` it gets a third index when it has none.
    int (*open)(const char *path, raw_durability durability, bool bulk_load, bool label_index, const raw_shape *shape,
                raw_store **store);
    /// Stores tracks in an empty store, in one transaction: as records, or as the columns of `tracks`.
    int (*insert)(raw_store *store, const raw_records *records, const raw_track *tracks, size_t count);
    /// Counts the tracks of later years, without an index.
    int (*count_after)(raw_store *store, int64_t year, int64_t *count);
    /// Reads all tracks of each artist.
    int (*find_artists)(raw_store *store, const raw_text *artists, size_t count, raw_tally *tally);
    /// Reads the first tracks of each artist, at most `limit` in the order of their keys, in a transaction each.
    int (*find_first)(raw_store *store, const raw_text *artists, size_t count, size_t limit, raw_tally *tally);
    /// Reads all tracks with plays in each range.
    int (*find_plays)(raw_store *store, const raw_range *ranges, size_t count, raw_tally *tally);
    /// Counts the tracks of each label: `count` is that of labels, `years` the sum of the squares of their counts,
    /// `text_bytes` that of the labels. NULL when the program has no such function.
    int (*count_labels)(raw_store *store, raw_tally *tally);
    /// Runs a query in SQL and adds up its first column, a number or a text: numbers in `years`, sizes of texts in `text_bytes`.
    /// NULL when the program has no SQL, or no columns.
    int (*ask)(raw_store *store, const char *sql, raw_tally *tally);
    int (*count)(raw_store *store, int64_t *count);
    int (*close)(raw_store *store);
} raw_track_engine;

const raw_track_engine *raw_track_engine_lmdb(void);
const raw_track_engine *raw_track_engine_sqlite(void);
/// Native columns and native indexes.
const raw_track_engine *raw_track_engine_sqlite_columns(void);
const raw_track_engine *raw_track_engine_tokyo_cabinet(void);

/// The values of a title.
typedef struct {
    raw_text title;
    int64_t seconds;
} raw_title;

/// SQLite's functions for titles, whose words are in FTS5.
int raw_titles_open(const char *path, raw_durability durability, raw_store **store);
/// Stores titles in an empty store, in one transaction. The first has the id 1.
int raw_titles_insert(raw_store *store, const raw_title *titles, size_t count);
/// Reads all titles with each of these words; their seconds are in `years`.
int raw_titles_find(raw_store *store, const raw_text *words, size_t count, raw_tally *tally);
/// Reads the best titles for each search, at most `limit`, and writes their ids, 0 where there are fewer.
int raw_titles_rank(raw_store *store, const raw_text *searches, size_t count, size_t limit, int64_t *ids);
int raw_titles_count(raw_store *store, int64_t *count);
int raw_titles_close(raw_store *store);
const char *raw_titles_message(int code);

/// Members, and lists that have them in an order.
typedef struct {
    const uint8_t *ids;  // of the members, ascending, then of the lists; raw_key_size bytes each
    const raw_title *members;
    size_t member_count;
    const raw_text *names;  // of the lists
    size_t list_count;
    const uint32_t *places;  // the positions of each list's members, list_length for each
    size_t list_length;
} raw_graph;

/// An engine's functions for graphs.
typedef struct {
    const char *(*message)(int code);
    int (*open)(const char *path, raw_durability durability, raw_store **store);
    /// Stores a graph in an empty store, in one transaction, with what each member is in.
    int (*insert)(raw_store *store, const raw_graph *graph);
    /// Reads the first member of each list; their seconds are in `years`.
    int (*read_first)(raw_store *store, raw_tally *tally);
    /// Deletes a list and its members, which are in no other, in one transaction. `id` is its key, `number` its place among the lists, from 1.
    int (*delete_list)(raw_store *store, const uint8_t *id, int64_t number);
    /// The number of members and of lists, and, when asked for, of places in lists.
    int (*count)(raw_store *store, bool counts_places, int64_t *count);
    int (*close)(raw_store *store);
} raw_graph_engine;

const raw_graph_engine *raw_graph_engine_lmdb(void);
/// Native columns, a join table and foreign keys.
const raw_graph_engine *raw_graph_engine_sqlite_columns(void);

/// An object of a text and a number.
typedef struct {
    const uint8_t *id;  // raw_key_size bytes, ascending with the number
    int64_t number;     // from 1, for tables that have integer keys
    raw_text title;
    int64_t seconds;
} raw_item;

/// What follows `begin`.
typedef enum {
    raw_reads_once,  // one read
    raw_reads,       // several, of one snapshot
    raw_writes
} raw_access;

/// An engine's functions for items. Every call but the last three is between `begin` and `end`.
typedef struct {
    const char *(*message)(int code);
    int (*open)(const char *path, raw_durability durability, bool bulk_load, raw_store **store);
    int (*begin)(raw_store *store, raw_access access);
    /// Commits what was written, or takes it back when `code` is an error, which is then returned.
    int (*end)(raw_store *store, raw_access access, int code);
    /// Stores an item, in place of one with its id. With `appends` the id is above all that are stored.
    int (*put)(raw_store *store, const raw_item *item, bool appends);
    /// Reads the item with this id; its seconds are in `years`. Nothing is added when there is none.
    int (*get)(raw_store *store, const raw_item *item, raw_tally *tally);
    /// Deletes the item with this id.
    int (*erase)(raw_store *store, const raw_item *item);
    /// Reads at most `limit` items in the order of the ids, from `first` on, or from the first when that is NULL.
    int (*scan)(raw_store *store, const raw_item *first, size_t limit, raw_tally *tally);
    int (*count)(raw_store *store, int64_t *count);
    int (*close)(raw_store *store);
} raw_item_engine;

const raw_item_engine *raw_item_engine_lmdb(void);
const raw_item_engine *raw_item_engine_sqlite(void);
/// Native columns and an INTEGER PRIMARY KEY.
const raw_item_engine *raw_item_engine_sqlite_columns(void);
const raw_item_engine *raw_item_engine_tokyo_cabinet(void);

/// The values of a document, all of which are indexed.
typedef struct {
    raw_text name, city, kind;
    int64_t year, size;
    double price;
} raw_document;

/// SQLite's functions for documents: native columns, an index on each.
int raw_documents_open(const char *path, raw_durability durability, raw_store **store);
/// Stores documents, in one transaction. The first has the id `first`.
int raw_documents_insert(raw_store *store, const raw_document *documents, size_t count, int64_t first);
/// Reads all documents that have an attribute in common with this one, those of each attribute by its index; their sizes are in `years`,
/// the bytes of their names in `text_bytes`.
int raw_documents_find(raw_store *store, const raw_document *document, raw_tally *tally);
int raw_documents_count(raw_store *store, int64_t *count);
int raw_documents_close(raw_store *store);
const char *raw_documents_message(int code);

/// A value of a document without a type, and the path that leads to it.
typedef struct {
    raw_text path;
    enum { raw_leaf_text, raw_leaf_integer, raw_leaf_real } kind;
    raw_text text;
    int64_t integer;
    double real;
} raw_leaf;

/// A document without a type: its key of raw_key_size bytes, its archive, which begins with its number, little-endian in 64 bits, and its values.
typedef struct {
    const uint8_t *key;
    raw_text archive;
    const raw_leaf *leaves;
    size_t leaf_count;
} raw_note;

/// SQLite's functions for documents without a type: a table of archives, and one with a row for each value.
int raw_notes_open(const char *path, raw_durability durability, raw_store **store);
/// Stores documents, in one transaction.
int raw_notes_insert(raw_store *store, const raw_note *notes, size_t count);
/// Reads the archives of all documents with this text at this path; their numbers are in `years`.
int raw_notes_find(raw_store *store, const raw_text *path, const raw_text *value, raw_tally *tally);
int raw_notes_count(raw_store *store, int64_t *count);
int raw_notes_close(raw_store *store);
const char *raw_notes_message(int code);

#endif
