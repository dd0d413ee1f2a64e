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

    func reasonAgainst(_ workload: any Workload) -> String? {
        workload.family == .songs ? nil : "its search is not in this build"
    }

    private func syncsAfterLoad(_ place: StorePlace) -> Bool {
        syncsAfterLoad && place.isBulkLoad && place.durability == .durable
    }

    func openSongs(_ place: StorePlace) throws -> any SongStore {
        try TroveSongStore(
            try backend(in: place.directory), durability: place.durability, syncsAfterLoad: syncsAfterLoad(place))
    }
}
