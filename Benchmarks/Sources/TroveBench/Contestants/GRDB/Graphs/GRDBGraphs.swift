import GRDB

/// GRDB's databases of playlists and of a tree.
enum GRDBGraphs {
    /// An ordered join table, which goes with either side, and an index for the way from songs to playlists.
    static func openPlaylists(path: String, _ place: StorePlace) throws -> DatabasePool {
        try GRDBPool.open(
            path: path, durability: place.durability,
            schema: """
                CREATE TABLE IF NOT EXISTS song (id INTEGER PRIMARY KEY, title TEXT NOT NULL, seconds INTEGER NOT NULL);
                CREATE TABLE IF NOT EXISTS playlist (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                CREATE TABLE IF NOT EXISTS playlist_song (
                    playlist INTEGER NOT NULL REFERENCES playlist ON DELETE CASCADE, position INTEGER NOT NULL,
                    song INTEGER NOT NULL REFERENCES song ON DELETE CASCADE, PRIMARY KEY (playlist, position)) WITHOUT ROWID;
                CREATE INDEX IF NOT EXISTS playlist_song_song ON playlist_song (song)
                """)
    }

    /// Nodes that go with their tree, and their order in it.
    static func openTree(path: String, _ place: StorePlace) throws -> DatabasePool {
        try GRDBPool.open(
            path: path, durability: place.durability,
            schema: """
                CREATE TABLE IF NOT EXISTS tree (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                CREATE TABLE IF NOT EXISTS node (
                    id INTEGER PRIMARY KEY, title TEXT NOT NULL, seconds INTEGER NOT NULL,
                    tree INTEGER NOT NULL REFERENCES tree ON DELETE CASCADE, position INTEGER NOT NULL);
                CREATE UNIQUE INDEX IF NOT EXISTS node_tree ON node (tree, position)
                """)
    }

    /// The first song of each playlist.
    static let firstSongs = """
        SELECT song.* FROM playlist JOIN playlist_song ON playlist_song.playlist = playlist.id AND playlist_song.position = 0 \
        JOIN song ON song.id = playlist_song.song
        """
}
