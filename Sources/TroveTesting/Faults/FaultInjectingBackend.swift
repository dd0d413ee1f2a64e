import TroveBackendKit
import TroveStorage

/// A backend whose calls fail when its ``FaultInjector`` decides so, like those of an engine on a full or broken disk.
///
/// ```swift
/// let faults = FaultInjector()
/// let backend = FaultInjectingBackend(try MyBackend(path: path), faults: faults)
/// faults.arm(FaultPlan(.nth(3), at: [.change], as: .diskFull))
/// ```
///
/// It keeps the contract: a call that fails poisons its transaction, nothing of which is committed. Without a plan it does
/// what the wrapped backend does.
public final class FaultInjectingBackend: ForwardingBackend {
    public let wrappedBackend: any StorageBackend
    /// The injector that decides which calls fail.
    public let faults: FaultInjector

    /// Wraps a backend, which is closed with this one.
    public init(_ backend: any StorageBackend, faults: FaultInjector) {
        wrappedBackend = backend
        self.faults = faults
    }

    /// Those of the wrapped backend, but that snapshots have one reader: which call is the *n*th would not be certain with several threads.
    public var capabilities: StorageCapabilities {
        var capabilities = wrappedBackend.capabilities
        capabilities.sharesSnapshots = false
        return capabilities
    }

    public func read(_ body: (any StorageReader) throws -> Void) throws {
        try faults.pass(.beginRead, wrappedBackend)
        let gate = FaultGate(self)
        defer { gate.finish() }
        try wrappedBackend.read { try body(FaultReader($0, gate)) }
    }

    public func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try faults.pass(.beginWrite, wrappedBackend)
        try wrappedBackend.write(durability) { writer in
            let gate = FaultGate(self)
            defer { gate.finish() }
            try body(FaultWriter(writer, gate))
            try gate.check()
            try faults.pass(.beforeCommit, wrappedBackend)
        }
        try faults.pass(.afterCommit, wrappedBackend)
    }

    public func synchronize() throws {
        try faults.pass(.synchronize, wrappedBackend)
        try wrappedBackend.synchronize()
    }

    public func backUp(to destination: String) throws {
        try faults.pass(.backUp, wrappedBackend)
        try wrappedBackend.backUp(to: destination)
    }

    public func compact() throws {
        try faults.pass(.compact, wrappedBackend)
        try wrappedBackend.compact()
    }
}
