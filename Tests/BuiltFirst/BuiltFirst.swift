// `Scripts/test` builds this target before all others: it depends on what the library depends on.
// The library waits for these, all tests wait for the library, and its optimiser leaves a core to what is built beside it.
