/// A key and its value, copied out of a store.
struct Entry: Hashable, Sendable, CustomStringConvertible {
    var key: [UInt8]
    var value: [UInt8]

    init(_ key: [UInt8], _ value: [UInt8]) {
        self.key = key
        self.value = value
    }

    var description: String { "\(key.hexadecimal) = \(value.hexadecimal)" }
}
