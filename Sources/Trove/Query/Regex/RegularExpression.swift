import Synchronization

/// A regular expression, compiled once, that tells in one pass over a text whether a part of it matches.
final class RegularExpression: Sendable {
    /// One thread at a time carries it out.
    private let machine: Mutex<RegexMachine>

    /// - Throws: ``TroveError/invalidRegularExpression(pattern:reason:)``.
    init(_ pattern: String, ignoringCase: Bool) throws {
        do {
            var parser = RegexParser(pattern, ignoringCase: ignoringCase)
            machine = Mutex(RegexMachine(try RegexProgram(parser.whole())))
        } catch let mistake as RegexMistake {
            throw TroveError.invalidRegularExpression(pattern: pattern, reason: mistake.reason)
        }
    }

    /// Whether a part of the text, which is UTF-8, matches. `check` is called now and then, to throw when nobody waits for the answer.
    ///
    /// - Complexity: O(*n*) in the bytes of the text.
    func matches(_ text: UnsafeRawBufferPointer, check: () throws -> Void = {}) throws -> Bool {
        try machine.withLock { try $0.matches(text.assumingMemoryBound(to: UInt8.self), check) }
    }
}
