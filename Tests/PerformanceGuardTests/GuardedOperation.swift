import Testing
import Trove

/// A hot path whose allocations are counted.
enum GuardedOperation: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// Making a record of an object.
    case encode
    /// Making an object of a record.
    case decode
    /// Reading an object by its id, in one snapshot.
    case get
    /// The same in a transaction of its own.
    case getAlone
    /// Reading all objects, for each.
    case scan
    /// Passing over all objects with a filter, for each.
    case filter
    /// Saving a batch of objects, for each.
    case save
    /// Saving one object in a transaction of its own.
    case saveAlone
    /// Finding ten objects by an index, for each query.
    case indexLookup
    /// Finding the first object of an equality on an index, in a snapshot each.
    case indexFirst
    /// Counting the different values of an index, for each count.
    case distinctCount
    /// Inserting live objects and saving them, for each.
    case liveInsert
    /// Fetching all live objects, for each.
    case liveFetch
    /// Changing all live objects and saving them, for each.
    case liveUpdate
    /// Deleting live objects and saving that, for each. As many as were inserted, one round after the other.
    case liveDelete

    var testDescription: String { rawValue }

    /// The number of objects in the store.
    static let objectCount = 1_000

    /// Does the operation many times, on this thread.
    ///
    /// - Returns: How many times.
    func run(_ store: ObjectStore, _ songs: [GuardedSong]) throws -> Int {
        switch self {
        case .encode:
            return try encodeAll(songs)
        case .decode:
            return try decodeAll(songs)
        case .get:
            try store.read { snapshot in
                for song in songs { try Self.check(snapshot.fetch(GuardedSong.self, id: song.id)?.year == song.year) }
            }
        case .getAlone:
            for song in songs { try Self.check(store.fetch(GuardedSong.self, id: song.id)?.year == song.year) }
        case .scan:
            try Self.check(store.fetch(GuardedSong.self).all().count == songs.count)
        case .filter:
            try Self.check(store.fetch(GuardedSong.self).where { $0.year > 1950 }.count() < songs.count)
        case .save:
            try store.save(songs)
        case .saveAlone:
            for song in songs.prefix(100) { try store.save(song) }
            return 100
        case .indexLookup:
            return try store.read { snapshot in
                for place in stride(from: 0, to: songs.count, by: 10) {
                    let artist = songs[place].artist
                    try Self.check(snapshot.fetch(GuardedSong.self).where { $0.artist == artist }.all().count == 10)
                }
                return songs.count / 10
            }
        case .indexFirst:
            for place in stride(from: 0, to: songs.count, by: 10) {
                let artist = songs[place].artist
                try Self.check(store.fetch(GuardedSong.self).where { $0.artist == artist }.first()?.artist == artist)
            }
            return songs.count / 10
        case .distinctCount:
            for _ in 0..<10 { try Self.check(store.fetch(GuardedSong.self).aggregate(.countDistinct(\.artist)) == songs.count / 10) }
            return 10
        case .liveInsert: return try Self.insertTracks(store)
        case .liveFetch: return try Self.fetchTracks(store)
        case .liveUpdate: return try Self.updateTracks(store)
        case .liveDelete: return try Self.deleteTracks(store)
        }
        return songs.count
    }

    private struct WrongAnswer: Error {}

    static func check(_ isRight: Bool) throws {
        if !isRight { throw WrongAnswer() }
    }
}
