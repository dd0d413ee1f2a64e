import Foundation

extension IndexBinding {
    /// What one record adds to its group, `sign` being 1, or takes from it, `sign` being -1.
    func group(of record: RecordView, sign: Int) throws -> (key: [UInt8], entry: GroupEntry) {
        let sums = try fields.sums.map { GroupSum(try $0.reader.value(record), sign: sign) }
        let values = try fields.parts.map { $0.grouped(try $0.reader.value(record)) }
        return (try groupKey(values), GroupEntry(count: sign, sums: sums, values: try encoded(values)))
    }

    /// Whether a group's values are such as objects of the group with this key have. Where the type is not declared several values are equal, as 1 and 1.0.
    func isGroup(_ entry: GroupEntry, under key: [UInt8]) -> Bool {
        do {
            let values = zip(fields.parts, try entry.storedValues(fields.parts.count)).map { $0.grouped($1) }
            return try groupKey(values) == key && encoded(values) == entry.values
        } catch {
            return false
        }
    }

    /// The key of the group of these values: the parts, cut when they are long.
    private func groupKey(_ values: [StoredValue]) throws -> [UInt8] {
        var key = ByteWriter(capacity: 64)
        for (part, value) in zip(fields.parts, values) {
            try KeyPart.append(
                value, type: part.type, ignoring: part.part.ignoring, direction: part.part.direction, to: &key)
        }
        _ = key.shortenParts(from: 0)
        return key.bytes()
    }

    private func encoded(_ values: [StoredValue]) throws -> [UInt8] {
        var bytes = ByteWriter(capacity: 64)
        for value in values {
            bytes.depth = 0
            try value.encodeNested(into: &bytes)
        }
        return bytes.bytes()
    }
}

extension IndexFields.Part {
    /// The value that stands for all those of one part: text by its folding, 0.0 for -0.0, and one NaN for all.
    fileprivate func grouped(_ value: StoredValue) -> StoredValue {
        switch value {
        case .string(let text) where !part.ignoring.isEmpty: .string(part.ignoring.folded(text))
        case .double(0): .double(0)
        case .float(0): .float(0)
        case .date(let date) where date.timeIntervalSinceReferenceDate == 0: .date(Date(timeIntervalSinceReferenceDate: 0))
        case .double(let number) where number.isNaN: .double(.nan)
        case .float(let number) where number.isNaN: .float(.nan)
        case .date(let date) where date.timeIntervalSinceReferenceDate.isNaN: .date(Date(timeIntervalSinceReferenceDate: .nan))
        default: value
        }
    }
}
