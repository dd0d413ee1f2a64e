#ifndef TOKYO_CABINET_YIELD_H
#define TOKYO_CABINET_YIELD_H

/// Makes `sched_yield` return at once when the shared library that has `function` calls it.
///
/// Debian builds Tokyo Cabinet to yield the processor after every 256 branches (`--enable-microyield`). Beside busy processes
/// each yield costs a whole slice of the scheduler, some milliseconds, so that a write of 10,000 entries takes half a minute.
/// Every other caller of `sched_yield` yields as always. Nothing happens where the library is linked statically or is no
/// library of Linux. May be called from any thread and more than once.
void trove_ignore_yields_of(const char *function);

#endif
