#include <sqlite3.h>

// Swift cannot call functions with variable arguments; these give them fixed ones.

static inline int csqlite_set_flag(sqlite3 *connection, int flag, int value) {
    return sqlite3_db_config(connection, flag, value, (int *)0);
}
