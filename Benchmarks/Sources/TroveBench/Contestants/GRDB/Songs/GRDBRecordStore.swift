import GRDB

/// GRDB used through its record protocols.
final class GRDBRecordStore<Song: GRDBSong>: SongStore {
    private let pool: DatabasePool

    init(path: String, _ place: StorePlace) throws {
        pool = try GRDBPool.open(path: path, durability: place.durability)
    }

    func insertion(of numbers: Range<Int>) throws -> () throws -> Void {
        let songs = numbers.map(Song.init(number:))
        return {
            try self.pool.write { db in
                for song in songs { try song.insert(db) }
            }
        }
    }

    func scan() throws -> () throws -> Tally { GRDBPool.scan(pool) }

    func reading(_ numbers: [Int], oneSnapshotEach: Bool) throws -> () throws -> Tally {
        let ids = numbers.map(Song.id)
        return oneSnapshotEach
            ? {
                var tally = Tally()
                for id in ids {
                    if let song = try self.pool.read({ try Song.fetchOne($0, key: id) }) { tally.add(song) }
                }
                return tally
            }
            : {
                try self.pool.read { db in
                    var tally = Tally()
                    for id in ids {
                        if let song = try Song.fetchOne(db, key: id) { tally.add(song) }
                    }
                    return tally
                }
            }
    }

    func fetchAll() throws -> () -> Tally {
        let songs = try pool.read { try Song.fetchAll($0) }
        return {
            var tally = Tally()
            for song in songs { tally.add(song) }
            return tally
        }
    }

    func stream() async throws -> Tally {
        try await pool.read { db in
            var tally = Tally()
            let songs = try Song.fetchCursor(db)
            while let song = try songs.next() { tally.add(song) }
            return tally
        }
    }

    func save(_ number: Int) async throws {
        try await pool.write { try Song(number: number).insert($0) }
    }

    func count() throws -> Int { try GRDBPool.count(pool) }

    func close() throws { try pool.close() }
}
