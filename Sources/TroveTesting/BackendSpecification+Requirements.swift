extension BackendSpecification {
    /// The storage contract, one sentence after the other: the guarantees of ``StorageBackend``, then the rest of the storage API.
    public static let requirements: [SpecificationRequirement] = [
        SpecificationRequirement(
            "1 Order", "Keys compare as unsigned bytes, the shorter first; ranges, scans and cursors follow that order both ways.",
            topics: ["order", "ranges"],
            cases: [
                "keys.every-pair-of-bounds", "scans.large", "cursors.random-walk", "cursors.walk-far", "cursors.seek", "cursors.seek-everywhere",
                "cursors.seek-long-keys", "cursors.ends", "cursors.empty-and-single",
            ]),
        SpecificationRequirement(
            "2 Atomicity", "A write body that throws leaves no trace; savepoints undo their part. Refused arguments poison nothing.",
            topics: ["atomicity", "savepoints"],
            cases: ["limits.empty-key", "keyspaces.refused-names", "keyspaces.rolled-back", "keyspaces.reused-many-times", "writers.after-errors"],
            exclusion:
                "that a failed call poisons its transaction: an engine call cannot be made to fail from outside; the tests of full disks and faults do it"),
        SpecificationRequirement(
            "3 Serial writers", "One write at a time; waiting is fair and ends with timedOut.", topics: ["writers"],
            cases: [
                "concurrency.bank", "concurrency.two-hundred-threads", "concurrency.keyspaces", "reentry.thread-inside-write", "compaction.waits-for-writer",
            ]),
        SpecificationRequirement(
            "4 Snapshots", "A read sees one committed state from its first answer to its end, whatever is committed, dropped or compacted meanwhile.",
            topics: ["snapshots", "concurrentReaders", "stamps"],
            cases: ["concurrency.monotonic", "concurrency.many-readers", "concurrency.bank", "reentry.write-in-read", "reentry.write-in-scan-of-read"]),
        SpecificationRequirement(
            "5 Read your writes", "A write sees its own changes, in cursors and scans that were open before them too.",
            cases: [
                "entries.read-your-writes", "entries.get-many-thousand", "ranges.same-in-a-write", "ranges.every-bound-of-many", "cursors.seek-everywhere",
                "cursors.delete-current", "cursors.delete-all-visited", "cursors.delete-neighbours",
                "cursors.insert-around", "cursors.replace-current", "cursors.big-changes-around", "cursors.random-changes", "scans.insert-ahead-and-behind",
                "scans.insert-next-to-current", "scans.delete-in-body", "scans.replace-in-body", "scans.delete-all-in-body", "scans.many-changes-in-body",
                "scans.bounds-stay", "scans.drop-in-body", "scans.rollback-in-body", "keys.while-changing", "hints.expecting-while-changing",
            ]),
        SpecificationRequirement(
            "6 Durability", "Commits of each level are there after a clean close; synchronize makes all of them durable.", topics: ["durability"],
            cases: ["backup.every-level", "sharing.after-close", "lifetime.released-store", "compaction.keeps-commits"],
            exclusion: "crashes and power losses: they need a process to kill; the crash tests do it. Stores of more than 72 MiB"),
        SpecificationRequirement(
            "7 No re-entry", "A transaction inside a transaction works as the capabilities say or is a typed error, never a deadlock.", topics: ["reentry"],
            cases: ["closing.inside-transaction", "closing.write-inside-read", "statistics.inside-transactions", "backup.inside-a-write"]),
        SpecificationRequirement(
            "8 Limits", "Empty and too long keys, too large values and bad names are refused before anything is written.", topics: ["limits"],
            cases: ["keyspaces.refused-names", "savepoints.refused-arguments", "order.longest-keys", "keys.remove"]),
        SpecificationRequirement(
            "9 Lifetime", "Bytes are valid inside their closure; readers, writers, cursors and handles refuse to be used after their transaction.",
            topics: ["lifetime"],
            cases: [
                "keyspaces.foreign-handles", "keyspaces.drop", "savepoints.handles-inside", "savepoints.cursors-inside", "largeValues.borrowed-bytes",
            ]),
        SpecificationRequirement(
            "10 Opening twice", "Opening a file that is open in the process gives the same engine.", topics: ["openingTwice"],
            cases: ["compaction.opened-twice", "compaction.while-opening", "sharing.released-inside"]),
        SpecificationRequirement(
            "Entries", "get, getMany, put, insert, delete, deleteRange and count do what their documentation says, for values of every size.",
            topics: ["entries", "deleteRange", "largeValues"]),
        SpecificationRequirement(
            "Less to wait for", "Announced keys, expected numbers, keys alone, counts of ranges and removal without an answer do what is done without them.",
            topics: ["hints", "keys"], exclusion: "that they save round trips: tests with `CountingBackend` show what callers save"),
        SpecificationRequirement("Scans and cursors", "Scans stop, nest and let errors through; cursors keep their place.", topics: ["scans", "cursors"]),
        SpecificationRequirement("Keyspaces", "Thousands of keyspaces with any names are created, dropped, reused and listed.", topics: ["keyspaces"]),
        SpecificationRequirement(
            "Capabilities",
            "What the engine says of itself is true: limits, readers during a write, re-entry, processes, and that a clean close keeps every commit.",
            topics: ["capabilities", "sharing"],
            cases: [
                "limits.keyspace-count", "limits.key-size", "limits.value-size", "reentry.levels", "concurrentReaders.same-state", "concurrentReaders.lent",
            ],
            exclusion: """
                what promises say of crashes and power losses, as above; more than 6,000 keyspaces where maxKeyspaces is over 20,000; values of more than \
                20 MiB, though maxValueSize is at least 512 MiB; \
                manyMachines, of which one is tried; countsInConstantTime, which would be a measurement; isRemote, which promises nothing; \
                readsDamagedFiles, since how a file is damaged is the engine's own affair
                """),
        SpecificationRequirement(
            "Backup", "A copy is one committed state, taken while the store is in use, and never overwrites anything.", topics: ["backup"]),
        SpecificationRequirement("Compaction", "Compaction waits for transactions, changes no contents and gives space back.", topics: ["compaction"]),
        SpecificationRequirement(
            "Structure", "checkStructure finds nothing in a sound store, whatever was done to it, also inside a read.", topics: ["structure"],
            exclusion: "that it finds damage: the bytes of a file are the engine's own affair; test that beside the backend"),
        SpecificationRequirement(
            "Reading only", "Where opensReadOnly says so, a store is opened for reading only: it gives what is committed, refuses changes and changes no file.",
            topics: ["readOnly"], exclusion: "files that cannot be written: the superuser, as whom many tests run, may do everything"),
        SpecificationRequirement("Statistics", "Sizes, counts and running reads are right at any moment.", topics: ["statistics"]),
        SpecificationRequirement("Closing", "close waits for transactions; afterwards every call throws closed.", topics: ["closing"]),
        SpecificationRequirement(
            "All together", "Random programs agree with a model; threads do not disturb each other.", topics: ["random", "concurrency"]),
    ]
}
