/// A random program that failed, in its shortest form.
public struct ProgramFailure: Error, Sendable, CustomStringConvertible {
    /// The kind of the program, as the tester names it.
    public let program: String
    /// The engine or engines on which the program failed.
    public let subject: String
    /// The seed of the whole program; nil for one that was written by hand.
    public let seed: UInt64?
    /// The failure of the short program.
    public let reason: String
    /// The failure of the whole program.
    public let firstReason: String
    /// The short program, one step a line, as ``ProgramText`` reads it.
    public let text: String
    /// The number of steps of the short program.
    public let stepCount: Int
    /// The number of steps of the whole program.
    public let originalStepCount: Int
    /// The number of runs that it took to shorten the program.
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
