/// A case that an engine is known to fail, with the reason.
public struct SpecificationDeviation: Sendable, Hashable {
    /// The name of the engine's factory.
    public let engine: String
    /// The name of the case.
    public let caseName: String
    /// The reason why the engine cannot pass it.
    public let reason: String

    /// Lists `caseName` as one that `engine` is known to fail.
    public init(engine: String, caseName: String, reason: String) {
        self.engine = engine
        self.caseName = caseName
        self.reason = reason
    }
}
