import Foundation

/// One aggregate of a query, computed for all groups at once.
///
/// A column is used by one thread at a time, and calls nothing of a caller while one of its properties is changed. The checks of exclusive access to them took
/// a third of the time of an entry of an index, so they are off.
protocol AggregateColumn: AnyObject {
    /// Counts an object in, by its value at the aggregate's path; null where the aggregate has none.
    func add(_ value: FieldValue, to group: Int) throws

    /// Counts in what another column of the same kind was given, whose groups have these numbers here.
    func add(_ other: any AggregateColumn, _ numbers: [Int]) throws

    /// The aggregate of a group; of one that no object was added to, the aggregate of nothing.
    func result(of group: Int) throws -> StoredValue
}

/// Counts objects.
final class CountColumn: AggregateColumn {
    @exclusivity(unchecked) private var counts: [Int] = []

    func add(_ value: FieldValue, to group: Int) {
        counts.extend(to: group, with: 0)
        counts[group] += 1
    }

    func add(_ other: any AggregateColumn, _ numbers: [Int]) {
        guard let other = other as? CountColumn else { return }
        for (count, group) in zip(other.counts, numbers) {
            counts.extend(to: group, with: 0)
            counts[group] += count
        }
    }

    func result(of group: Int) -> StoredValue { .int(Int64(group < counts.count ? counts[group] : 0)) }
}

extension Array {
    /// Makes room for the element at `index`.
    mutating func extend(to index: Int, with value: @autoclosure () -> Element) {
        while count <= index { append(value()) }
    }
}

/// Counts different values.
final class DistinctCountColumn: AggregateColumn {
    private let type: FieldType?
    /// The group's number and the value, for each combination seen.
    @exclusivity(unchecked) private var seen = NumberedKeys()
    @exclusivity(unchecked) private var counts: [Int] = []
    @exclusivity(unchecked) private var part = ByteWriter(capacity: 64)

    /// - Parameter type: the static type of the values; nil when only they tell.
    init(_ type: FieldType?) {
        self.type = type
    }

    func add(_ value: FieldValue, to group: Int) throws {
        counts.extend(to: group, with: 0)
        if value.isNull { return }
        part.count = 0
        part.append(UInt64(group))
        try KeyPart.append(value, type: type, ignoring: [], direction: .ascending, to: &part)
        let known = seen.count
        _ = try seen.number(of: UnsafeRawBufferPointer(start: part.base, count: part.count))
        if seen.count > known { counts[group] += 1 }
    }

    func add(_ other: any AggregateColumn, _ numbers: [Int]) throws {
        guard let other = other as? DistinctCountColumn else { return }
        for value in 0..<other.seen.count {
            try other.seen.withKey(of: value) { key in
                let group = numbers[Int(key.loadUnaligned(as: UInt64.self))]
                counts.extend(to: group, with: 0)
                part.count = 0
                part.append(UInt64(group))
                part.append(UnsafeRawBufferPointer(rebasing: key[MemoryLayout<UInt64>.size...]))
                let known = seen.count
                _ = try seen.number(of: UnsafeRawBufferPointer(start: part.base, count: part.count))
                if seen.count > known { counts[group] += 1 }
            }
        }
    }

    func result(of group: Int) -> StoredValue { .int(Int64(group < counts.count ? counts[group] : 0)) }
}

/// Finds the least or greatest value.
final class ExtremeColumn: AggregateColumn {
    private let type: FieldType?
    private let wantsGreatest: Bool
    @exclusivity(unchecked) private var parts: [[UInt8]] = []
    @exclusivity(unchecked) private var values: [StoredValue] = []
    @exclusivity(unchecked) private var part = ByteWriter(capacity: 64)

    /// - Parameter type: the static type of the values; nil when only they tell.
    init(_ type: FieldType?, wantsGreatest: Bool) {
        self.type = type
        self.wantsGreatest = wantsGreatest
    }

    func add(_ value: FieldValue, to group: Int) throws {
        parts.extend(to: group, with: [])
        values.extend(to: group, with: .null)
        if value.isNull { return }
        part.count = 0
        try KeyPart.append(value, type: type, ignoring: [], direction: .ascending, to: &part)
        let found = UnsafeRawBufferPointer(start: part.base, count: part.count)
        let isBetter = wantsGreatest ? parts[group].lexicographicallyPrecedes(found) : found.lexicographicallyPrecedes(parts[group])
        guard parts[group].isEmpty || isBetter else { return }
        parts[group] = [UInt8](found)
        values[group] = try value.storedValue()
    }

    func add(_ other: any AggregateColumn, _ numbers: [Int]) {
        guard let other = other as? ExtremeColumn else { return }
        for (place, group) in numbers.enumerated() where place < other.parts.count && !other.parts[place].isEmpty {
            parts.extend(to: group, with: [])
            values.extend(to: group, with: .null)
            let found = other.parts[place]
            let isBetter = wantsGreatest ? parts[group].lexicographicallyPrecedes(found) : found.lexicographicallyPrecedes(parts[group])
            guard parts[group].isEmpty || isBetter else { continue }
            parts[group] = found
            values[group] = other.values[place]
        }
    }

    func result(of group: Int) -> StoredValue { group < values.count ? values[group] : .null }
}

/// Sums and averages the numbers at a path.
final class SumColumn: AggregateColumn {
    private let type: FieldType?
    private let model: String
    private let path: FieldPath
    private let isAverage: Bool
    @exclusivity(unchecked) private var sums: [NumberSum] = []

    /// - Throws: ``TroveError/incomparable(model:path:reason:)`` when the values are no numbers.
    init(_ reader: FieldReader, model: String, path: FieldPath, isAverage: Bool) throws {
        if let type = reader.type, type.scalar?.valueClass != .number {
            throw TroveError.incomparable(model: model, path: path.description, reason: "\(type.shownInErrors.withArticle) cannot be added up")
        }
        type = reader.type
        self.model = model
        self.path = path
        self.isAverage = isAverage
    }

    func add(_ value: FieldValue, to group: Int) throws {
        sums.extend(to: group, with: NumberSum())
        switch value {
        case .int(let integer): sums[group].add(integer)
        case .decimal(let decimal): sums[group].add(decimal)
        default:
            let value = try value.storedValue()
            guard sums[group].add(value) else {
                throw TroveError.incomparable(model: model, path: path.description, reason: "the \(value.kind) cannot be added up")
            }
        }
    }

    func add(_ other: any AggregateColumn, _ numbers: [Int]) {
        guard let other = other as? SumColumn else { return }
        for (sum, group) in zip(other.sums, numbers) {
            sums.extend(to: group, with: NumberSum())
            sums[group].add(sum)
        }
    }

    func result(of group: Int) throws -> StoredValue {
        let sum = group < sums.count ? sums[group] : NumberSum()
        if isAverage { return sum.average.map { .double($0) } ?? .null }
        guard let total = sum.total(ofType: type) else { throw TroveError.sumOverflow(model: model, path: path.description) }
        return total
    }
}
