// `Scripts/test` builds this target before all others: it depends on what the library depends on.
// All tests wait for the library, and the library waits for these. While the library is optimised, a core is free for everything else.
