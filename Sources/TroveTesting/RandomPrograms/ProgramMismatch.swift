/// An answer of a program's run that differs from the expected one.
public struct ProgramMismatch: Error, Sendable, CustomStringConvertible {
    /// The step, and the operation in it.
    public let place: String
    /// What was found, and what was expected.
    public let difference: String

    /// Creates a mismatch.
    public init(place: String, difference: String) {
        self.place = place
        self.difference = difference
    }

    public var description: String { "\(place): \(difference)" }
}
