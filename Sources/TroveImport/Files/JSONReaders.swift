import Foundation
import Trove

/// A file of JSON, which is in memory as a whole.
final class JSONReader: SourceReader {
    private let rows: ValueRows
    private let value: StoredValue

    init(_ path: String, _ options: ImportSourceOptions) throws {
        rows = ValueRows(path: path, options: options)
        value = try SourceFile.json(path)
    }

    var collectionNames: Set<String>? { rows.collectionNames(in: value) }

    var rowCount: Int? { if case .array(let elements) = value { elements.count } else { nil } }

    func forEach(_ body: (SourceEvent) throws -> Void) throws { try rows.forEach(in: value, body) }
}

/// A file of JSON objects, one a line, read line by line.
final class JSONLinesReader: SourceReader {
    private let rows: ValueRows
    private let bytes: Data

    init(_ path: String, _ options: ImportSourceOptions) throws {
        rows = ValueRows(path: path, options: options)
        bytes = try SourceFile.bytes(of: path).droppingByteOrderMark
    }

    var rowCount: Int? { nil }

    var collectionNames: Set<String>? { [rows.options.collection(of: rows.path)] }

    func forEach(_ body: (SourceEvent) throws -> Void) throws {
        let collection = rows.options.collection(of: rows.path)
        try bytes.withUnsafeBytes { bytes in
            var (start, line) = (0, 0)
            while start < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
                let text = UnsafeRawBufferPointer(rebasing: rest[..<(rest.firstPlace(of: 0x0A) ?? rest.count)])
                line += 1
                start += text.count + 1
                if text.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
                do {
                    try body(rows.event(StoredValue(plainJSON: text), number: line, of: collection, place: .line(line)))
                } catch let error as TroveError where error.isOfJSON {
                    try body(.fault(ImportFault(collection: collection, place: "line \(line)", reason: error.reasonOnLine)))
                }
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Where a byte is for the first time; nil when it is nowhere.
    func firstPlace(of byte: UInt8) -> Int? {
        guard let baseAddress, let found = memchr(baseAddress, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(found) - baseAddress
    }
}

extension TroveError {
    /// Whether it tells of a text that is no JSON, or has a value that cannot be stored.
    fileprivate var isOfJSON: Bool {
        switch self {
        case .invalidJSON, .encodingFailed: true
        default: false
        }
    }

    /// What it says of a text that is one line of a file, whose number others tell.
    fileprivate var reasonOnLine: String {
        guard case .invalidJSON(_, let column, _, let reason) = self else { return "\(self)" }
        return "the JSON cannot be read at column \(column): \(reason)"
    }
}
