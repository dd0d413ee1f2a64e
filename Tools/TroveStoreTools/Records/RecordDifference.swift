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
        let others = Self.pairs(after, before).filter { pair in
            guard let now = pair.first, let known = pair.second else { return true }
            return !known.isIdentical(to: now)
        }
        self.before = others.map { ($0.name, $0.second ?? .null) }
        self.after = others.map { ($0.name, $0.first ?? .null) }
    }

    /// The values that two have by one name, in the order of the first, with those that only the second has behind, by their names. Names are one when they have
    /// the same bytes: Swift takes some for equal that a document does not.
    package static func pairs(
        _ first: [(name: String, value: StoredValue)], _ second: [(name: String, value: StoredValue)]
    ) -> [(name: String, first: StoredValue?, second: StoredValue?)] {
        let order = second.indices.sorted { left, right in second[left].name.utf8.lexicographicallyPrecedes(second[right].name.utf8) }
        var isPaired = [Bool](repeating: false, count: order.count)
        let pairs = first.map { name, value -> (name: String, first: StoredValue?, second: StoredValue?) in
            var (low, high) = (0, order.count)
            while low < high {
                let middle = (low + high) / 2
                if second[order[middle]].name.utf8.lexicographicallyPrecedes(name.utf8) { low = middle + 1 } else { high = middle }
            }
            guard low < order.count, second[order[low]].name.utf8.elementsEqual(name.utf8) else { return (name, value, nil) }
            isPaired[low] = true
            return (name, value, second[order[low]].value)
        }
        return pairs + zip(order, isPaired).compactMap { place, isPaired in isPaired ? nil : (second[place].name, nil, second[place].value) }
    }

    /// Values by their names. A damaged catalogue may have a name twice, and of names in other scalars, which are one here, one has the value and the other nil.
    package static func byName(_ values: [(name: String, value: StoredValue)]) -> [String: StoredValue] {
        Dictionary(values.map { ($0.name, $0.value) }, uniquingKeysWith: { first, second in first == .null ? second : first })
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
