import Trove

/// Trove on one of its engines, with live objects in place of structs.
struct LiveContestant: Contestant {
    static let variants: [any Contestant] = Found.troveContestants.map(LiveContestant.init)

    private let structs: any TroveContestant

    init(_ structs: any TroveContestant) {
        self.structs = structs
    }

    let kind = ContestantKind.live
    var name: String { "\(structs.name)-live" }
    var title: String { "\(structs.title), live objects" }
    var engine: EngineName { structs.engine }
    var isPersistent: Bool { structs.isPersistent }
    let approach = """
        ObjectContext and a @Model final class, default options; a batch is inserted and saved once, relationships are read as properties. \
        The engine as with structs.
        """

    func reasonAgainst(_ workload: any Workload) -> String? {
        if let reason = structs.reasonAgainst(workload) { return reason }
        switch workload.family {
        case .items, .edits, .small, .mixed, .playlists, .tree: return nil
        case .growth: return "how cost grows is the engine's and the structs' matter"
        case .notes: return "there are no live objects of documents without a type"
        case .songs, .tracks, .titles, .documents, .catalogue: return "what live objects cost is seen with the simple songs and the graphs"
        }
    }

    func openItems(_ place: StorePlace) throws -> any ItemStore {
        try LiveItemStore(
            try structs.backend(in: place.directory), durability: place.durability, syncsAfterLoad: structs.syncsAfterLoad(place))
    }

    func openPlaylists(_ place: StorePlace, _ data: GraphData) throws -> any PlaylistStore {
        try LivePlaylistStore(
            try structs.backend(in: place.directory), durability: place.durability, data, syncsAfterLoad: structs.syncsAfterLoad(place))
    }

    func openTree(_ place: StorePlace, _ data: GraphData) throws -> any TreeStore {
        try LiveTreeStore(
            try structs.backend(in: place.directory), durability: place.durability, data, syncsAfterLoad: structs.syncsAfterLoad(place))
    }
}
