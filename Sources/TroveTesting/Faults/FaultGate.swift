import TroveStorage

/// What the calls of one transaction go through: it lets them fail, and keeps a transaction poisoned after that.
/// Used by one thread at a time, as transactions are.
final class FaultGate {
    private let backend: FaultInjectingBackend
    private var poison: StorageError?

    init(_ backend: FaultInjectingBackend) { self.backend = backend }

    /// Ends the transaction: what is wrong with later calls, the engine says.
    func finish() { poison = nil }

    /// - Throws: ``StorageError/transactionPoisoned(_:)`` after a fault.
    func check() throws {
        guard let poison else { return }
        var details = poison.details
        details.message = "an earlier call failed, so the transaction can only roll back: \(poison)"
        throw StorageError.transactionPoisoned(details)
    }

    /// Lets a call pass or fail.
    func pass(_ point: FaultPoint) throws {
        try check()
        do {
            try backend.faults.pass(point, backend.wrappedBackend)
        } catch let error as StorageError {
            poison = error
            throw error
        }
    }

    /// Runs a savepoint of the engine.
    func savepoint(_ body: () throws -> Void, in writer: any StorageWriter) throws {
        try pass(.savepoint)
        do {
            try writer.savepoint {
                try body()
                try check()
            }
        } catch {
            if backend.faults.savepointsRecover { poison = nil }
            throw error
        }
    }
}
