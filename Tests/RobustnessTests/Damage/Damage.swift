/// One damage done to a file's bytes, with the words for a failure's message.
struct Damage: CustomStringConvertible {
    let bytes: [UInt8]
    let description: String

    /// The bytes as they are.
    init(bytes: [UInt8], description: String) {
        self.bytes = bytes
        self.description = description
    }

    /// Flips a bit, replaces a byte or some, or empties a block, somewhere in `region`.
    init(_ original: [UInt8], in region: DamageRegion, using generator: inout some RandomNumberGenerator) {
        var bytes = original
        let offset = region.offset(in: bytes.count, using: &generator)
        let what: String
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<4:
            let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
            bytes[offset] ^= bit
            what = "bit \(bit) of the byte at \(offset) flipped"
        case 4..<7:
            bytes[offset] ^= UInt8.random(in: 1...255, using: &generator)
            what = "the byte at \(offset) changed from \(original[offset]) to \(bytes[offset])"
        case 7..<9:
            let end = min(offset + Int.random(in: 2...64, using: &generator), bytes.count)
            for index in offset..<end { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
            what = "the bytes from \(offset) to \(end - 1) replaced"
        default:
            let block = 4_096
            let start = offset / block * block
            let end = min(start + block, bytes.count)
            for index in start..<end { bytes[index] = 0 }
            what = "the bytes from \(start) to \(end - 1) emptied"
        }
        self.init(bytes: bytes, description: "\(region), \(what) of \(original.count)")
    }

    /// Flips one bit of a value, wherever a copy of it is in the file. Nil when there is none.
    init?(_ original: [UInt8], inValue value: [UInt8], at position: Int, bit: UInt8, named name: String) {
        var bytes = original
        let places = Self.places(of: Array(value.prefix(24)), in: original)
        if places.isEmpty { return nil }
        for place in places where place + position < bytes.count { bytes[place + position] ^= bit }
        self.init(bytes: bytes, description: "bit \(bit) of byte \(position) of the value of \(name) flipped")
    }

    /// Where `pattern` is in `bytes`.
    private static func places(of pattern: [UInt8], in bytes: [UInt8]) -> [Int] {
        bytes.withUnsafeBytes { bytes in
            pattern.withUnsafeBytes { pattern in
                (0...bytes.count - pattern.count).filter { start in
                    bytes[start] == pattern[0] && UnsafeRawBufferPointer(rebasing: bytes[start..<start + pattern.count]).elementsEqual(pattern)
                }
            }
        }
    }
}
