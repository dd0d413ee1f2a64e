/// Whether any, all or none of the members of a collection pass a condition.
final class QuantifierNode: FilterNode {
    private let quantifier: Quantifier
    private let collection: FieldReader
    private let part: CollectionPart
    private let condition: FilterProgram
    let cost: Int

    init(_ quantifier: Quantifier, _ collection: FieldReader, _ part: CollectionPart, _ condition: FilterTree) {
        self.quantifier = quantifier
        self.collection = collection
        self.part = part
        self.condition = FilterProgram(condition)
        cost = collection.access.cost + 4 * (condition.cost + 20)
    }

    func matches(_ record: RecordView) throws -> Bool {
        try collection.access.withValue(in: record) { value in
            guard case .container(let container) = value else { return quantifier != .any }
            // All pass exactly when none fails.
            let sought = quantifier != .all
            var isFound = false
            try container.forEachMember(part) { member in
                isFound = try condition.matches(record.looking(at: member)) == sought
                return !isFound
            }
            return isFound == (quantifier == .any)
        }
    }
}
