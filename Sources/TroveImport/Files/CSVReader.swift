import Foundation
import Trove

/// How a column of CSV is read.
public enum ColumnType: String, CaseIterable, Sendable {
    /// As integers, doubles, Bools or dates, when every value of the column is written just as such a value is written again; as texts otherwise, so that 007 stays 007.
    case inferred
    case text
    case int
    case double
    case decimal
    /// `true`, `false`, `1` or `0`.
    case bool
    /// As SQLite and ISO 8601 write dates.
    case date
    case uuid
    /// In Base64.
    case data

    /// The value of a text; nil when it is no such value.
    func value(_ text: String) -> StoredValue? {
        switch self {
        case .inferred, .text: .string(text)
        case .int: Int64(text).map { .int($0) }
        case .double: Double(text).map { .double($0) }
        case .decimal: Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map { .decimal($0) }
        case .bool: ["true": true, "1": true, "false": false, "0": false][text.lowercased()].map { .bool($0) }
        case .date: Date(sqlText: text).map { .date($0) }
        case .uuid: UUID(uuidString: text).map { .uuid($0) }
        case .data: Data(base64Encoded: text).map { .data($0) }
        }
    }

    /// Whether a text is written as this type writes the value that it is.
    fileprivate func writes(_ text: String) -> Bool {
        switch self {
        case .int: Int64(text).map { "\($0)" == text } ?? false
        case .double: Double(text).map { $0.isFinite && ("\($0)" == text || text.contains(".") && !text.hasPrefix("0") && Decimal(string: text) == Decimal(string: "\($0)")) } ?? false
        case .bool: text == "true" || text == "false"
        case .date: text.utf8.count >= 10 && Date(sqlText: text) != nil
        default: true
        }
    }
}

/// Comma-separated values with a line of names; see RFC 4180.
final class CSVReader: SourceReader {
    private let path: String
    private let collection: String
    private let bytes: Data
    private let separator: UInt8
    private let names: [String]
    private let types: [ColumnType]
    private let key: Int?

    init(_ path: String, _ options: ImportSourceOptions) throws {
        self.path = path
        collection = options.collection(of: path)
        let bytes = try SourceFile.bytes(of: path).droppingByteOrderMark
        self.bytes = bytes
        let firstLine = bytes.prefix { $0 != UInt8(ascii: "\n") }
        separator = Self.separators.max { left, right in firstLine.count { $0 == left } < firstLine.count { $0 == right } } ?? UInt8(ascii: ",")
        var parser = CSVParser(bytes, separator)
        guard let header = try parser.next(path) else { throw ImportError.damaged(path: path, place: "line 1", reason: "it has no line of names") }
        var names: [String] = []
        for (place, field) in header.fields.enumerated() {
            guard let text = String(validating: field.bytes, as: UTF8.self) else { throw ImportError.damaged(path: path, place: "line 1", reason: "a name is no UTF-8") }
            let name = text.trimmingCharacters(in: .whitespaces).isEmpty ? "column \(place + 1)" : text
            guard !names.contains(name) else { throw ImportError.damaged(path: path, place: "line 1", reason: "two columns have the name '\(name)'") }
            names.append(name)
        }
        self.names = names
        for name in options.types.keys where !names.contains(name) { throw ImportError.invalidOption(reason: "'\(path)' has no column '\(name)'; it has \(names.joined(separator: ", "))") }
        if let name = options.idAttribute, !names.contains(name) { throw ImportError.invalidOption(reason: "'\(path)' has no column '\(name)'; it has \(names.joined(separator: ", "))") }
        key = options.idAttribute(among: names).flatMap { names.firstIndex(of: $0) }
        types = try Self.types(names, options, bytes, separator, path)
    }

    private static let separators = [",", ";", "\t"].map { UInt8(ascii: $0) }

    /// The type of each column; those to be inferred by all of their values.
    private static func types(_ names: [String], _ options: ImportSourceOptions, _ bytes: Data, _ separator: UInt8, _ path: String) throws -> [ColumnType] {
        var candidates: [[ColumnType]] = names.map { name in
            let type = options.types[name] ?? .inferred
            return type == .inferred ? [.int, .double, .bool, .date, .text] : [type]
        }
        guard candidates.contains(where: { $0.count > 1 }) else { return candidates.map { $0[0] } }
        var hasValues = [Bool](repeating: false, count: names.count)
        var parser = CSVParser(bytes, separator)
        _ = try parser.next(path)
        while let record = try parser.next(path) {
            for (place, field) in record.fields.enumerated().prefix(names.count) where candidates[place].count > 1 {
                if field.bytes.isEmpty && !field.isQuoted { continue }
                hasValues[place] = true
                guard !field.isQuoted, let text = String(validating: field.bytes, as: UTF8.self) else { candidates[place] = [.text]; continue }
                candidates[place].removeAll { !$0.writes(text) }
            }
        }
        return candidates.enumerated().map { hasValues[$0] || $1.count == 1 ? $1[0] : .text }
    }

    var rowCount: Int? { nil }

    func forEach(_ body: (SourceEvent) throws -> Void) throws {
        var parser = CSVParser(bytes, separator)
        _ = try parser.next(path)
        var number = 0
        while let record = try parser.next(path) {
            if record.fields.count == 1, record.fields[0].bytes.isEmpty, !record.fields[0].isQuoted { continue }
            number += 1
            try body(event(record, number))
        }
    }

    private func event(_ record: CSVParser.Record, _ number: Int) -> SourceEvent {
        let place = "line \(record.line)"
        func fault(_ reason: String) -> SourceEvent { .fault(ImportFault(collection: collection, place: place, reason: reason)) }
        guard record.fields.count == names.count else { return fault("it has \(record.fields.count) values, and there are \(names.count) columns") }
        var attributes: [String: SourceValue] = [:]
        attributes.reserveCapacity(names.count)
        var key = SourceKey.int(Int64(number))
        for (column, field) in record.fields.enumerated() {
            let value: StoredValue
            if field.bytes.isEmpty, !field.isQuoted {
                value = .null
            } else {
                guard let text = String(validating: field.bytes, as: UTF8.self) else { return fault("the value of '\(names[column])' is no UTF-8") }
                guard let found = types[column].value(text) else { return fault("'\(text.prefix(40))' in '\(names[column])' is no \(types[column].rawValue)") }
                value = found
            }
            if column == self.key {
                if value == .null { return fault("it has no '\(names[column])', by which rows are told apart") }
                key = SourceKey(value)
            }
            attributes[names[column]] = .plain(value)
        }
        return .row(SourceRow(collection: collection, id: SourceReference(space: collection, key: key), attributes: attributes, place: place))
    }
}

/// Takes CSV apart.
struct CSVParser {
    struct Field {
        let bytes: [UInt8]
        let isQuoted: Bool
    }

    struct Record {
        let fields: [Field]
        /// The number of the line that it begins on.
        let line: Int
    }

    private let bytes: Data
    private let separator: UInt8
    private var place: Int
    private var line = 1

    init(_ bytes: Data, _ separator: UInt8) {
        self.bytes = bytes
        self.separator = separator
        place = bytes.startIndex
    }

    /// The next record; nil at the end.
    ///
    /// - Throws: ``ImportError/damaged(path:place:reason:)`` when a quotation has no end.
    mutating func next(_ path: String) throws -> Record? {
        try bytes.withUnsafeBytes { buffer -> Record? in
            guard place < buffer.count else { return nil }
            let start = line
            var fields: [Field] = []
            while true {
                fields.append(try field(in: buffer, path))
                if place < buffer.count, buffer[place] == separator {
                    place += 1
                    // A separator at the end of the file has an empty value behind it.
                    if place == buffer.count { fields.append(Field(bytes: [], isQuoted: false)) } else { continue }
                } else if place < buffer.count {
                    if buffer[place] == 0x0D { place += 1 }
                    if place < buffer.count, buffer[place] == 0x0A { place += 1 }
                    line += 1
                }
                return Record(fields: fields, line: start)
            }
        }
    }

    private mutating func field(in buffer: UnsafeRawBufferPointer, _ path: String) throws -> Field {
        guard place < buffer.count, buffer[place] == 0x22 else {
            let start = place
            while place < buffer.count, buffer[place] != separator, buffer[place] != 0x0A, buffer[place] != 0x0D { place += 1 }
            return Field(bytes: [UInt8](buffer[start..<place]), isQuoted: false)
        }
        let start = line
        place += 1
        var bytes: [UInt8] = []
        while place < buffer.count {
            let byte = buffer[place]
            place += 1
            if byte == 0x0A { line += 1 }
            guard byte == 0x22 else { bytes.append(byte); continue }
            if place < buffer.count, buffer[place] == 0x22 {
                bytes.append(0x22)
                place += 1
                continue
            }
            guard place == buffer.count || [separator, 0x0A, 0x0D].contains(buffer[place]) else {
                throw ImportError.damaged(path: path, place: "line \(line)", reason: "something follows the end of a quotation; a quotation mark inside of one is written twice")
            }
            return Field(bytes: bytes, isQuoted: true)
        }
        throw ImportError.damaged(path: path, place: "line \(start)", reason: "the quotation that begins there has no end")
    }
}
