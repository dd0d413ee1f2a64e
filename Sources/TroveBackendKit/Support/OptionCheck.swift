import TroveStorage

/// Rejects invalid options before a store is opened.
public struct OptionCheck: Sendable {
    private let engine: String
    private let path: String

    public init(engine: String, path: String) {
        self.engine = engine
        self.path = path
    }

    /// - Throws: ``StorageError/unsupported(_:)``, which names the option and its range, when the value is outside.
    public func require(_ name: String, _ value: Int, in range: ClosedRange<Int>) throws {
        try require(range.contains(value), "\(name) must be \(range.lowerBound) to \(range.upperBound), not \(value)")
    }

    /// - Throws: ``StorageError/unsupported(_:)`` when the duration is negative.
    public func require(_ name: String, _ timeout: Duration) throws {
        try require(timeout >= .zero, "\(name) must be 0 or more, not \(timeout)")
    }

    /// - Throws: ``StorageError/unsupported(_:)`` with the message unless the condition holds.
    public func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        guard !condition else { return }
        throw StorageError.unsupported(.init(engine: engine, path: path, message: message()))
    }
}
