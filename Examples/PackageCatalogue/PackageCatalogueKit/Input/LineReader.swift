import Foundation

/// The lines of a file, one after the other. Memory stays flat, whatever the size of the file.
struct LineReader {
    /// A file whose lines are longer is taken for something else than text.
    static let longestLine = 16 << 20
    private static let chunkSize = 256 << 10

    private let handle: FileHandle
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    init(_ handle: FileHandle) { self.handle = handle }

    /// The next line without its end; nil after the last.
    ///
    /// - Throws: the file system's error; ``LineTooLong``.
    mutating func next() throws -> Data? {
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                return line(upTo: end)
            }
            if isAtEnd {
                if position == buffer.count { return nil }
                defer { position = buffer.count }
                return line(upTo: buffer.count)
            }
            buffer.removeSubrange(..<position)
            position = 0
            searched = buffer.count
            if buffer.count > Self.longestLine { throw LineTooLong() }
            if let chunk = try handle.read(upToCount: Self.chunkSize), !chunk.isEmpty {
                buffer.append(contentsOf: chunk)
            } else {
                isAtEnd = true
            }
        }
    }

    private func line(upTo end: Int) -> Data {
        let line = buffer[position..<end]
        return Data(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
}

/// A line is longer than any row could be.
struct LineTooLong: Error {}
