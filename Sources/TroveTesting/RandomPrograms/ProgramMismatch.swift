/// An answer in a program's run that is not the expected one.
public struct ProgramMismatch: Error, Sendable, CustomStringConvertible {
    /// The step, and the operation in it.
    public let place: String
    /// What was found, and what was expected.
    public let difference: String

    /// Tells what is wrong, and where.
    public init(place: String, difference: String) {
        self.place = place
        self.difference = difference
    }

    public var description: String { "\(place): \(difference)" }
}
