/// How a full-text index makes words of text.
///
/// ```swift
/// FullTextOptions(stemming: .english)
/// ```
///
/// Queries are analysed with the options of the index they ask, so "Café" finds "cafe" where marks are ignored.
public struct FullTextOptions: Sendable, Hashable {
    /// The language whose endings are taken off words, so that "connections" is found as "connect"; nil for words as they are.
    public var stemming: StemmingLanguage?

    /// Whether é, e and ё, е are the same letters.
    public var ignoresDiacritics: Bool

    /// The shortest word that is kept, in Unicode scalars; at least 1. Ideographs and other words of one character are always kept.
    public var minimumWordLength: Int

    /// Whether the index keeps where words stand, which phrases need. Without, it is smaller.
    public var keepsPositions: Bool

    /// Words as they are, without marks, of any length, with positions, unless told otherwise.
    public init(
        stemming: StemmingLanguage? = nil, ignoresDiacritics: Bool = true, minimumWordLength: Int = 1, keepsPositions: Bool = true
    ) {
        self.stemming = stemming
        self.ignoresDiacritics = ignoresDiacritics
        self.minimumWordLength = minimumWordLength
        self.keepsPositions = keepsPositions
    }
}

/// A language whose word endings a full-text index can take off.
public enum StemmingLanguage: String, Sendable, Hashable, CaseIterable {
    /// English, by Porter's second algorithm (Snowball's "english").
    case english
}
