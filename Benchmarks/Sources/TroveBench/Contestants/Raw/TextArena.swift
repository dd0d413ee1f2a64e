import RawEngines

/// Owns texts for the C programs.
///
/// `@unchecked Sendable`: it is filled by one task and not changed afterwards.
final class TextArena: @unchecked Sendable {
    private static let chunkSize = 1 << 20
    private var chunks: [UnsafeMutableRawBufferPointer] = []
    private var end = chunkSize

    /// Copies a text of less than a mebibyte. The pointer is valid as long as this object.
    func add(_ text: String) -> raw_text {
        var text = text
        return text.withUTF8 { bytes in
            if end + bytes.count > Self.chunkSize {
                chunks.append(.allocate(byteCount: Self.chunkSize, alignment: 1))
                end = 0
            }
            let place = UnsafeMutableRawBufferPointer(rebasing: chunks[chunks.count - 1][end..<end + bytes.count])
            place.copyMemory(from: UnsafeRawBufferPointer(bytes))
            end += bytes.count
            return raw_text(
                bytes: place.baseAddress.map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) }, size: bytes.count)
        }
    }

    deinit {
        for chunk in chunks { chunk.deallocate() }
    }
}
