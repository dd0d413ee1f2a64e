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

    func finding(firstOf artists: [String], limit: Int) throws -> () throws -> Tally {
        {
            var tally = Tally()
            for artist in artists {
                let fetch = self.store.fetch(Track.self).where { $0.artist == artist }
                if limit == 1 {
                    if let track = try fetch.first() { tally.add(track) }
                } else {
                    tally.add(try fetch.limit(limit).all())
                }
            }
            return tally
        }
    }

    func answering(_ question: TrackQuestion) throws -> () throws -> Tally {
        {
            var tally = Tally()
            let tracks = self.store.fetch(Track.self)
            let range = TrackQuestion.range
            switch question {
            case .distinct: for artist in try tracks.distinct(\.artist) { tally.add(answer: artist) }
            case .countDistinct: tally.add(answer: try tracks.aggregate(.countDistinct(\.artist)))
            case .count: tally.add(answer: try tracks.where { $0.plays.isIn(range) }.count())
            case .select: for plays in try tracks.where({ $0.plays.isIn(range) }).select(\.plays).all() { tally.add(answer: plays) }
            case .sum: tally.add(answer: try tracks.where { $0.plays.isIn(range) }.sum(\.plays))
            case .group: for group in try tracks.grouped(by: \.artist).aggregate(.count) { tally.add(answer: group.key) }
            }
            return tally
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
