/// A language whose word endings a full-text index can take off.
public enum StemmingLanguage: String, Sendable, Hashable, CaseIterable {
    /// English, by Porter's second algorithm (Snowball's "english").
    case english
}
