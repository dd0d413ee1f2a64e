/// A requirement that an engine did not meet.
public struct SpecificationFailure: Error, Sendable, CustomStringConvertible {
    /// The name of the case.
    public let caseName: String
    /// The name of the engine's factory.
    public let engine: String
    /// The expectation.
    public let expectation: String
    /// The result.
    public let found: String
    /// The file of the check that failed, as `#fileID` gives it.
    public let file: String
    /// The line of the check that failed.
    public let line: Int
    /// Whether a case, or a thread of it, did not come to its end in time: the engine hangs, or the machine is too slow.
    public internal(set) var isTimeOut = false

    public var description: String {
        "\(engine), \(caseName): expected \(expectation); found \(found) (\(file):\(line))"
    }
}
