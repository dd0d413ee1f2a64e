/// A kind of objects, and the store that has them.
enum StoreFamily: String, CaseIterable, Sendable {
    /// Songs without indexes.
    case songs
    /// Tracks with two indexes, later three.
    case tracks
    /// Titles whose words are indexed.
    case titles
    /// Objects of a title and a length.
    case items
    /// The same, to be changed.
    case edits
    /// The same, few of them.
    case small
    /// The same, for single operations of several kinds.
    case mixed
    /// The same, in stores of several sizes.
    case growth
    /// Documents with every attribute indexed.
    case documents
    /// Songs and playlists of them.
    case playlists
    /// An object that owns all others.
    case tree
    /// The packages of a Linux distribution.
    case catalogue

    /// The most objects that are stored, where the benchmarks that the workloads are taken from have fewer than a run may be asked for.
    var countLimit: Int {
        switch self {
        case .songs, .tracks, .titles, .items, .growth: .max
        case .edits, .mixed, .playlists, .tree, .catalogue: 100_000
        case .small, .documents: 20_000
        }
    }

    /// The number of objects when nobody asks for one, so that a whole run ends in half an hour.
    var usualCount: Int {
        switch self {
        case .songs, .tracks: 250_000
        case .titles, .items, .growth, .edits, .mixed, .playlists, .tree, .catalogue, .small, .documents: .max
        }
    }

    /// What the objects are, for the head of a table.
    var objects: String {
        switch self {
        case .songs: "songs {id, title, artist, year, rating, duration}"
        case .tracks: "tracks {id, title, artist, label, year, plays, rating, duration}, the artist and the plays indexed"
        case .titles: "titles {id, title, seconds}, the words of the title indexed"
        case .items: "BNRPersistence's songs {id, title, seconds}"
        case .edits: "the same, changed"
        case .small: "the same, as few as BZObjectStore's benchmark has"
        case .mixed: "the same, single operations of several kinds, a transaction each (YCSB)"
        case .growth: "the same, in stores of 10^4 to 10^7"
        case .documents: "documents {id, name, city, kind, year, size, price}, all indexed (NanoStore)"
        case .playlists: "songs {id, title, seconds} and a hundredth as many playlists {id, name, 100 songs}"
        case .tree: "a tree {id, name, nodes} that owns nodes {id, title, seconds}"
        case .catalogue: "packages of a Linux distribution with their dependencies, indexes and full text"
        }
    }

    /// Writes the ready-made records that the C programs store, where there are any, see ``RecordFile``.
    func writeRecords(_ scale: Scale, to path: String) throws {
        switch self {
        case .songs:
            try RecordFile.write(
                count: scale.writtenByMany.upperBound, Song.init(number:), shape: .song, tally: { .ofSongs(CollectionOfOne($0)) }, to: path)
        case .tracks:
            let tracks = scale.tracks
            try RecordFile.write(
                count: scale.count, { Track(number: $0, tracks) }, shape: .track, tally: { tracks.tally(of: $0) }, to: path)
        case .titles, .items, .edits, .small, .mixed, .growth, .documents, .playlists, .tree, .catalogue:
            break
        }
    }
}
