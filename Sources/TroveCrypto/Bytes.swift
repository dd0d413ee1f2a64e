/// Bytes that were cut off or have lengths that do not fit.
struct MalformedBytes: Error {}

/// Takes numbers and parts from the front of bytes. Numbers have their lowest byte first.
struct ByteParser {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func take(_ count: Int) throws -> [UInt8] {
        guard count >= 0, bytes.count - offset >= count else { throw MalformedBytes() }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type) throws -> Number {
        let size = MemoryLayout<Number>.size
        guard bytes.count - offset >= size else { throw MalformedBytes() }
        defer { offset += size }
        return bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}

extension Array where Element == UInt8 {
    /// Adds a number, its lowest byte first.
    mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

extension UnsafeRawBufferPointer {
    /// A number whose lowest byte is first. The caller has checked that it is inside.
    @inline(__always)
    func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type) -> Number {
        Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
    }
}
