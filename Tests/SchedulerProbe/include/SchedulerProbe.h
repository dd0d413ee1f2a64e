#ifndef SCHEDULER_PROBE_H
#define SCHEDULER_PROBE_H

/// Keeps the calling thread on the first of the processors it may use; returns 0, or the system's error number.
int scheduler_stay_on_first_processor(void);

/// How often the calling thread has given its processor away or lost it; negative when the system does not tell.
long scheduler_switches(void);

#endif
