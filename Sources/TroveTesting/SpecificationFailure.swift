/// A guarantee that an engine did not keep.
public struct SpecificationFailure: Error, Sendable, CustomStringConvertible {
    /// The name of the case.
    public let caseName: String
    /// The name of the engine's factory.
    public let engine: String
    /// What should have been.
    public let expectation: String
    /// What was.
    public let found: String
    /// The file of the check that failed, as `#fileID` gives it.
    public let file: String
    /// The line of the check that failed.
    public let line: Int

    public var description: String {
        "\(engine), \(caseName): expected \(expectation); found \(found) (\(file):\(line))"
    }
}
