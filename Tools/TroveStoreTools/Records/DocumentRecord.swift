import Trove

/// How a document lies in its record.
package enum DocumentRecord {
    /// The field that holds the document's value.
    package static let root = "$"
    /// The field that holds the name of its class.
    package static let className = "$class"

    /// The names that a record's document has values for; the root and the class where they say something.
    package static func attributes(of record: StoredRecord) -> Set<String> {
        var names: Set<String> = []
        if let name = record[className], name != .null { names.insert(className) }
        if case .object(let values)? = record[root] { names.formUnion(values.keys) } else { names.insert(root) }
        return names
    }

    /// The value of a name; nil when there is none.
    package static func attribute(_ name: String, of record: StoredRecord) -> StoredValue? {
        guard case .object(let values)? = record[root] else { return name == root || name == className ? record[name] : nil }
        return values[name] ?? (name == className ? record[className] : nil)
    }
}

extension StoredModel {
    /// The attributes of a collection's documents; nil where its index is not ready or damaged, which is no reason to show nothing else.
    package func attributes(in transaction: ReadTransaction) throws -> [DocumentAttribute]? {
        do {
            return try transaction.documents(name).attributes()
        } catch TroveError.invalidCollection, TroveError.corruptIndex {
            return nil
        }
    }
}
