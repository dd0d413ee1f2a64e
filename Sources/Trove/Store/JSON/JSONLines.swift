import Foundation

/// The lines of a file or of bytes, some megabytes of them at a time.
final class JSONLines {
    /// How large a piece of whole lines is at least, but at the end.
    static let usualPieceSize = 4 << 20
    /// The longest line: more than a record of the largest size takes. Control characters of a text take six bytes each, tags of small values more.
    static let maxLineSize = Int(clamping: 8 * Int64(StorageLimits.maxValueSize))

    private enum Source {
        case file(TransferSource)
        case bytes(Data)
    }

    private let source: Source
    private let pieceSize: Int
    /// What was read and not given.
    private var rest: [UInt8] = []
    private var offset = 0

    /// - Throws: as opening a ``TransferSource``.
    init(path: String) throws {
        pieceSize = Self.usualPieceSize
        source = .file(try TransferSource(path))
    }

    init(_ data: Data, pieceSize: Int = usualPieceSize) {
        source = .bytes(data)
        self.pieceSize = pieceSize
    }

    /// The file; empty of bytes in memory.
    private var path: String { if case .file(let file) = source { file.path } else { "" } }

    /// Goes to a place.
    func seek(to offset: Int) throws {
        rest = []
        self.offset = offset
        if case .file(let file) = source { try file.seek(to: offset) }
    }

    /// The next whole lines, with the last one's end where it has one; empty at the end.
    ///
    /// - Throws: ``StorageError/inputOutput(_:)``, also for a line that no export writes because of its length.
    func next() throws -> [UInt8] {
        var piece = rest
        rest = []
        let newline = UInt8(ascii: "\n")
        var searched = 0
        while true {
            if piece.count >= pieceSize, let end = piece[searched...].lastIndex(of: newline) {
                rest = Array(piece[(end + 1)...])
                piece.removeSubrange((end + 1)...)
                return piece
            }
            if piece.count >= pieceSize { searched = piece.count }
            guard piece.count < Self.maxLineSize else {
                throw StorageError.inputOutput(
                    .init(engine: "JSON", path: path, message: "a line is longer than \(Self.maxLineSize) bytes; the file is not an export"))
            }
            let read = try read(pieceSize)
            if read.isEmpty { return piece }
            piece.append(contentsOf: read)
        }
    }

    /// Calls `body` with each line of a piece, without its end, and with its size with it.
    static func forEachLine(of piece: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, Int) throws -> Void) rethrows {
        var start = 0
        while start < piece.count {
            var end = start
            while end < piece.count, piece[end] != UInt8(ascii: "\n") { end &+= 1 }
            let next = min(end + 1, piece.count)
            try body(UnsafeRawBufferPointer(rebasing: piece[start..<end]), next - start)
            start = next
        }
    }

    /// Whether a line says nothing.
    static func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
        line.first ?? 0x20 <= 0x20 && line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }

    private func read(_ count: Int) throws -> Data {
        switch source {
        case .bytes(let data):
            let start = data.startIndex + min(offset, data.count)
            let part = data[start..<min(start + count, data.endIndex)]
            offset += part.count
            return part
        case .file(let file): return try file.next(upTo: count) ?? Data()
        }
    }
}
