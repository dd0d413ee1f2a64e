/// What is asked of a text. The text sought has no patterns in it: every character stands for itself.
public enum TextTest: String, Sendable, Hashable, CaseIterable {
    case hasPrefix = "begins with"
    case hasSuffix = "ends with"
    case contains = "contains"
}
