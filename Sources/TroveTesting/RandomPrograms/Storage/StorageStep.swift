/// One step of a program over the storage API.
public indirect enum StorageStep: ProgramStep {
    /// The durability that a transaction asks for.
    public enum Level: String, Codable, Sendable, CaseIterable {
        /// ``Durability/relaxed``.
        case relaxed
        /// ``Durability/buffered``.
        case buffered
        /// ``Durability/durable``.
        case durable
    }

    /// A write transaction, whose body throws at its end when it is to fail.
    case write(Level, operations: [StorageOperation], fails: Bool)
    /// A read transaction; operations that change something are skipped.
    case read(operations: [StorageOperation])
    /// Steps that run while a snapshot is open, which must show the same contents before and after them. Where a read cannot hold a
    /// snapshot beside a write of its thread, the steps run without one; openings and compactions in them are passed over.
    case snapshot([StorageStep])
    /// Closes the store and opens it again, where it keeps its contents.
    case reopen
    /// Gives unused space back.
    case compact
    /// Makes everything durable.
    case synchronize
    /// Creates a backup, compares it with the store, and continues in the copy when asked, where the engine can create one.
    case backUp(goOn: Bool)

    public var operationCount: Int {
        switch self {
        case .write(_, let operations, _), .read(let operations): 1 + operations.operationCount
        case .snapshot(let steps): 1 + steps.operationCount
        case .reopen, .compact, .synchronize, .backUp: 1
        }
    }

    public var simplerForms: [[StorageStep]] {
        switch self {
        case .write(let level, let operations, let fails):
            (fails ? [[.write(level, operations: operations, fails: false)]] : [])
                + (level != .relaxed ? [[.write(.relaxed, operations: operations, fails: fails)]] : [])
                + operations.simplerLists.map { [.write(level, operations: $0, fails: fails)] }
        case .read(let operations): operations.simplerLists.map { [.read(operations: $0)] }
        case .snapshot(let steps): [steps] + steps.simplerLists.map { [.snapshot($0)] }
        case .backUp(let goOn): goOn ? [[.backUp(goOn: false)], [.reopen]] : []
        case .reopen, .compact, .synchronize: []
        }
    }
}
