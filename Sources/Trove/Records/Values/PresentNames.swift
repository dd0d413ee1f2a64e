/// Where a record of an older layout has properties that its model has under other names now: those that were renamed, and all
/// of a document that the model has adopted.
struct PresentNames: Sendable {
    enum Place: Sendable {
        /// The field at this position of the record's layout.
        case field(Int)
        /// The value that the field at this position, a nested one, has under a name, as a property of this type has it.
        case member(Int, MemberName, type: FieldType)
    }

    static let none = PresentNames(places: [:], renamed: [:])

    /// By the names of the model that are no names of the record's layout.
    let places: [String: Place]
    /// The model's names of fields of the record's layout, by their positions, where the model has another name for one and its own for nothing.
    let renamed: [Int: String]

    /// Whether the record is a document that the model has adopted.
    var areMembers: Bool { places.values.contains { if case .member = $0 { true } else { false } } }
}

/// What a property is called in a document that its model has adopted: by its name, or by its original one where the document
/// has nothing under its name, not even nil.
@usableFromInline struct MemberName: Sendable, Hashable {
    let present: String
    let original: String?

    /// The name that a document uses.
    func used(in members: StoredFields) -> String {
        guard let original, members.value(named: present) == nil, members.value(named: original) != nil else { return present }
        return original
    }
}

extension StoredRecord {
    /// The names that its model has now for the fields of the record; of a document that the model has adopted, for what is in it.
    package var presentNames: [String] {
        if names.areMembers { return names.places.keys.filter { self[$0] != nil }.sorted { $0.precedesInBytes($1) } }
        return names.renamed.isEmpty ? fieldNames : fieldNames.indices.map { names.renamed[$0] ?? fieldNames[$0] }
    }

    /// Whether a field is encrypted and could not be opened.
    package func isSealed(_ field: String) -> Bool {
        if case .field(let position)? = place(of: field) { sealedFields.contains(fieldNames[position]) } else { false }
    }
}
