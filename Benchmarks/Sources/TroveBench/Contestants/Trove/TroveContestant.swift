import Trove

/// Trove on one of its engines.
protocol TroveContestant: Contestant {
    /// The engine's backend with its default settings, in the contestant's directory.
    func backend(in directory: String) throws -> any StorageBackend
    /// Whether a bulk load is a `.buffered` commit and `synchronize()`, which together make it durable.
    var syncsAfterLoad: Bool { get }
}

extension TroveContestant {
    var kind: ContestantKind { .trove }
    var syncsAfterLoad: Bool { false }

    /// Whether a store at this place is filled so.
    func syncsAfterLoad(_ place: StorePlace) -> Bool {
        syncsAfterLoad && place.isBulkLoad && place.durability == .durable
    }

    func openSongs(_ place: StorePlace) throws -> any SongStore {
        try TroveSongStore(
            try backend(in: place.directory), durability: place.durability, syncsAfterLoad: syncsAfterLoad(place))
    }

    func openTracks(_ place: StorePlace, _ data: TrackData) throws -> any TrackStore {
        try TroveTrackStore(
            try backend(in: place.directory), durability: place.durability, data, syncsAfterLoad: syncsAfterLoad(place))
    }

    func openLabelledTracks(_ place: StorePlace, _ data: TrackData) throws -> any LabelStore {
        try TroveLabelStore(try backend(in: place.directory), durability: place.durability, data)
    }

    func openTitles(_ place: StorePlace, _ data: TitleData) throws -> any TitleStore {
        try TroveTitleStore(
            try backend(in: place.directory), durability: place.durability, data, syncsAfterLoad: syncsAfterLoad(place))
    }

    func openItems(_ place: StorePlace) throws -> any ItemStore {
        try TroveItemStore(try backend(in: place.directory), durability: place.durability, syncsAfterLoad: syncsAfterLoad(place))
    }

    func openDocuments(_ place: StorePlace) throws -> any DocumentStore {
        try TroveDocumentStore(try backend(in: place.directory), durability: place.durability)
    }

    func openNotes(_ place: StorePlace) throws -> any NoteStore {
        try TroveNoteStore(try backend(in: place.directory), durability: place.durability)
    }

    func openCatalogue(_ place: StorePlace) throws -> any CatalogueStore {
        try TroveCatalogueStore(try backend(in: place.directory), durability: place.durability, syncsAfterLoad: syncsAfterLoad(place))
    }

    func openPlaylists(_ place: StorePlace, _ data: GraphData) throws -> any PlaylistStore {
        try TrovePlaylistStore(
            try backend(in: place.directory), durability: place.durability, data, syncsAfterLoad: syncsAfterLoad(place))
    }

    func openTree(_ place: StorePlace, _ data: GraphData) throws -> any TreeStore {
        try TroveTreeStore(
            try backend(in: place.directory), durability: place.durability, data, syncsAfterLoad: syncsAfterLoad(place))
    }
}
