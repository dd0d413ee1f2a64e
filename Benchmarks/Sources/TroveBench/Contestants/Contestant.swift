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

    /// Opens the store in a directory, made when there is none.
    func open(_ place: StorePlace) throws -> any SongStore
}

extension Contestant {
    var isPersistent: Bool { true }
    func reasonAgainst(_ workload: any Workload) -> String? { nil }
}

/// Where a store is, and how it is to be opened.
struct StorePlace: Sendable {
    /// A directory of the contestant's own.
    let directory: String
    let durability: Durability
    /// Whether the store is opened to be filled in one go, and durable at the end.
    let isBulkLoad: Bool
    /// The file of ready-made records, for those that need it.
    let recordFile: String
}
