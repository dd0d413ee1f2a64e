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
    /// Documents without a type, every path of which is indexed.
    case notes
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
        case .edits, .mixed, .playlists, .tree, .catalogue, .notes: 100_000
        case .small, .documents: 20_000
        }
    }

    /// All, those first that tell most: a run that has not the time for all repeats leaves out those of the last.
    static let byImportance = allCases.sorted { $0.rank < $1.rank }

    /// The place in that order.
    private var rank: Int {
        switch self {
        case .songs: 0
        case .tracks: 1
        case .edits: 2
        case .playlists: 3
        case .tree: 4
        case .small: 5
        case .catalogue: 6
        case .items: 7
        case .mixed: 8
        case .documents: 9
        case .notes: 10
        case .titles: 11
        case .growth: 12
        }
    }

    /// About how long one contestant takes for so many workloads with so many objects, in seconds; a mean over all contestants.
    func secondsOfContestant(objects: Int, workloads: Int) -> Double {
        // Starting the process and opening the store, for each workload; what is the same however many objects there are; and for each of them.
        let (fixed, microseconds): (Double, Double) =
            switch self {
            case .songs: (4, 12)
            case .tracks: (0.5, 15)
            case .titles: (0.5, 14)
            case .items: (1, 5)
            case .edits: (0.1, 15)
            case .small: (0.1, 15)
            case .mixed: (1, 8)
            case .growth: (0.4, 1.7)
            case .documents: (0.5, 60)
            case .notes: (1, 60)
            case .playlists: (0.2, 15)
            case .tree: (0.1, 10)
            case .catalogue: (0.7, 0)
            }
        return 0.1 * Double(workloads) + fixed + Double(objects) * microseconds * 1e-6
    }

    /// The number of objects when nobody asks for one, so that a whole run ends in half an hour.
    var usualCount: Int {
        switch self {
        case .songs, .tracks: 250_000
        case .titles, .items, .growth, .edits, .mixed, .playlists, .tree, .catalogue, .small, .documents, .notes: .max
        }
    }

    /// Whether a run says how many objects there are; otherwise a file does.
    var hasCount: Bool { self != .catalogue }

    /// What the objects are, for the head of a table.
    var objects: String {
        switch self {
        case .songs: "songs {id, title, artist, year, rating, duration}"
        case .tracks: "tracks {id, title, artist, label, year, plays, rating, duration}, the artist and the plays indexed"
        case .titles: "titles {id, title, seconds}, the words of the title indexed"
        case .items: "songs {id, title, seconds} (BNRPersistence)"
        case .edits: "songs {id, title, seconds}, to be changed (BNRPersistence)"
        case .small: "songs {id, title, seconds} (BZObjectStore)"
        case .mixed: "songs {id, title, seconds}, single operations of several kinds, a transaction each (YCSB)"
        case .growth: "songs {id, title, seconds} at most, in stores of several sizes"
        case .documents: "documents {id, name, city, kind, year, size, price}, all indexed (NanoStore)"
        case .notes: "documents of 10 leaves without a type, every path indexed (NanoStore)"
        case .playlists: "songs {id, title, seconds} and a hundredth as many playlists {id, name, 100 songs}"
        case .tree: "nodes {id, title, seconds} and the tree {id, name, nodes} that owns them"
        case .catalogue: "Packages of a Linux distribution with their dependencies, indexes and full text"
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
        case .titles, .items, .edits, .small, .mixed, .growth, .documents, .notes, .playlists, .tree, .catalogue:
            break
        }
    }
}
