#pragma once
#include <stdbool.h>
#include <stddef.h>

/// One place at which a symbol stands in a source file, as the compiler saw it. The texts are valid during the call only, and not ended by a zero.
typedef struct {
    const char *file;
    size_t file_length;
    /// The symbol's unified symbol resolution, which is the same wherever it stands.
    const char *symbol;
    size_t symbol_length;
    const char *name;
    size_t name_length;
    unsigned line;
    bool is_definition;
} index_occurrence;

/// Calls `body` with every occurrence in the files of a module that the compiler's index has.
///
/// `library` is the path of the toolchain's libIndexStore, `store` that of the index. Returns NULL, or why it could not be read.
const char *read_index_store(
    const char *library, const char *store, const char *module, void *context, void (*body)(void *context, const index_occurrence *occurrence));
