extension FullTextQuery {
    /// The query that a line of text says.
    ///
    /// ```swift
    /// try FullTextQuery("\"autumn leaves\" AND bill* NOT live title:blue")
    /// ```
    ///
    /// | text | finds |
    /// |---|---|
    /// | `blue train` or `blue AND train` | both words |
    /// | `blue OR green` | one of them; binds less than AND |
    /// | `NOT live` or `-live` | what the rest does not find |
    /// | `"autumn leaves"` | the words one after the other |
    /// | `bill*`, `"bill ev"*` | a word that begins so; a phrase whose last word does |
    /// | `title:blue`, `title:(blue train)` | in that field |
    /// | `( … )` | a part of its own |
    ///
    /// Operators are written in capitals. Every other character means itself, or separates words.
    ///
    /// - Throws: ``TroveError/invalidFullTextQuery(text:position:reason:)`` with the place and what was expected there.
    public init(_ text: String) throws {
        var parser = FullTextQueryParser(text)
        self = try parser.parse()
    }

    /// The query, or what is wrong with the text.
    static func reading(_ text: String) -> Result<FullTextQuery, TroveError> {
        do {
            return .success(try FullTextQuery(text))
        } catch let error as TroveError {
            return .failure(error)
        } catch {
            return .failure(.invalidQuery(reason: "\(error)"))
        }
    }
}
