extension KeyPart {
    /// Calls `body` with the value that a whole part stands for, of a type whose parts tell the value.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are not those of such a value; what `body` throws.
    @inline(__always)
    static func withValue<Result>(
        of part: UnsafeRawBufferPointer, _ type: FieldType, isInverted: Bool, _ body: (FieldValue) throws -> Result
    ) throws -> Result {
        let mask: UInt8 = isInverted ? 0xFF : 0
        let first = part[0] ^ mask
        guard first == present else {
            guard first == 0 else { throw TroveError.corruptKey(reason: "a part begins with \(first)") }
            return try body(.null)
        }
        switch type {
        case .int64:
            let word = UInt64(bigEndian: part.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
            return try body(.int(Int64(bitPattern: (isInverted ? ~word : word) ^ 1 << 63)))
        case .string:
            let text = UnsafeRawBufferPointer(rebasing: part.dropFirst().dropLast())
            return try EscapedBytes.withPlain(of: text, isInverted: isInverted) { try body(.text($0)) }
        default:
            guard let scalar = type.scalar else { throw TroveError.corruptKey(reason: "a part of type \(type)") }
            return try withUnsafeTemporaryAllocation(byteCount: part.count, alignment: 1) { bytes in
                for (position, byte) in part.dropFirst().enumerated() { bytes[position] = byte ^ mask }
                var key = KeyDecoder(UnsafeRawBufferPointer(rebasing: bytes[..<(part.count - 1)]))
                let value = try scalar.fieldValue(ofPart: &key)
                try key.finish()
                return try body(value)
            }
        }
    }
}
