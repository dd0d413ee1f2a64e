import Foundation

/// Sums and averages the numbers at a path.
final class SumColumn: AggregateColumn {
    private let reader: FieldReader
    private let model: String
    private let path: FieldPath
    private let isAverage: Bool
    private var sums: [NumberSum] = []

    /// - Throws: ``TroveError/incomparable(model:path:reason:)`` when the values are no numbers.
    init(_ reader: FieldReader, model: String, path: FieldPath, isAverage: Bool) throws {
        if let type = reader.type, !type.isNumber {
            throw TroveError.incomparable(model: model, path: path.description, reason: "\(type.shownInErrors.withArticle) cannot be added up")
        }
        self.reader = reader
        self.model = model
        self.path = path
        self.isAverage = isAverage
    }

    func add(_ record: RecordView, to group: Int) throws {
        sums.extend(to: group, with: NumberSum())
        let value = try reader.value(record)
        guard sums[group].add(value) else { throw failure(value) }
    }

    func result(of group: Int) throws -> StoredValue {
        let sum = group < sums.count ? sums[group] : NumberSum()
        if isAverage { return sum.average.map { .double($0) } ?? .null }
        guard let total = sum.total(ofType: reader.type) else { throw TroveError.sumOverflow(model: model, path: path.description) }
        return total
    }

    private func failure(_ value: StoredValue) -> TroveError {
        if case .decimal = value { return .sumOverflow(model: model, path: path.description) }
        return .incomparable(model: model, path: path.description, reason: "the \(value.kind) cannot be added up")
    }
}

extension FieldType {
    /// Whether values of the type, or of what it wraps, can be added up.
    var isNumber: Bool {
        switch unwrapped {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double, .decimal: true
        default: false
        }
    }
}
