/// Why a text is no JSON that can be read, and where.
struct JSONFault: Error {
    /// The number of bytes before the place.
    let offset: Int
    let reason: String

    /// The error users see.
    ///
    /// - Parameters:
    ///   - bytes: the whole text.
    ///   - line: the number of the text's first line, where it is a part of a larger one; `offset` is that of its first byte.
    func error(in bytes: UnsafeRawBufferPointer, line: Int = 1, offset base: Int = 0) -> TroveError {
        let before = bytes.prefix(offset)
        let newline = UInt8(ascii: "\n")
        let lineStart = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        // Bytes that continue a character are not counted, so the column is that of an editor.
        let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
        return .invalidJSON(line: line + before.count { $0 == newline }, column: column, offset: base + offset, reason: reason)
    }
}
