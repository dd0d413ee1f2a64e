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

    /// The sentence that the case checks; empty when there is no case of this name.
    public var summary: String { specificationCase?.summary ?? "" }

    /// The requirements that the case checks, such as `guarantee 1 Order`, with the number in ``StorageBackend``, or `Entries`.
    public var requirements: [String] {
        (specificationCase?.requirements ?? []).map { $0.title.first?.isNumber == true ? "guarantee \($0.title)" : $0.title }
    }

    private var specificationCase: SpecificationCase? { BackendSpecification.cases.first { $0.name == caseName } }

    /// The engine, the case, the expectation and the result; in a second line what the case checks.
    public var description: String {
        let text = "\(engine), \(caseName): expected \(expectation); found \(found) (\(file):\(line))"
        return summary.isEmpty ? text : text + "\n    \(requirements.joined(separator: ", ")): \(summary)"
    }
}
