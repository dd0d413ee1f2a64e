#include <tcutil.h>
#include <tcbdb.h>
