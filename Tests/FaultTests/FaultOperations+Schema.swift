import TestSupport
import Trove

extension FaultOperation {
    @Sendable private static func openLater(_ backend: any StorageBackend) throws -> ObjectStore {
        try ObjectStore(backend, durability: .relaxed, models: FaultSongLater.self)
    }

    @Sendable private static func openPlain(_ backend: any StorageBackend) throws -> ObjectStore {
        try ObjectStore(backend, durability: .relaxed, models: FaultSongPlain.self)
    }

    @Sendable private static func fillPlain(_ backend: any StorageBackend) throws {
        try openPlain(backend).save((0..<16).map { number in
            FaultSongPlain(
                id: number, code: "code \(number)", title: "Autumn leaves number \(number)", note: "take \(number)", artist: "artist \(number % 3)",
                year: 1950 + number % 5, plays: number)
        })
    }

    /// Documents whose words are in an index already, of another path.
    @Sendable private static func fillNotes(_ backend: any StorageBackend) throws {
        let notes = try open(backend).documents("notes")
        try notes.save((0..<4).map { ["title": .string("autumn \($0)"), "body": "leaves"] })
        try notes.setFullText(["body": 1])
    }

    /// The songs as the later version reads them, whether or not they have been upgraded.
    @Sendable private static func laterSongs(_ backend: any StorageBackend) throws -> [String] {
        // The store may not have been opened with the later model yet, and is not to be changed by looking at it.
        let copy = MemoryBackend()
        try StoredEntries(of: backend).write(to: copy)
        return try openLater(copy).fetch(FaultSongLater.self).all().map { "\($0)" }
    }

    /// Changes of what the store knows of its models, some in several transactions.
    static let schemaChanges: [FaultOperation] = [
        FaultOperation("opening with a later version", isAtomic: false, state: laterSongs, open: openLater) { trial in
            { _ = try openLater(trial.backend) }
        },
        FaultOperation("lazy upgrade", state: laterSongs, open: openLater) { trial in
            let store = try openLater(trial.backend)
            return {
                try store.write { transaction in
                    let songs = try transaction.fetch(FaultSongLater.self).all()
                    try transaction.save(songs.prefix(5))
                }
            }
        },
        FaultOperation("eager upgrade", isAtomic: false, state: laterSongs, open: openLater) { trial in
            let store = try openLater(trial.backend)
            return { try store.upgrade(FaultSongLater.self, batchSize: 5) }
        },
        FaultOperation("building of indexes at opening", isAtomic: false, prepare: fillPlain) { trial in
            { _ = try open(trial.backend) }
        },
        FaultOperation("building of indexes on request", isAtomic: false, prepare: fillPlain) { trial in
            let store = try ObjectStore(
                trial.backend, durability: .relaxed, indexing: .onRequest, models: FaultSong.self, FaultAlbum.self)
            return { try store.buildIndexes() }
        },
        FaultOperation("rebuilding of indexes", isAtomic: false) { trial in
            let store = try open(trial.backend)
            return { try store.rebuildIndexes(of: FaultSong.self) }
        },
        FaultOperation("removal of indexes at opening", isAtomic: false, open: openPlain) { trial in
            { _ = try openPlain(trial.backend) }
        },
        FaultOperation("opening of a new store", isAtomic: false, prepare: { _ in }, state: { _ in [] }) { trial in
            { _ = try open(trial.backend) }
        },
        FaultOperation("opening of an existing store", commits: false) { trial in
            {
                let store = try open(trial.backend)
                _ = try store.fetch(FaultSong.self).count()
            }
        },
        FaultOperation("full text of a collection", isAtomic: false, prepare: fillNotes) { trial in
            let store = try open(trial.backend)
            return { try store.documents("notes").setFullText(["title": 1]) }
        },
    ]
}
