/// A regular expression as it was written, in parts.
///
/// Only whether a text has a part that matches is asked, so that groups capture nothing, and how eager a quantifier is makes no difference.
indirect enum RegexSyntax {
    case empty
    case scalar(ScalarSet)
    case assertion(RegexAssertion)
    case sequence([RegexSyntax])
    case choice([RegexSyntax])
    /// `most` is nil where there is no bound.
    case repetition(RegexSyntax, least: Int, most: Int?)
}

/// A condition on a place in a text, which takes no scalar.
enum RegexAssertion: UInt8 {
    case textStart, textEnd
    /// The end, or before a newline that is the last scalar.
    case lastLineEnd
    case lineStart, lineEnd
    case wordBoundary, noWordBoundary
}

/// Why a text is no regular expression of the kind that can be carried out, and what to do about it.
struct RegexMistake: Error {
    let reason: String
}
