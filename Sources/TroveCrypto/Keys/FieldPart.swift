/// What the record of keys of encrypted properties has behind its data keys:
///
///     40 bytes  the key of blind indexes, wrapped with the store's key
///     2         the number of properties in which a value that is not sealed is refused; for each, in the order of their bytes:
///       2, n      its name, `Model.property`, as UTF-8
struct FieldPart: Sendable {
    var wrappedIndexKey: [UInt8]
    private(set) var closed: [String] = []

    init(wrappedIndexKey: [UInt8]) { self.wrappedIndexKey = wrappedIndexKey }

    init(_ parser: inout ByteParser) throws {
        wrappedIndexKey = try parser.take(40)
        for _ in 0..<(try parser.number(UInt16.self)) {
            let name = String(validating: try parser.take(Int(try parser.number(UInt16.self))), as: UTF8.self)
            guard let name, closed.last.map({ Self.areInOrder($0, name) }) ?? true else { throw MalformedBytes() }
            closed.append(name)
        }
    }

    var bytes: [UInt8] {
        var bytes = wrappedIndexKey
        bytes.append(littleEndian: UInt16(closed.count))
        for name in closed {
            bytes.append(littleEndian: UInt16(name.utf8.count))
            bytes += name.utf8
        }
        return bytes
    }

    /// Adds properties to those in which a value that is not sealed is refused.
    mutating func close(_ properties: some Sequence<String>) {
        closed = Set(closed).union(properties).sorted(by: Self.areInOrder)
    }

    private static func areInOrder(_ first: String, _ second: String) -> Bool { first.utf8.lexicographicallyPrecedes(second.utf8) }
}
