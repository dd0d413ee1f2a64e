/// Comparisons of texts by their case folding, without making it where the text is ASCII.
enum FoldedText {
    /// Calls `body` with the UTF-8 of the folding of a text.
    static func withFolding<Result>(
        of text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        guard isASCII(text) else {
            var folded: [UInt8] = []
            CaseFolding.append(text.assumingMemoryBound(to: UInt8.self), to: &folded)
            return try folded.withUnsafeBytes(body)
        }
        return try withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { folded in
            for index in 0..<text.count { folded[index] = lowercased(text[index]) }
            return try body(UnsafeRawBufferPointer(folded))
        }
    }

    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ValueOrder {
        withFolding(of: left) { left in withFolding(of: right) { right in ByteOrder.compare(left, right) } }
    }

    static func isASCII(_ text: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset <= text.count - 8 {
            if text.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
            offset += 8
        }
        while offset < text.count {
            if text[offset] >= 0x80 { return false }
            offset += 1
        }
        return true
    }

    @inline(__always)
    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 65 < 26 ? byte | 0x20 : byte
    }
}
