import TroveStorage

/// Rejects invalid options before a store is opened.
public struct OptionCheck: Sendable {
    private let engine: String
    private let path: String

    /// A check of the options for a store, which its errors name.
    public init(engine: String, path: String) {
        self.engine = engine
        self.path = path
    }

    /// Checks that a number is in its range.
    ///
    /// - Throws: ``StorageError/unsupported(_:)``, which names the option and its range, when the value is outside.
    public func require(_ name: String, _ value: Int, in range: ClosedRange<Int>) throws {
        try require(range.contains(value), "\(name) must be \(range.lowerBound) to \(range.upperBound), not \(value)")
    }

    /// Checks a time to wait.
    ///
    /// - Throws: ``StorageError/unsupported(_:)`` when the duration is negative.
    public func require(_ name: String, _ timeout: Duration) throws {
        try require(timeout >= .zero, "\(name) must be 0 or more, not \(timeout)")
    }

    /// Checks what is no number.
    ///
    /// - Throws: ``StorageError/unsupported(_:)`` with the message unless the condition holds.
    public func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        guard !condition else { return }
        throw StorageError.unsupported(.init(engine: engine, path: path, message: message()))
    }
}
