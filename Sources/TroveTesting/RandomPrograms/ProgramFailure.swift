/// A random program that did not go as it should, made short.
public struct ProgramFailure: Error, Sendable, CustomStringConvertible {
    /// What kind of program it is, as the tester names it.
    public let program: String
    /// The engine, or engines, that the program went wrong on.
    public let subject: String
    /// The seed that the whole program comes from; nil for one that was written down.
    public let seed: UInt64?
    /// What went wrong when the short program ran.
    public let reason: String
    /// What went wrong when the whole program ran.
    public let firstReason: String
    /// The short program, one step a line, as ``ProgramText`` reads it.
    public let text: String
    /// The number of steps of the short program.
    public let stepCount: Int
    /// The number of steps of the whole program.
    public let originalStepCount: Int
    /// How often a program was run to make it short.
    public let runs: Int

    public var description: String {
        let origin = seed.map { "seed \($0)" } ?? "a program that was written down"
        return """
            \(program), \(subject), \(origin): \(reason)
            first found as: \(firstReason)
            \(stepCount) of \(originalStepCount) steps are left after \(runs) runs:
            \(text)
            """
    }
}
