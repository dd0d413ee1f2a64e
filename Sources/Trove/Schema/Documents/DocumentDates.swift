/// The attributes in which the documents of a collection have the dates of their saves.
///
/// ```swift
/// try store.documents("notes").setDates(DocumentDates())                             // "created" and "modified"
/// try store.documents("logs").setDates(DocumentDates(creation: "at", modification: nil))
/// ```
///
/// The creation date is that of the first save, and later saves leave it as it is; the modification date is that of the last save that changed something. See
/// ``AttributeOption/creationDate``. A document that is no more than a text, a number or a list has no dates.
public struct DocumentDates: Sendable, Hashable {
    /// The name of the attribute with the date of the first save; nil for none.
    public var creation: String?
    /// The name of the attribute with the date of the last save that changed something; nil for none.
    public var modification: String?

    public init(creation: String? = "created", modification: String? = "modified") {
        self.creation = creation
        self.modification = modification
    }

    /// No dates.
    public static let none = DocumentDates(creation: nil, modification: nil)
}

extension DocumentDates {
    /// What the catalogue keeps of it.
    var stored: StoredValue {
        var values: [String: StoredValue] = [:]
        if let creation { values["creation"] = .string(creation) }
        if let modification { values["modification"] = .string(modification) }
        return .object(values)
    }

    /// nil when a part is not what it should be.
    init?(stored value: StoredValue) {
        guard case .object = value else { return nil }
        self = .none
        for (name, part) in [("creation", \DocumentDates.creation), ("modification", \.modification)] {
            switch value.value(at: DocumentPath([.name(name)])) {
            case nil: break
            case .string(let attribute)?: self[keyPath: part] = attribute
            default: return nil
            }
        }
    }
}
