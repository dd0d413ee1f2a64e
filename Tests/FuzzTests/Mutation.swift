/// Changes of bytes such as a fuzzer makes.
enum Mutation {
    private static let remarkable: [UInt64] = [0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 40, .max >> 1, .max]

    /// `input` with one to four changes, some of which take bytes from `other`.
    static func mutate(_ input: [UInt8], with other: [UInt8], using generator: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes = input
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = Int.random(in: 0...bytes.count, using: &generator)
            switch Int.random(in: 0..<7, using: &generator) {
            case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &generator)
            case 2: bytes.insert(.random(in: 0...255, using: &generator), at: place)
            case 3 where place < bytes.count: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...8, using: &generator)))
            case 4:
                let number = remarkable.randomElement(using: &generator) ?? 0
                let width = [1, 2, 4, 8].randomElement(using: &generator) ?? 1
                let end = min(bytes.count, place + width)
                withUnsafeBytes(of: number.littleEndian) { bytes.replaceSubrange(place..<end, with: $0.prefix(width)) }
            case 5 where !other.isEmpty:
                let start = Int.random(in: 0..<other.count, using: &generator)
                bytes.insert(contentsOf: other[start..<min(other.count, start + 32)], at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }
}
