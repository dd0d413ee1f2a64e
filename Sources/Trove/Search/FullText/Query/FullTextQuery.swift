/// What to look for in texts.
///
/// ```swift
/// let query: FullTextQuery = .all([.phrase("autumn leaves"), .prefix("bill"), .not(.word("live"))])
/// let same = try FullTextQuery("\"autumn leaves\" bill* NOT live")
/// ```
///
/// The words of a query are analysed like those of the texts: case never matters, marks and endings as the index's options say. A
/// `word` of which analysis makes several, such as `"well-known"`, is a phrase of them; one of which it makes none, such as
/// `"&"`, is left out of the query, and a query of nothing else finds nothing.
public indirect enum FullTextQuery: Sendable, Hashable {
    /// Texts with this word.
    case word(String)
    /// Texts with a word that begins like this. Where the index stems, the stems are what begins like this.
    case prefix(String)
    /// Texts with these words one after the other.
    case phrase(String)
    /// Texts that all of these find.
    case all([FullTextQuery])
    /// Texts that one of these finds.
    case any([FullTextQuery])
    /// Objects that this does not find.
    case not(FullTextQuery)
    /// What the query finds in the field with this name alone.
    case field(String, FullTextQuery)
}
