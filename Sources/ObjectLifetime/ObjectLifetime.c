#include "ObjectLifetime.h"

extern void *swift_tryRetain(void *object);

void *trove_try_retain(void *object) { return swift_tryRetain(object); }
