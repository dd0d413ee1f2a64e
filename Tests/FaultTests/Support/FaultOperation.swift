import TestSupport
import Trove

/// Something that a program does with a store, which faults must not leave half done.
struct FaultOperation: Sendable, CustomStringConvertible {
    /// An attempt, which can be made again.
    typealias Attempt = () throws -> Void

    let description: String
    /// Whether it is one transaction, so that a failure leaves every byte as it was.
    let isAtomic: Bool
    /// Whether it commits something to the store whose calls fail.
    let commits: Bool
    /// The engines that can do it.
    let engines: [Engine]
    /// What is in the store before.
    let prepare: @Sendable (any StorageBackend) throws -> Void
    /// Opens what the operation needs, without faults; returns what is then tried with them.
    let begin: @Sendable (FaultTrial) throws -> Attempt
    /// What the store says to a program, in lines that can be compared.
    let state: @Sendable (any StorageBackend) throws -> [String]
    /// Opens the store as a program would afterwards.
    let open: @Sendable (any StorageBackend) throws -> ObjectStore

    init(
        _ description: String, isAtomic: Bool = true, commits: Bool = true, engines: [Engine] = Engine.allCases,
        prepare: @escaping @Sendable (any StorageBackend) throws -> Void = FaultOperation.fill,
        state: @escaping @Sendable (any StorageBackend) throws -> [String] = FaultOperation.records,
        open: @escaping @Sendable (any StorageBackend) throws -> ObjectStore = FaultOperation.open,
        begin: @escaping @Sendable (FaultTrial) throws -> Attempt
    ) {
        self.description = description
        self.isAtomic = isAtomic
        self.commits = commits
        self.engines = engines
        self.prepare = prepare
        self.state = state
        self.open = open
        self.begin = begin
    }

    /// Opens a store of songs and albums.
    @Sendable static func open(_ backend: any StorageBackend) throws -> ObjectStore {
        try ObjectStore(backend, durability: .relaxed, models: FaultSong.self, FaultAlbum.self)
    }

    /// Three albums and 16 songs.
    @Sendable static func fill(_ backend: any StorageBackend) throws {
        let store = try open(backend)
        try store.save((0..<3).map { FaultAlbum(id: $0, name: "album \($0)") })
        try store.save((0..<16).map { FaultSong.sample($0) })
    }

    /// All records, whatever their models.
    @Sendable static func records(_ backend: any StorageBackend) throws -> [String] {
        try ObjectStore(backend, durability: .relaxed).read { transaction in
            var lines: [String] = []
            for name in try transaction.modelNames().sorted() {
                try transaction.forEachStoredRecord(of: name) { record, _ in
                    let values = record.fieldNames.map { "\($0): \(record[$0] ?? .null)" }
                    lines.append("\(name) \(record.key) \(values.joined(separator: ", "))")
                }
            }
            return lines
        }
    }
}
