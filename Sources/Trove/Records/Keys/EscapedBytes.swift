/// Text and data as keys and parts of indexes have them: a 0 as 1 1 and a 1 as 1 2, so that a 0 can end them.
enum EscapedBytes {
    /// Calls `body` with the bytes that were escaped, which are valid during the call.
    ///
    /// - Parameters:
    ///   - bytes: what is before the 0 at the end.
    ///   - isInverted: whether each byte is inverted, as in a descending part.
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are not escaped so; what `body` throws.
    static func withPlain<Result>(
        of bytes: UnsafeRawBufferPointer, isInverted: Bool = false, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        // Most texts have nothing escaped and are there as they are.
        if !isInverted, !bytes.contains(where: { $0 < 2 }) { return try body(bytes) }
        let mask: UInt8 = isInverted ? 0xFF : 0
        return try withUnsafeTemporaryAllocation(byteCount: max(1, bytes.count), alignment: 1) { plain in
            var count = 0
            var isEscaped = false
            for byte in bytes {
                let next = byte ^ mask
                if !isEscaped, next == 1 {
                    isEscaped = true
                    continue
                }
                guard isEscaped ? next == 1 || next == 2 : next != 0 else { throw badEscape }
                plain[count] = isEscaped ? next - 1 : next
                isEscaped = false
                count += 1
            }
            guard !isEscaped else { throw badEscape }
            return try body(UnsafeRawBufferPointer(rebasing: plain[..<count]))
        }
    }

    private static var badEscape: TroveError { .corruptKey(reason: "bad escape in a text or data part") }
}
