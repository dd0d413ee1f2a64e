// What one may write first, out of habit; the compiler says what there is instead.

extension Field where Value: TextValue {
    @available(*, unavailable, message: "a condition does not change texts; ignore the case where you compare: equals(\"x\", ignoringCase: true), and so in hasPrefix, hasSuffix, contains, isIn and matches")
    public func lowercased() -> Field<String> { Field<String>(path: path) }

    @available(*, unavailable, message: "a condition does not change texts; ignore the case where you compare: equals(\"x\", ignoringCase: true), and so in hasPrefix, hasSuffix, contains, isIn and matches")
    public func uppercased() -> Field<String> { Field<String>(path: path) }

    @available(*, unavailable, message: "a store knows no locale; ignore case and accents: contains(\"x\", ignoring: [.case, .diacritics])")
    public func localizedStandardContains(_ part: String) -> Condition { contains(part, ignoring: [.case, .diacritics]) }

    @available(*, unavailable, message: "a store knows no locale; ignore case: contains(\"x\", ignoringCase: true)")
    public func localizedCaseInsensitiveContains(_ part: String) -> Condition { contains(part, ignoringCase: true) }

    @available(*, unavailable, renamed: "hasPrefix(_:ignoringCase:)")
    public func starts(with prefix: String) -> Condition { hasPrefix(prefix) }
}
