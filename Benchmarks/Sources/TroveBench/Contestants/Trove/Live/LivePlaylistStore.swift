import Trove

/// Playlists, as live objects of one context, on any of Trove's engines.
final class LivePlaylistStore: PlaylistStore {
    private let store: ObjectStore
    private let context: ObjectContext
    private let data: GraphData
    private let syncsAfterLoad: Bool

    /// - Parameter syncsAfterLoad: Everything is inserted with a `.buffered` commit and `synchronize()`.
    init(_ backend: any StorageBackend, durability: Durability, _ data: GraphData, syncsAfterLoad: Bool) throws {
        self.data = data
        self.syncsAfterLoad = syncsAfterLoad
        store = try ObjectStore(backend, durability: syncsAfterLoad ? .buffered : durability, models: LivePlaylist.self)
        context = ObjectContext(store)
    }

    func insertion() throws -> () throws -> Void {
        let songs = (0..<data.count).map { LivePlaylistSong(id: data.id($0), title: data.title($0), seconds: data.seconds($0)) }
        let playlists = (0..<data.listCount).map { list in
            let playlist = LivePlaylist(id: data.listID(list), name: data.listName(list))
            playlist.songs = ObjectList(data.members(of: list).map { songs[$0] })
            return playlist
        }
        return {
            try self.context.insert(songs)
            try self.context.insert(playlists)
            try self.context.save()
            if self.syncsAfterLoad { try self.store.synchronize() }
        }
    }

    func readingFirstSongs() throws -> () throws -> Tally {
        {
            var tally = Tally()
            for playlist in try self.context.fetch(LivePlaylist.self).all() {
                if let song = playlist.songs.first { tally.add(title: song.title, seconds: song.seconds) }
            }
            return tally
        }
    }

    func count() throws -> Int {
        var places = 0
        try context.fetch(LivePlaylist.self).forEach { playlist, _ in places += playlist.songs.count }
        return try context.fetch(LivePlaylistSong.self).count() + context.fetch(LivePlaylist.self).count() + places
    }

    func close() throws { try store.close() }
}
