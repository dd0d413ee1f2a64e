/// The rules by which a full-text index splits text into words.
///
/// ```swift
/// FullTextOptions(stemming: .english)
/// ```
///
/// Queries are analysed with the options of the index they ask, so "Café" finds "cafe" where marks are ignored.
public struct FullTextOptions: Sendable, Hashable {
    /// The language whose word endings are removed, so that "connections" is found as "connect"; nil to keep words as they are.
    public var stemming: StemmingLanguage?

    /// Whether accents are ignored, so that é and e, ё and е are the same letters.
    public var ignoresDiacritics: Bool

    /// The shortest word that is kept, in Unicode scalars; at least 1. Ideographs and other words of one character are always kept.
    public var minimumWordLength: Int

    /// Whether the index keeps the positions of words, which phrases need. Without, it is smaller.
    public var keepsPositions: Bool

    /// Creates options; by default words have no accents and no stemming, any length, and positions.
    public init(
        stemming: StemmingLanguage? = nil, ignoresDiacritics: Bool = true, minimumWordLength: Int = 1, keepsPositions: Bool = true
    ) {
        self.stemming = stemming
        self.ignoresDiacritics = ignoresDiacritics
        self.minimumWordLength = minimumWordLength
        self.keepsPositions = keepsPositions
    }
}

/// A language whose word endings a full-text index can remove.
public enum StemmingLanguage: String, Sendable, Hashable, CaseIterable {
    /// English, by Porter's second algorithm (Snowball's "english").
    case english
}
