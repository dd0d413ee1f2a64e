import Foundation

/// Every character of the text sought stands for itself: there are no patterns but in ``matches(_:ignoringCase:)``. Ignoring case compares the full
/// Unicode case foldings. A test of nil is false.
extension Field where Value: TextValue {
    /// Whether the text begins with another.
    public func hasPrefix(_ prefix: String, ignoringCase: Bool = false) -> Condition {
        condition { .text($0, .hasPrefix, .value(.string(prefix)), ignoringCase: ignoringCase) }
    }

    /// Whether the text ends with another.
    public func hasSuffix(_ suffix: String, ignoringCase: Bool = false) -> Condition {
        condition { .text($0, .hasSuffix, .value(.string(suffix)), ignoringCase: ignoringCase) }
    }

    /// Whether the text contains another.
    public func contains(_ part: String, ignoringCase: Bool = false) -> Condition {
        condition { .text($0, .contains, .value(.string(part)), ignoringCase: ignoringCase) }
    }

    /// Whether the text begins with the text of another field.
    public func hasPrefix(_ prefix: Field<some TextValue>, ignoringCase: Bool = false) -> Condition {
        condition(prefix) { .text($0, .hasPrefix, $1, ignoringCase: ignoringCase) }
    }

    /// Whether the text ends with the text of another field.
    public func hasSuffix(_ suffix: Field<some TextValue>, ignoringCase: Bool = false) -> Condition {
        condition(suffix) { .text($0, .hasSuffix, $1, ignoringCase: ignoringCase) }
    }

    /// Whether the text contains the text of another field.
    public func contains(_ part: Field<some TextValue>, ignoringCase: Bool = false) -> Condition {
        condition(part) { .text($0, .contains, $1, ignoringCase: ignoringCase) }
    }

    /// Whether the text contains words, by a full-text index of it: `$0.title.hasWords("autumn lea* NOT live")`.
    ///
    /// The words are written as ``FullTextQuery/init(_:)`` reads them. A query that is badly written, or of a property without a full-text index, throws
    /// when it runs.
    ///
    /// - Parameter blank: What text without a single word, as an empty search box has it, means.
    public func hasWords(_ words: String, ifBlank blank: BlankSearch = .isError) -> Condition {
        condition { (operand) throws(TroveError) in
            guard case .path(let path) = operand else { throw TroveError.invalidQuery(reason: "words are sought in a property") }
            return try blank.filter(words, path)
        }
    }

    /// Whether the text equals another; with `ignoringCase: false` the same as `==`.
    public func equals(_ text: String, ignoringCase: Bool) -> Condition {
        condition { .comparison($0, .equal, .value(.string(text)), ignoringCase: ignoringCase) }
    }

    /// Whether the text equals the text of another field.
    public func equals(_ other: Field<some TextValue>, ignoringCase: Bool) -> Condition {
        condition(other) { .comparison($0, .equal, $1, ignoringCase: ignoringCase) }
    }

    /// Whether the text is in a list.
    public func isIn(_ texts: some Sequence<String>, ignoringCase: Bool) -> Condition {
        condition { .membership($0, texts.map { .string($0) }, ignoringCase: ignoringCase) }
    }

    /// Whether a part of the text matches a regular expression; `docs/search.md` has the syntax.
    ///
    /// A pattern that is not well formed makes the query throw ``TroveError/invalidRegularExpression(pattern:reason:)``.
    public func matches(_ pattern: String, ignoringCase: Bool = false) -> Condition {
        condition { .matches($0, pattern: pattern, ignoringCase: ignoringCase) }
    }

    /// Whether the text is empty; false for nil.
    public var isEmpty: Condition {
        condition { .comparison($0, .equal, .value(.string(""))) }
    }
}

/// The meaning of a word search without words, such as the text of an empty search box or one of punctuation alone: `"!!!"`, `"*"`, `")"`.
///
/// ```swift
/// store.fetch(Song.self).where { $0.title.hasWords(searchBox.text, ifBlank: .findsAll) }
/// ```
///
/// Text that has words and is badly written, such as `"blue AND"`, is an error whatever is said here.
public enum BlankSearch: Sendable, Hashable {
    /// The query throws ``TroveError/invalidFullTextQuery(text:position:reason:)``, unless the text is well formed: `"!!!"`
    /// finds nothing, as ``FullTextQuery`` says.
    case isError
    /// The search finds no object.
    case findsNothing
    /// The condition is true of every object.
    case findsAll

    func filter(_ words: String, _ path: FieldPath?) throws(TroveError) -> Filter {
        let query = FullTextQuery.reading(words)
        if self != .isError {
            // What cannot be read may have no word either.
            let hasWord = if case .success(let query) = query { query.hasWord } else { WordAnalyzer.findsWord(in: words) }
            if !hasWord { return .constant(self == .findsAll) }
        }
        return .fullText(try query.get(), path)
    }
}

/// A type that is stored as text: `String`, `URL` and their optionals.
public protocol TextValue: Storable {}

extension String: TextValue {}
extension URL: TextValue {}
extension Optional: TextValue where Wrapped: TextValue {}
