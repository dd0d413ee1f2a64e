import Trove

/// Playlists on any of Trove's engines.
final class TrovePlaylistStore: PlaylistStore {
    private let store: ObjectStore
    private let data: GraphData
    private let syncsAfterLoad: Bool

    /// - Parameter syncsAfterLoad: Everything is inserted with a `.buffered` commit and `synchronize()`.
    init(_ backend: any StorageBackend, durability: Durability, _ data: GraphData, syncsAfterLoad: Bool) throws {
        self.data = data
        self.syncsAfterLoad = syncsAfterLoad
        store = try ObjectStore(backend, durability: durability, models: Playlist.self)
    }

    func insertion() throws -> () throws -> Void {
        let songs = (0..<data.count).map { PlaylistSong(number: $0, data) }
        let playlists = (0..<data.listCount).map { Playlist(number: $0, data) }
        return {
            try self.store.write(self.syncsAfterLoad ? .buffered : nil) { transaction in
                try transaction.save(songs)
                try transaction.save(playlists)
            }
            if self.syncsAfterLoad { try self.store.synchronize() }
        }
    }

    func readingFirstSongs() throws -> () throws -> Tally {
        {
            try self.store.read { snapshot in
                var tally = Tally()
                let first = try snapshot.fetch(Playlist.self).all().compactMap { $0.songs.first }
                for song in try snapshot.resolve(first) { tally.add(title: song.title, seconds: song.seconds) }
                return tally
            }
        }
    }

    func count() throws -> Int {
        try store.read { snapshot in
            var places = 0
            try snapshot.fetch(Playlist.self).forEach { playlist, _ in places += playlist.songs.count }
            return try snapshot.fetch(PlaylistSong.self).count() + snapshot.fetch(Playlist.self).count() + places
        }
    }

    func close() throws { try store.close() }
}
