/// Comparisons of texts by their case folding, without making it where the text is ASCII.
enum FoldedText {
    /// Calls `body` with the UTF-8 of the folding of a text.
    static func withFolding<Result>(
        of text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        guard text.isASCII else {
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

    @inline(__always)
    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 65 < 26 ? byte | 0x20 : byte
    }
}
