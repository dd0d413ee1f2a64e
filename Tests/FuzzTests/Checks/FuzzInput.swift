/// An input that is taken apart from its beginning; where it ends, zeros follow.
struct FuzzInput {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    /// One of so many choices.
    mutating func choice(_ count: Int) -> Int { Int(byte()) % count }

    /// Some bytes, of which the first tells how many.
    mutating func chunk() -> [UInt8] {
        let chunk = Array(bytes.prefix(Int(byte())))
        bytes = bytes.dropFirst(chunk.count)
        return chunk
    }

    /// All that is left.
    mutating func rest() -> [UInt8] {
        defer { bytes = [] }
        return Array(bytes)
    }

    /// All that is left, as text.
    mutating func text() -> String { String(decoding: rest(), as: UTF8.self) }
}
