// What one may write first, out of habit; the compiler says what there is instead.

extension Field where Value: TextValue {
    @available(*, unavailable, message: "a condition does not change texts; ignore the case where you compare: equals(\"x\", ignoringCase: true), and so in hasPrefix, hasSuffix, contains, isIn and matches")
    public func lowercased() -> Field<String> { Field<String>(path: path) }

    @available(*, unavailable, message: "a condition does not change texts; ignore the case where you compare: equals(\"x\", ignoringCase: true), and so in hasPrefix, hasSuffix, contains, isIn and matches")
    public func uppercased() -> Field<String> { Field<String>(path: path) }

    @available(*, unavailable, renamed: "hasPrefix(_:ignoringCase:)")
    public func starts(with prefix: String) -> Condition { hasPrefix(prefix) }
}
