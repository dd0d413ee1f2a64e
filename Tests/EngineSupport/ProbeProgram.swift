import Foundation

/// The second process of tests: `StoreProbe`, started with arguments, which does one thing and ends. `ProbeCommand` in `ProbeKit` says what.
public enum ProbeProgram {
    /// The probe ended in another way than with a line.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// Starts a probe with arguments and waits for its end.
    ///
    /// - Returns: the line that the probe printed: empty when all went well, otherwise the name of a `StorageError`.
    /// - Throws: ``Failure``, or ``ProgramBesideTests/Missing``.
    public static func run(_ arguments: [String]) throws -> String {
        let (status, printed) = try Tool(at: ProgramBesideTests.named("StoreProbe")).run(arguments, includesErrors: false)
        guard status == 0 else { throw Failure(description: "the probe ended with \(status) for \(arguments)") }
        return printed.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
