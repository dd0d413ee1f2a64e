// Reads the index that the compiler writes in debug builds, through the toolchain's libIndexStore, which has a C interface only.
#include "IndexStoreReader.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    const char *data;
    size_t length;
} string_ref;

enum { role_declaration = 1, role_definition = 2, role_reference = 4, dependency_record = 2 };

static void *(*store_create)(const char *, void **);
static void (*store_dispose)(void *);
static bool (*units_apply)(void *, unsigned, void *, bool (*)(void *, string_ref));
static void *(*unit_create)(void *, const char *, void **);
static void (*unit_dispose)(void *);
static string_ref (*unit_main_file)(void *);
static string_ref (*unit_module)(void *);
static bool (*unit_dependencies)(void *, void *, bool (*)(void *, void *));
static int (*dependency_kind)(void *);
static string_ref (*dependency_name)(void *);
static string_ref (*dependency_path)(void *);
static void *(*record_create)(void *, const char *, void **);
static void (*record_dispose)(void *);
static bool (*record_occurrences)(void *, void *, bool (*)(void *, void *));
static void *(*occurrence_symbol)(void *);
static uint64_t (*occurrence_roles)(void *);
static void (*occurrence_place)(void *, unsigned *, unsigned *);
static string_ref (*symbol_usr)(void *);
static string_ref (*symbol_name)(void *);

static const struct {
    const char *name;
    void *function;
} functions[] = {
    {"indexstore_store_create", &store_create},
    {"indexstore_store_dispose", &store_dispose},
    {"indexstore_store_units_apply_f", &units_apply},
    {"indexstore_unit_reader_create", &unit_create},
    {"indexstore_unit_reader_dispose", &unit_dispose},
    {"indexstore_unit_reader_get_main_file", &unit_main_file},
    {"indexstore_unit_reader_get_module_name", &unit_module},
    {"indexstore_unit_reader_dependencies_apply_f", &unit_dependencies},
    {"indexstore_unit_dependency_get_kind", &dependency_kind},
    {"indexstore_unit_dependency_get_name", &dependency_name},
    {"indexstore_unit_dependency_get_filepath", &dependency_path},
    {"indexstore_record_reader_create", &record_create},
    {"indexstore_record_reader_dispose", &record_dispose},
    {"indexstore_record_reader_occurrences_apply_f", &record_occurrences},
    {"indexstore_occurrence_get_symbol", &occurrence_symbol},
    {"indexstore_occurrence_get_roles", &occurrence_roles},
    {"indexstore_occurrence_get_line_col", &occurrence_place},
    {"indexstore_symbol_get_usr", &symbol_usr},
    {"indexstore_symbol_get_name", &symbol_name},
};

typedef struct {
    void *store;
    const char *module;
    void *context;
    void (*body)(void *, const index_occurrence *);
    string_ref file;
} walk;

static bool is_equal(string_ref left, string_ref right) {
    return left.length == right.length && memcmp(left.data, right.data, left.length) == 0;
}

static bool visit_occurrence(void *context, void *occurrence) {
    walk *walk = context;
    uint64_t roles = occurrence_roles(occurrence);
    if (!(roles & (role_declaration | role_definition | role_reference))) return true;
    void *symbol = occurrence_symbol(occurrence);
    string_ref usr = symbol_usr(symbol), name = symbol_name(symbol);
    index_occurrence found = {
        .file = walk->file.data, .file_length = walk->file.length, .symbol = usr.data, .symbol_length = usr.length,
        .name = name.data, .name_length = name.length, .is_definition = (roles & (role_declaration | role_definition)) != 0};
    unsigned column;
    occurrence_place(occurrence, &found.line, &column);
    walk->body(walk->context, &found);
    return true;
}

static bool visit_dependency(void *context, void *dependency) {
    walk *walk = context;
    if (dependency_kind(dependency) != dependency_record || !is_equal(dependency_path(dependency), walk->file)) return true;
    char name[1024];
    string_ref record_name = dependency_name(dependency);
    if (record_name.length >= sizeof name) return true;
    memcpy(name, record_name.data, record_name.length);
    name[record_name.length] = 0;
    void *error = NULL, *record = record_create(walk->store, name, &error);
    if (!record) return true;
    record_occurrences(record, walk, visit_occurrence);
    record_dispose(record);
    return true;
}

static bool visit_unit(void *context, string_ref unit_name) {
    walk *walk = context;
    char name[1024];
    if (unit_name.length >= sizeof name) return true;
    memcpy(name, unit_name.data, unit_name.length);
    name[unit_name.length] = 0;
    void *error = NULL, *unit = unit_create(walk->store, name, &error);
    if (!unit) return true;
    string_ref module = {walk->module, strlen(walk->module)};
    if (is_equal(unit_module(unit), module)) {
        walk->file = unit_main_file(unit);
        unit_dependencies(unit, walk, visit_dependency);
    }
    unit_dispose(unit);
    return true;
}

const char *read_index_store(
    const char *library, const char *store, const char *module, void *context, void (*body)(void *, const index_occurrence *)) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return dlerror();
    for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
        void *function = dlsym(handle, functions[index].name);
        if (!function) return functions[index].name;
        memcpy(functions[index].function, &function, sizeof function);
    }
    void *error = NULL;
    walk walk = {.store = store_create(store, &error), .module = module, .context = context, .body = body};
    if (!walk.store) return "the index cannot be opened";
    units_apply(walk.store, 0, &walk, visit_unit);
    store_dispose(walk.store);
    return NULL;
}
