import Synchronization

/// A regular expression, compiled once.
///
/// `Regex` is not `Sendable`, as it may hold any code; this one is made of a pattern's text alone, and used by one thread at a time.
final class RegularExpression: Sendable {
    private let regex: Mutex<Regex<AnyRegexOutput>>
    private let pattern: String

    /// - Throws: ``TroveError/invalidRegularExpression(pattern:reason:)``.
    init(_ pattern: String, ignoringCase: Bool) throws {
        self.pattern = pattern
        do {
            regex = Mutex(try Regex(pattern).ignoresCase(ignoringCase))
        } catch {
            throw TroveError.invalidRegularExpression(pattern: pattern, reason: "\(error)")
        }
    }

    /// Whether a part of the text matches.
    ///
    /// - Throws: ``TroveError/invalidRegularExpression(pattern:reason:)`` when the expression cannot be carried out.
    func matches(_ text: String) throws -> Bool {
        do {
            return try regex.withLock { try $0.firstMatch(in: text) != nil }
        } catch {
            throw TroveError.invalidRegularExpression(pattern: pattern, reason: "\(error)")
        }
    }
}
