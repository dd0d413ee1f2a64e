/// A way to break the contract, and the case of the specification that has to notice it.
enum Mutant: String, CaseIterable, CustomStringConvertible {
    // Order
    case ordersSignedBytes, ordersLongerKeysFirst, ignoresDescending, includesUpperBound, excludesLowerBound
    // Atomicity and savepoints
    case commitsWhenTheBodyThrows, swallowsErrors, replacesErrors, keepsUndoneSavepoints, runsReadsTwice
    // Writers and re-entry
    case servesLastWriterFirst, servesBusyWriterFirst, joinsTheOuterWrite, namesTheTimeoutWrongly
    // Snapshots
    case readsWithoutSnapshot, showsUncommittedChanges, sharesNoSnapshots, sharesTheLastState, keepsItsStamp, stampsTheLastState
    case keepsReadersToTheirThread
    case getsLiveValues, getsManyLiveValues, scansLiveKeys, countsLiveRanges, showsLiveEntries, listsNamesBeforeItsSnapshot
    // Many entries
    case seeksPastEdges, endsRangesBeforeEdges, stepsOverEntriesFarIn, missesTheSixtyFifthKey
    // Own writes
    case cursorsSeeTheBeginning, scansSeeTheirBeginning, skipsAfterDeletion, staysPastTheEnd, seeksExactly
    // Durability
    case forgetsRelaxedCommits, forgetsAfter5000Commits, copiesNothing, overwritesBackups
    // Limits
    case acceptsEmptyKeys, cutsLongKeys, getsManyLongKeys, cutsLargeValues, acceptsTooLargeValues, refusesLongBoundsInDeletions, refusesLongBoundsInCounts
    // Lifetime and handles
    case answersAfterTheEnd, answersForDroppedKeyspaces, keepsDroppedEntries, showsDroppedEntries, remembersUndoneDrops
    // Opening and closing
    case opensTwice, sharesNoEngine, neverCloses, closesInsideTransactions, staysOpenWhenReleased, compactsBesideWriters
    // Reading only
    case changesReadOnlyStores, hidesItsRefusal, makesReadOnlyStores, touchesReadOnlyFiles, readsAnOlderCopy
    // Entries
    case countsOnce, alwaysDeletes, insertsOverExisting, findsNeighbours, missesEmptyValues, miscountsDeletedRanges, answersManyBackwards, answersManyToTheEnd
    case swallowsEntryErrors
    // Less to wait for
    case prefetchesForGood, takesTheExpectedNumberForALimit, listsKeysUpwardsOnly, countsTheUpperBound, removesOnlyAnnouncedKeys
    // What it says of itself
    case reversesNames, ordersNamesAsStrings, claimsReadersWait, claimsNoReadsInsideWrites, claimsMoreKeyspaces, promisesNothing, miscountsKeyspaces, hidesReaders
    case freezesTheAgeOfReaders, findsDamageAfterDrops

    /// The case that finds it out; there are others.
    var caughtBy: String {
        switch self {
        case .ordersSignedBytes: "order.unsigned-bytes"
        case .ordersLongerKeysFirst: "order.shorter-first"
        case .ignoresDescending, .includesUpperBound, .excludesLowerBound: "ranges.every-pair-of-bounds"
        case .commitsWhenTheBodyThrows, .swallowsErrors: "atomicity.throwing-body"
        case .replacesErrors, .keepsUndoneSavepoints: "savepoints.keep-or-undo"
        case .runsReadsTwice: "atomicity.calling-thread"
        case .servesLastWriterFirst: "writers.in-order"
        case .servesBusyWriterFirst: "writers.no-starvation"
        case .joinsTheOuterWrite: "reentry.write-in-write"
        case .namesTheTimeoutWrongly: "writers.timeout"
        case .readsWithoutSnapshot: "snapshots.held-across-commits"
        case .showsUncommittedChanges: "snapshots.uncommitted"
        case .sharesNoSnapshots: "concurrentReaders.same-state"
        case .sharesTheLastState: "concurrentReaders.after-commit"
        case .keepsItsStamp: "stamps.one-state"
        case .stampsTheLastState: "stamps.beside-commits"
        case .keepsReadersToTheirThread: "concurrentReaders.lent"
        case .getsLiveValues, .getsManyLiveValues, .scansLiveKeys, .countsLiveRanges, .showsLiveEntries: "snapshots.every-way-of-reading"
        case .listsNamesBeforeItsSnapshot: "snapshots.begun-by-any-answer"
        case .seeksPastEdges: "cursors.seek-everywhere"
        case .endsRangesBeforeEdges: "ranges.every-bound-of-many"
        case .stepsOverEntriesFarIn: "cursors.walk-far"
        case .missesTheSixtyFifthKey: "entries.get-many-thousand"
        case .cursorsSeeTheBeginning: "cursors.insert-around"
        case .scansSeeTheirBeginning: "scans.insert-ahead-and-behind"
        case .skipsAfterDeletion: "cursors.delete-current"
        case .staysPastTheEnd: "cursors.ends"
        case .seeksExactly: "cursors.seek"
        case .forgetsRelaxedCommits: "durability.every-level"
        case .forgetsAfter5000Commits: "durability.many-commits"
        case .copiesNothing: "backup.equals"
        case .overwritesBackups: "backup.destination-exists"
        case .acceptsEmptyKeys: "limits.empty-key"
        case .cutsLongKeys, .getsManyLongKeys: "limits.key-size"
        case .cutsLargeValues: "largeValues.page-boundaries"
        case .acceptsTooLargeValues: "limits.value-size"
        case .refusesLongBoundsInDeletions: "deleteRange.long-bounds"
        case .refusesLongBoundsInCounts: "keys.long-bounds"
        case .answersAfterTheEnd: "lifetime.reader"
        case .answersForDroppedKeyspaces, .showsDroppedEntries: "keyspaces.drop"
        case .keepsDroppedEntries: "keyspaces.drop-and-create"
        case .remembersUndoneDrops: "savepoints.cursors-before-drop"
        case .opensTwice: "openingTwice.same-contents"
        case .sharesNoEngine: "openingTwice.shared-engine"
        case .neverCloses: "closing.use-after-close"
        case .closesInsideTransactions: "closing.inside-transaction"
        case .staysOpenWhenReleased: "lifetime.released-store"
        case .compactsBesideWriters: "compaction.waits-for-writer"
        case .changesReadOnlyStores, .hidesItsRefusal: "readOnly.refuses-changes"
        case .makesReadOnlyStores: "readOnly.no-store"
        case .touchesReadOnlyFiles: "readOnly.changes-no-file"
        case .readsAnOlderCopy: "readOnly.beside-a-writer"
        case .countsOnce: "entries.count"
        case .alwaysDeletes: "entries.delete"
        case .insertsOverExisting: "entries.insert"
        case .findsNeighbours: "entries.get-exact"
        case .missesEmptyValues: "entries.empty-value"
        case .miscountsDeletedRanges: "deleteRange.every-pair-of-bounds"
        case .answersManyBackwards: "entries.get-many"
        case .answersManyToTheEnd: "entries.get-many-stops"
        case .swallowsEntryErrors: "cursors.body-errors"
        case .prefetchesForGood: "hints.prefetch-in-a-write"
        case .takesTheExpectedNumberForALimit: "hints.expecting"
        case .listsKeysUpwardsOnly: "keys.every-pair-of-bounds"
        case .countsTheUpperBound: "keys.count-of-ranges"
        case .removesOnlyAnnouncedKeys: "keys.remove"
        case .reversesNames, .ordersNamesAsStrings: "keyspaces.names"
        case .claimsReadersWait: "capabilities.readers-wait"
        case .claimsNoReadsInsideWrites: "reentry.read-in-write"
        case .claimsMoreKeyspaces: "limits.keyspace-count"
        case .promisesNothing: "capabilities.limits"
        case .miscountsKeyspaces: "statistics.sizes"
        case .hidesReaders: "statistics.readers"
        case .freezesTheAgeOfReaders: "statistics.oldest-reader"
        case .findsDamageAfterDrops: "structure.sound-store"
        }
    }

    var description: String { rawValue }

    /// Whether it can be told only where there are files.
    var needsFiles: Bool { opensReadOnly || [.copiesNothing, .overwritesBackups, .forgetsRelaxedCommits, .forgetsAfter5000Commits, .staysOpenWhenReleased].contains(self) }

    /// Whether it can be told only where stores are opened for reading only.
    var opensReadOnly: Bool { caughtBy.hasPrefix("readOnly.") }
}
