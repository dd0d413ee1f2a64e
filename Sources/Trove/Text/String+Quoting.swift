/// Texts with quotes and separators in them, by scalars, as all readers of texts go by: in Swift's characters a mark that combines with the quote before it, as U+0301, hides it.
extension String {
    /// The text between quotes, those inside of it doubled.
    func quoted(by quote: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView([quote])
        for scalar in unicodeScalars {
            if scalar == quote { result.append(quote) }
            result.append(scalar)
        }
        result.append(quote)
        return String(result)
    }

    /// What stands between the separators, the empty texts too.
    func parts(separatedBy separator: Unicode.Scalar) -> [String] {
        unicodeScalars.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    }
}
