import Trove

/// In which values two states of a record differ.
package struct RecordDifference {
    /// What was there: of a new object nothing, of a deleted one all values, of a changed one those that are others now, nil for one that is new.
    package let before: [(name: String, value: StoredValue)]
    /// What is there: of a new object all values, of a changed one those that were others, nil for one that is gone.
    package let after: [(name: String, value: StoredValue)]

    /// - Parameters:
    ///   - old: the record before; nil when there was none, or nobody knows it.
    ///   - new: the record afterwards; nil when there is none.
    package init(from old: StoredRecord?, to new: StoredRecord?, of model: StoredModel) {
        let (before, after) = (old.map { Self.values(of: $0, model) } ?? [], new.map { Self.values(of: $0, model) } ?? [])
        guard old != nil, new != nil else {
            (self.before, self.after) = (before, after)
            return
        }
        let (known, present) = (Self.byName(before), Self.byName(after))
        let names = after.map(\.name).filter { name in
            guard let known = known[name], let present = present[name] else { return true }
            return !known.isSame(as: present)
        } + known.keys.filter { present[$0] == nil }.sorted()
        self.before = names.map { ($0, known[$0] ?? .null) }
        self.after = names.map { ($0, present[$0] ?? .null) }
    }

    /// Values by their names. A damaged catalogue may have a name twice.
    package static func byName(_ values: [(name: String, value: StoredValue)]) -> [String: StoredValue] {
        Dictionary(values.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The values of a record by their names, a document's by its own, without those that are nil. A lazy value that stands apart from the record is told by
    /// its size and a digest: what was there is gone when a change has been made, and may be large.
    private static func values(of record: StoredRecord, _ model: StoredModel) -> [(name: String, value: StoredValue)] {
        let names = model.isCollection ? DocumentRecord.attributes(of: record).sorted() : record.presentNames.filter { !record.isSealed($0) }
        return names.compactMap { name in
            if !model.isCollection, let apart = record.valueApart(of: name) {
                return (name, .object(["bytes": .int(Int64(apart.byteCount)), "digest": .string(apart.digest)]))
            }
            let value = model.isCollection ? DocumentRecord.attribute(name, of: record) : record[name]
            return value.flatMap { $0 == .null ? nil : (name, $0) }
        }
    }
}
