import Trove

/// Tracks on any of Trove's engines.
final class TroveTrackStore: TrackStore {
    private let store: ObjectStore
    private let data: TrackData
    private let syncsAfterLoad: Bool

    /// - Parameter syncsAfterLoad: Tracks are inserted with a `.buffered` commit and `synchronize()`.
    init(_ backend: any StorageBackend, durability: Durability, _ data: TrackData, syncsAfterLoad: Bool) throws {
        self.data = data
        self.syncsAfterLoad = syncsAfterLoad
        store = try ObjectStore(backend, durability: durability, models: Track.self)
    }

    func insertion() throws -> () throws -> Void {
        let tracks = (0..<data.count).map { Track(number: $0, data) }
        return {
            try self.store.save(tracks, durability: self.syncsAfterLoad ? .buffered : nil)
            if self.syncsAfterLoad { try self.store.synchronize() }
        }
    }

    func countingTracks(after year: Int) throws -> () throws -> Int {
        { try self.store.fetch(Track.self).where { $0.year > year }.count() }
    }

    func finding(artists: [String]) throws -> () throws -> Tally {
        {
            try self.store.read { snapshot in
                var tally = Tally()
                for artist in artists { tally.add(try snapshot.fetch(Track.self).where { $0.artist == artist }.all()) }
                return tally
            }
        }
    }

    func finding(plays ranges: [Range<Int>]) throws -> () throws -> Tally {
        {
            try self.store.read { snapshot in
                var tally = Tally()
                for range in ranges { tally.add(try snapshot.fetch(Track.self).where { $0.plays.isIn(range) }.all()) }
                return tally
            }
        }
    }

    func countingByLabel() throws -> () throws -> Tally {
        {
            var tally = Tally()
            for group in try self.store.fetch(Track.self).grouped(by: \.label).aggregate(.count) {
                tally.add(label: group.key, tracks: group.values)
            }
            return tally
        }
    }

    func count() throws -> Int { try store.fetch(Track.self).count() }

    func close() throws { try store.close() }
}
