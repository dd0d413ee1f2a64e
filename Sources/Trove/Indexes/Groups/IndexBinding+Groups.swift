import Foundation

extension IndexBinding {
    /// What one record adds to each of its groups, `sign` being 1, or takes from it, `sign` being -1.
    ///
    /// A record whose collection has no members is in no group.
    func forEachGroup(of record: RecordView, sign: Int, _ body: (_ key: [UInt8], GroupEntry) throws -> Void) throws {
        let sums = try fields.sums.map { GroupSum(try $0.reader.value(record), sign: sign) }
        var values: [StoredValue] = []
        for (position, part) in fields.parts.enumerated() {
            values.append(position == fields.multiplePart ? .null : part.grouped(try part.reader.value(record)))
        }
        if let multiple = fields.multiplePart {
            for member in try fields.parts[multiple].memberValues(of: record) {
                values[multiple] = member
                try body(groupKey(values), GroupEntry(count: sign, sums: sums, values: encoded(values)))
            }
        } else {
            try body(groupKey(values), GroupEntry(count: sign, sums: sums, values: encoded(values)))
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

    /// The members of a collection, none twice.
    fileprivate func memberValues(of record: RecordView) throws -> [StoredValue] {
        let values: [StoredValue] =
            switch (try reader.value(record), members) {
            case (.array(let elements), _): elements.array
            case (.object(let values), .keys): values.keys.map { .string($0) }
            case (.dictionary(let values), .keys): values.keys
            default: []
            }
        var keys: Set<[UInt8]> = []
        return try values.map(grouped).filter { value in
            var key = ByteWriter(capacity: 64)
            try KeyPart.append(value, type: type, ignoring: part.ignoring, direction: .ascending, to: &key)
            return keys.insert(key.bytes()).inserted
        }
    }
}
