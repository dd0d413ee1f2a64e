#include <tcutil.h>
#include <tchdb.h>
#include <tcbdb.h>
