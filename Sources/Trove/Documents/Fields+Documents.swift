import Foundation

/// Attributes in conditions: `$0["author.name"] == "Ann"`.
extension Fields where Object == Document {
    /// The attribute at a path.
    public subscript(path: DocumentPath) -> Field<StoredValue> { Field(path: path.fieldPath(from: nil)) }

    /// The id of the document.
    public var id: Field<ObjectID> { Field(path: .documentID) }

    /// The name of the document's class.
    public var className: Field<String?> { Field(path: FieldPath(field: DocumentField.className)) }

    /// The values with a name at any depth, and the elements of those that are arrays.
    ///
    /// ```swift
    /// notes.fetch { $0.anywhere("name").contains("Ann") }
    /// notes.fetch { $0.anywhere("price").any { $0 > 5 } }
    /// ```
    public func anywhere(_ name: String) -> Members<StoredValue> {
        Members(path: FieldPath.document.appending(name), part: .depth, scope: nil, problem: nil)
    }

    /// All values inside of the document, at any depth.
    public var anywhere: Members<StoredValue> { Members(path: .document, part: .descendants, scope: nil, problem: nil) }
}

extension Field where Value == StoredValue {
    /// The value at a path inside this one: of an element, say.
    public subscript(path: DocumentPath) -> Field<StoredValue> {
        Field(path: path.fieldPath(from: self.path), scope: scope, problem: problem)
    }

    /// Whether one of the elements of the array equals a value.
    public func contains(_ element: some Storable) -> Condition { members(.elements).contains(element) }

    /// Whether one of the elements of the array passes a condition; false for nil and for a value that is no array.
    public func any(_ condition: (Field<StoredValue>) -> some ConditionConvertible) -> Condition { members(.elements).any(condition) }

    /// Whether all elements of the array pass a condition.
    public func all(_ condition: (Field<StoredValue>) -> some ConditionConvertible) -> Condition { members(.elements).all(condition) }

    /// Whether none of the elements of the array passes a condition.
    public func none(_ condition: (Field<StoredValue>) -> some ConditionConvertible) -> Condition { members(.elements).none(condition) }

    /// Whether the attribute has a value other than nil.
    public var exists: Condition { condition { _ in .not(.isNil(self.path)) } }
}

extension Members where Element == StoredValue {
    /// Whether one of the members equals a value.
    public func contains(_ element: some Storable) -> Condition { any { $0 == element } }
}

/// A variable of any type that is stored stands on the right as literals do.
extension Field where Value == StoredValue {
    /// Whether the attribute equals the value.
    public static func == (field: Field, value: some Storable) -> Condition { field.compared(.equal, with: value) }
    /// Whether the attribute has another value, or none.
    public static func != (field: Field, value: some Storable) -> Condition { field.compared(.notEqual, with: value) }
    /// Whether the attribute is less than the value.
    public static func < (field: Field, value: some Storable) -> Condition { field.compared(.less, with: value) }
    /// Whether the attribute is the value or less.
    public static func <= (field: Field, value: some Storable) -> Condition { field.compared(.lessOrEqual, with: value) }
    /// Whether the attribute is greater than the value.
    public static func > (field: Field, value: some Storable) -> Condition { field.compared(.greater, with: value) }
    /// Whether the attribute is the value or greater.
    public static func >= (field: Field, value: some Storable) -> Condition { field.compared(.greaterOrEqual, with: value) }

    /// Whether the attribute is nil or missing.
    public static func == (field: Field, nothing: _OptionalNilComparisonType) -> Condition { field.condition { _ in .isNil(field.path) } }
    /// Whether the attribute has a value.
    public static func != (field: Field, nothing: _OptionalNilComparisonType) -> Condition { field.exists }

    /// Whether the value is between two values, both included.
    public func isBetween(_ lower: some Storable, and upper: some Storable) -> Condition { self >= lower && self <= upper }

    /// Whether the value is one of several, of any types.
    public func isIn(_ values: some Sequence<StoredValue>) -> Condition { condition { .membership($0, Array(values)) } }

    /// Whether the value is one of several.
    ///
    /// Ranges, of which many are sequences too, come to their own methods.
    @_disfavoredOverload
    public func isIn(_ values: some Sequence<some Storable>) -> Condition {
        condition { operand throws(TroveError) in
            var list: [StoredValue] = []
            for value in values { list.append(try StoredValue(comparing: value)) }
            return .membership(operand, list)
        }
    }

    private func compared(_ comparison: Comparison, with value: some Storable) -> Condition {
        condition { operand throws(TroveError) in
            let value = try StoredValue(comparing: value)
            return switch (value, comparison) {
            case (.null, .equal): .isNil(path)
            case (.null, .notEqual): .not(.isNil(path))
            default: .comparison(operand, comparison, .value(value))
            }
        }
    }

    /// Whether the value is a text with this prefix.
    public func hasPrefix(_ text: String, ignoringCase: Bool = false) -> Condition { tested(.hasPrefix, text, ignoringCase) }
    /// Whether the value is a text with this suffix.
    public func hasSuffix(_ text: String, ignoringCase: Bool = false) -> Condition { tested(.hasSuffix, text, ignoringCase) }
    /// Whether the value is a text that contains another.
    public func contains(text: String, ignoringCase: Bool = false) -> Condition { tested(.contains, text, ignoringCase) }

    private func tested(_ test: TextTest, _ text: String, _ ignoringCase: Bool) -> Condition {
        condition { operand in .text(operand, test, .value(.string(text)), ignoringCase: ignoringCase) }
    }

    /// Whether the value is a text with a part that matches a regular expression.
    public func matches(_ pattern: String, ignoringCase: Bool = false) -> Condition {
        condition { operand in .matches(operand, pattern: pattern, ignoringCase: ignoringCase) }
    }

    /// Whether the text contains words, by a full-text index that has the path as a field of its own: `$0["title"].hasWords("fjord north*")`.
    ///
    /// The words are written as ``FullTextQuery/init(_:)`` reads them. A path that is no field of a full-text index makes the query throw
    /// ``TroveError/invalidQuery(reason:)`` when it runs.
    ///
    /// - Parameter blank: What text without a single word, as an empty search box has it, means.
    public func hasWords(_ words: String, ifBlank blank: BlankSearch = .isError) -> Condition {
        condition { _ throws(TroveError) in try blank.filter(words, path) }
    }

    /// Whether the value is a whole number that is a multiple of another.
    public func isMultiple(of factor: Int128) -> Condition {
        condition { _ in .isMultiple(path, of: factor) }
    }

    /// Whether the value is a text that equals another.
    public func equals(_ text: String, ignoringCase: Bool) -> Condition {
        condition { operand in .comparison(operand, .equal, .value(.string(text)), ignoringCase: ignoringCase) }
    }
}

extension Field where Value == StoredValue {
    /// Whether the value is a date in an interval, of which the end is not a part.
    public func isIn(_ interval: DateInterval) -> Condition { self >= interval.start && self < interval.end }

    /// Whether the value is a date in the same day, month, year or other unit as another, by a calendar and its time zone.
    ///
    /// The query throws ``TroveError/invalidQuery(reason:)`` when the calendar has no such unit.
    public func isInSame(_ unit: Calendar.Component, as date: Date, by calendar: Calendar = .current) -> Condition {
        isInUnit(unit, date, calendar) { isIn($0) }
    }
}
