/// The parts that stand one after the other in an index's or a sort's bytes, so that they can be told apart.
struct PartLayout: Sendable {
    private let parts: [(type: FieldType?, isInverted: Bool)]

    init(_ parts: [(type: FieldType?, direction: SortDirection)]) {
        self.parts = parts.map { ($0.type?.unwrapped, $0.direction == .descending) }
    }

    var count: Int { parts.count }

    /// The size of the first `count` parts; nil when the bytes end before them.
    func size(ofFirst count: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
        var place = 0
        for part in parts.prefix(count) {
            guard let end = Self.end(of: part.type, part.isInverted ? 0xFF : 0, bytes, place), end <= bytes.count else { return nil }
            place = end
        }
        return place
    }

    /// Where each part is; nil when the bytes are not those of the parts.
    func ranges(in bytes: UnsafeRawBufferPointer) -> [Range<Int>]? {
        var ranges: [Range<Int>] = []
        for part in parts {
            let start = ranges.last?.upperBound ?? 0
            guard let end = Self.end(of: part.type, part.isInverted ? 0xFF : 0, bytes, start), end <= bytes.count else { return nil }
            ranges.append(start..<end)
        }
        return ranges
    }

    /// Where the part that begins at `start` ends.
    private static func end(of type: FieldType?, _ mask: UInt8, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        // Below a value come nil and, for an index of members, what has none.
        guard bytes[start] ^ mask == KeyPart.present else { return start + 1 }
        return switch type {
        case nil: dynamicEnd(mask, bytes, start + 1)
        case .bool: start + 2
        case .uuid, .objectID: start + 17
        case .string, .url, .data: end(terminatedBy: mask, bytes, start + 1)
        case .decimal: decimalEnd(mask, bytes, start + 1)
        default: start + 9
        }
    }

    private static func dynamicEnd(_ mask: UInt8, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start < bytes.count, let kind = KeyPart.Class(rawValue: bytes[start] ^ mask) else { return nil }
        switch kind {
        case .bool: return start + 2
        case .date: return start + 9
        case .text, .url, .data: return end(terminatedBy: mask, bytes, start + 1)
        case .uuid, .objectID: return start + 17
        case .container: return start + 1
        case .number:
            guard start + 9 < bytes.count else { return nil }
            return bytes[start + 9] ^ mask == 0 ? start + 10 : decimalEnd(mask, bytes, start + 10)
        }
    }

    private static func decimalEnd(_ mask: UInt8, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        // Zero and NaN are one byte; other numbers have their power of ten, and digits that a 0 ends, inverted below zero.
        switch bytes[start] ^ mask {
        case 0: return end(terminatedBy: ~mask, bytes, start + 3)
        case 2: return end(terminatedBy: mask, bytes, start + 3)
        default: return start + 1
        }
    }

    private static func end(terminatedBy byte: UInt8, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start <= bytes.count else { return nil }
        return bytes[start...].firstIndex(of: byte).map { $0 + 1 }
    }
}
