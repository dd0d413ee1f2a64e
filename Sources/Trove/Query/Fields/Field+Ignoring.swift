/// Texts compared without their case, their accents or both: `$0.name.contains("sao paulo", ignoring: [.case, .diacritics])`.
///
/// The foldings of both texts are compared, as ``TextFolding`` says. A test of nil is false.
extension Field where Value: TextValue {
    /// Whether the text begins with another, but for what is ignored.
    public func hasPrefix(_ prefix: String, ignoring: TextFolding) -> Condition {
        condition { .text($0, .hasPrefix, .value(.string(prefix)), ignoring: ignoring) }
    }

    /// Whether the text ends with another, but for what is ignored.
    public func hasSuffix(_ suffix: String, ignoring: TextFolding) -> Condition {
        condition { .text($0, .hasSuffix, .value(.string(suffix)), ignoring: ignoring) }
    }

    /// Whether the text contains another, but for what is ignored.
    ///
    /// ```swift
    /// store.fetch(Place.self).where { $0.name.contains("cafe", ignoring: [.case, .diacritics]) }
    /// ```
    ///
    /// It looks at every object that passes the other conditions, unless the property has `@Attribute(.substring(ignoresDiacritics: true))`.
    public func contains(_ part: String, ignoring: TextFolding) -> Condition {
        condition { .text($0, .contains, .value(.string(part)), ignoring: ignoring) }
    }

    /// Whether the text begins with the text of another field, but for what is ignored.
    public func hasPrefix(_ prefix: Field<some TextValue>, ignoring: TextFolding) -> Condition {
        condition(prefix) { .text($0, .hasPrefix, $1, ignoring: ignoring) }
    }

    /// Whether the text ends with the text of another field, but for what is ignored.
    public func hasSuffix(_ suffix: Field<some TextValue>, ignoring: TextFolding) -> Condition {
        condition(suffix) { .text($0, .hasSuffix, $1, ignoring: ignoring) }
    }

    /// Whether the text contains the text of another field, but for what is ignored.
    public func contains(_ part: Field<some TextValue>, ignoring: TextFolding) -> Condition {
        condition(part) { .text($0, .contains, $1, ignoring: ignoring) }
    }

    /// Whether the text equals another, but for what is ignored; an index of it that ignores the same finds it.
    public func equals(_ text: String, ignoring: TextFolding) -> Condition {
        condition { .comparison($0, .equal, .value(.string(text)), ignoring: ignoring) }
    }

    /// Whether the text equals the text of another field, but for what is ignored.
    public func equals(_ other: Field<some TextValue>, ignoring: TextFolding) -> Condition {
        condition(other) { .comparison($0, .equal, $1, ignoring: ignoring) }
    }

    /// Whether the text is in a list, but for what is ignored.
    public func isIn(_ texts: some Sequence<String>, ignoring: TextFolding) -> Condition {
        condition { .membership($0, texts.map { .string($0) }, ignoring: ignoring) }
    }
}

/// The same of attributes of documents; false where the value is no text.
extension Field where Value == StoredValue {
    /// Whether the value is a text with this prefix, but for what is ignored.
    public func hasPrefix(_ text: String, ignoring: TextFolding) -> Condition { tested(.hasPrefix, text, ignoring) }

    /// Whether the value is a text with this suffix, but for what is ignored.
    public func hasSuffix(_ text: String, ignoring: TextFolding) -> Condition { tested(.hasSuffix, text, ignoring) }

    /// Whether the value is a text that contains another, but for what is ignored.
    public func contains(text: String, ignoring: TextFolding) -> Condition { tested(.contains, text, ignoring) }

    /// Whether the value is a text that equals another, but for what is ignored.
    public func equals(_ text: String, ignoring: TextFolding) -> Condition {
        condition { .comparison($0, .equal, .value(.string(text)), ignoring: ignoring) }
    }

    /// Whether the value is a text of a list, but for what is ignored.
    public func isIn(_ texts: some Sequence<String>, ignoring: TextFolding) -> Condition {
        condition { .membership($0, texts.map { .string($0) }, ignoring: ignoring) }
    }

    private func tested(_ test: TextTest, _ text: String, _ ignoring: TextFolding) -> Condition {
        condition { .text($0, test, .value(.string(text)), ignoring: ignoring) }
    }
}
