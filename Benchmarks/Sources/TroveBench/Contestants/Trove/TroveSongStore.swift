import Trove

/// Trove on any of its engines.
final class TroveSongStore: SongStore {
    private let backend: any StorageBackend
    private let store: ObjectStore

    private let syncsAfterLoad: Bool

    /// - Parameter syncsAfterLoad: Songs are inserted with a `.buffered` commit and `synchronize()`.
    init(_ backend: any StorageBackend, durability: Durability, syncsAfterLoad: Bool = false) throws {
        self.backend = backend
        self.syncsAfterLoad = syncsAfterLoad
        store = try ObjectStore(backend, durability: durability, models: Song.self)
    }

    func insertion(of numbers: Range<Int>) throws -> () throws -> Void {
        let songs = numbers.map(Song.init(number:))
        return {
            try self.store.save(songs, durability: self.syncsAfterLoad ? .buffered : nil)
            if self.syncsAfterLoad { try self.store.synchronize() }
        }
    }

    func scan() throws -> () throws -> Tally {
        {
            var tally = Tally()
            try self.backend.read { reader in
                guard let keyspace = try reader.keyspace(named: Song.schema.name) else { return }
                try reader.scan(in: keyspace) { _, record in
                    tally.add(yearByte: record.unsafeLoad(fromByteOffset: RecordShape.song.year, as: UInt8.self))
                    return .next
                }
            }
            return tally
        }
    }

    func reading(_ numbers: [Int], oneSnapshotEach: Bool) throws -> () throws -> Tally {
        let ids = numbers.map(SongData.id)
        return oneSnapshotEach
            ? {
                var tally = Tally()
                for id in ids {
                    if let song = try self.store.fetch(Song.self, id: id) { tally.add(song) }
                }
                return tally
            }
            : {
                try self.store.read { snapshot in
                    var tally = Tally()
                    for id in ids {
                        if let song = try snapshot.fetch(Song.self, id: id) { tally.add(song) }
                    }
                    return tally
                }
            }
    }

    func fetchAll() throws -> () -> Tally {
        let songs = try store.fetch(Song.self).all()
        return {
            var tally = Tally()
            for song in songs { tally.add(song) }
            return tally
        }
    }

    func stream() async throws -> Tally {
        var tally = Tally()
        for try await song in store.fetch(Song.self).stream() { tally.add(song) }
        return tally
    }

    func save(_ number: Int) async throws {
        try await store.save(Song(number: number))
    }

    func count() throws -> Int {
        try store.fetch(Song.self).count()
    }

    func close() throws {
        try store.close()
    }
}
