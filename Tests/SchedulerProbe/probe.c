#define _GNU_SOURCE
#include "SchedulerProbe.h"

#include <errno.h>

#if defined(__linux__)
#include <sched.h>
#include <sys/resource.h>

int scheduler_stay_on_first_processor(void) {
    cpu_set_t allowed, one;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return errno;
    CPU_ZERO(&one);
    int first = 0;
    while (first < CPU_SETSIZE - 1 && !CPU_ISSET(first, &allowed)) first++;
    CPU_SET(first, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0 ? 0 : errno;
}

long scheduler_switches(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) != 0) return -1;
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

#else

int scheduler_stay_on_first_processor(void) { return ENOSYS; }

long scheduler_switches(void) { return -1; }

#endif
