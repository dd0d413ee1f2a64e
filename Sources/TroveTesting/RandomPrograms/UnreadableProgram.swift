/// The reason why the text of a program cannot be read.
public struct UnreadableProgram: Error, CustomStringConvertible {
    /// The line's number, from 1; nil when the whole text is meant.
    public let line: Int?
    let reason: String

    public var description: String { line.map { "line \($0) of the program: \(reason)" } ?? "the program: \(reason)" }
}
