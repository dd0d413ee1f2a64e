import Trove

/// One way of keeping songs: a library or a program, on one engine, with the settings it is at its best with.
protocol Contestant: Sendable {
    /// The name on the command line, such as `trove-lmdb`.
    var name: String { get }
    /// The name in tables and charts.
    var title: String { get }
    var engine: EngineName { get }
    var kind: ContestantKind { get }
    /// The path it takes, in a sentence or two.
    var approach: String { get }
    /// Whether a store can be opened by another process than the one that made it.
    var isPersistent: Bool { get }

    /// Why it does not take part in a workload; nil when it does.
    func reasonAgainst(_ workload: any Workload) -> String?

    /// Opens the store of songs in a directory, made when there is none.
    func openSongs(_ place: StorePlace) throws -> any SongStore

    /// Opens the store of tracks in a directory, made when there is none. They have an index on the artist and one on the plays.
    func openTracks(_ place: StorePlace, _ data: TrackData) throws -> any TrackStore

    /// Opens the same store, which gets an index on the label when it has none; that is ready when this returns.
    func openLabelledTracks(_ place: StorePlace, _ data: TrackData) throws -> any LabelStore

    /// Opens the store of titles in a directory, made when there is none. Their words are indexed.
    func openTitles(_ place: StorePlace, _ data: TitleData) throws -> any TitleStore

    /// Opens the store of items in a directory, made when there is none.
    func openItems(_ place: StorePlace) throws -> any ItemStore

    /// Opens the store of documents in a directory, made when there is none. Every attribute is indexed.
    func openDocuments(_ place: StorePlace) throws -> any DocumentStore

    /// Opens the store of documents without a type in a directory, made when there is none. Every path is indexed.
    func openNotes(_ place: StorePlace) throws -> any NoteStore

    /// Opens the store of packages in a directory, made when there is none. Their descriptions are indexed by words.
    func openCatalogue(_ place: StorePlace) throws -> any CatalogueStore

    /// Opens the store of playlists in a directory, made when there is none.
    func openPlaylists(_ place: StorePlace, _ data: GraphData) throws -> any PlaylistStore

    /// Opens the store of a tree in a directory, made when there is none.
    func openTree(_ place: StorePlace, _ data: GraphData) throws -> any TreeStore
}

extension Contestant {
    var isPersistent: Bool { true }
    func reasonAgainst(_ workload: any Workload) -> String? { nil }

    func openSongs(_ place: StorePlace) throws -> any SongStore { throw BenchmarkError("\(name) keeps no songs") }

    func openTracks(_ place: StorePlace, _ data: TrackData) throws -> any TrackStore { throw BenchmarkError("\(name) keeps no tracks") }

    func openLabelledTracks(_ place: StorePlace, _ data: TrackData) throws -> any LabelStore {
        throw BenchmarkError("\(name) keeps no tracks")
    }

    func openTitles(_ place: StorePlace, _ data: TitleData) throws -> any TitleStore { throw BenchmarkError("\(name) keeps no titles") }

    func openItems(_ place: StorePlace) throws -> any ItemStore { throw BenchmarkError("\(name) keeps no items") }

    func openDocuments(_ place: StorePlace) throws -> any DocumentStore { throw BenchmarkError("\(name) keeps no documents") }

    func openNotes(_ place: StorePlace) throws -> any NoteStore { throw BenchmarkError("\(name) keeps no documents without a type") }

    func openCatalogue(_ place: StorePlace) throws -> any CatalogueStore { throw BenchmarkError("\(name) keeps no packages") }

    func openPlaylists(_ place: StorePlace, _ data: GraphData) throws -> any PlaylistStore { throw BenchmarkError("\(name) keeps no playlists") }

    func openTree(_ place: StorePlace, _ data: GraphData) throws -> any TreeStore { throw BenchmarkError("\(name) keeps no tree") }
}

/// Where a store is, and how it is to be opened.
struct StorePlace: Sendable {
    /// A directory of the contestant's own.
    let directory: String
    let durability: Durability
    /// Whether the store is opened to be filled in one go, and durable at the end.
    let isBulkLoad: Bool
    /// The file of ready-made records, for those that need it; of the catalogue the data.
    let recordFile: String

    /// The same place, to be opened for a bulk load or not.
    func loading(_ isBulkLoad: Bool) -> StorePlace {
        StorePlace(directory: directory, durability: durability, isBulkLoad: isBulkLoad, recordFile: recordFile)
    }
}
