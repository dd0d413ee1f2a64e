import Foundation
import Trove

/// Comma-separated values with a line of names; see RFC 4180.
final class CSVReader: SourceReader {
    private let path: String
    private let collection: String
    private let bytes: Data
    private let separator: UInt8
    private let names: [String]
    private let shape: FieldShape
    /// For each column the position of its value in the shape.
    private let positions: [Int]
    private let types: [ColumnType]
    private let key: Int?

    init(_ path: String, _ options: ImportSourceOptions) throws {
        self.path = path
        collection = options.collection(of: path)
        let bytes = try SourceFile.bytes(of: path).droppingByteOrderMark
        self.bytes = bytes
        let separator = bytes.withUnsafeBytes { Self.separator(of: $0, path) }
        self.separator = separator
        let names = try bytes.withUnsafeBytes { try Self.names(CSVParser($0, separator, path), path) }
        self.names = names
        for name in options.types.keys where !names.contains(name) {
            throw ImportError.invalidOption(reason: "'\(path)' has no column '\(name)'; it has \(names.joined(separator: ", "))")
        }
        if let name = options.idAttribute, !names.contains(name) {
            throw ImportError.invalidOption(reason: "'\(path)' has no column '\(name)'; it has \(names.joined(separator: ", "))")
        }
        key = options.idAttribute(among: names).flatMap { names.firstIndex(of: $0) }
        let ordered = FieldShape.ordering(names)
        shape = ordered.shape
        var positions = [Int](repeating: 0, count: names.count)
        for (position, column) in ordered.order.enumerated() { positions[column] = position }
        self.positions = positions
        types = try bytes.withUnsafeBytes { try Self.types(names.map { options.types[$0] ?? .inferred }, CSVParser($0, separator, path)) }
    }

    private static let separators = [",", ";", "\t"].map { UInt8(ascii: $0) }

    /// The separator by which the line of names has the most of them. One that leaves a quotation mark inside of a name takes a part of a quotation for a name.
    private static func separator(of bytes: UnsafeRawBufferPointer, _ path: String) -> UInt8 {
        func fit(_ separator: UInt8) -> (isWhole: Int, names: Int) {
            var parser = CSVParser(bytes, separator, path)
            guard (try? parser.next()) == true else { return (0, 0) }
            let isCut = parser.fields.contains { field in !field.isQuoted && parser.withBytes(of: field) { $0.contains(UInt8(ascii: "\"")) } }
            return (isCut ? 0 : 1, parser.fields.count)
        }
        return separators.max { fit($0) < fit($1) } ?? UInt8(ascii: ",")
    }

    private static func names(_ parser: CSVParser, _ path: String) throws -> [String] {
        var parser = parser
        func damaged(_ reason: String) -> ImportError { .damaged(path: path, place: "line 1", reason: reason) }
        guard try parser.next() else { throw damaged("it has no line of names") }
        var names: [String] = []
        // A line of a megabyte may have as many names.
        var known: Set<String> = []
        for (place, field) in parser.fields.enumerated() {
            guard let text = parser.withBytes(of: field, { String(sourceUTF8: $0) }) else { throw damaged("a name is no UTF-8") }
            let name = text.trimmingCharacters(in: .whitespaces).isEmpty ? "column \(place + 1)" : text
            guard known.insert(name).inserted else { throw damaged("two columns have the name '\(name)'") }
            names.append(name)
        }
        return names
    }

    /// The type of each column; those to be inferred by all of their values.
    private static func types(_ declared: [ColumnType], _ parser: CSVParser) throws -> [ColumnType] {
        // How all values so far are written; nil before the first.
        var forms = [WrittenForm?](repeating: nil, count: declared.count)
        var open = declared.indices.filter { declared[$0] == .inferred }
        var parser = parser
        guard try parser.next() else { return [] }
        while !open.isEmpty, try parser.next() {
            var hasText = false
            for column in open {
                // They ascend, and a short line has none of the others.
                if column >= parser.fields.count { break }
                let field = parser.fields[column]
                if field.isNothing { continue }
                let form = field.isQuoted ? .text : parser.withBytes(of: field) { WrittenForm($0) }
                let joined = forms[column]?.joined(with: form) ?? form
                forms[column] = joined
                if joined.type == .text { hasText = true }
            }
            if hasText { open.removeAll { forms[$0]?.type == .text } }
        }
        return zip(declared, forms).map { declared, form in declared == .inferred ? form?.type ?? .text : declared }
    }

    var rowCount: Int? { nil }

    var collectionNames: Set<String>? { [collection] }

    func forEach(_ body: (SourceEvent) throws -> Void) throws {
        try bytes.withUnsafeBytes { bytes in
            var parser = CSVParser(bytes, separator, path)
            _ = try parser.next()
            var number = 0
            while try parser.next() {
                if parser.isEmptyLine { continue }
                number += 1
                try body(event(parser, number))
            }
        }
    }

    private func event(_ parser: borrowing CSVParser, _ number: Int) -> SourceEvent {
        let line = parser.recordLine
        func fault(_ reason: String) -> SourceEvent { .fault(ImportFault(collection: collection, place: "line \(line)", reason: reason)) }
        guard parser.fields.count == names.count else {
            return fault("it has \(parser.fields.count) \(parser.fields.count == 1 ? "value" : "values"), and there are \(names.count) columns")
        }
        var values = [StoredValue](repeating: .null, count: names.count)
        var (key, modelKey) = (SourceKey.int(Int64(number)), SourceKey?.none)
        for (column, field) in parser.fields.enumerated() {
            var value = StoredValue.null
            if !field.isNothing {
                do {
                    guard let found = try parser.withBytes(of: field, { try types[column].value($0) }) else {
                        let text = parser.withBytes(of: field) { String(sourceUTF8: $0) } ?? ""
                        return fault("'\(text.prefix(40))' in '\(names[column])' is no \(types[column].rawValue)")
                    }
                    value = found
                } catch {
                    return fault("the value of '\(names[column])' is no UTF-8")
                }
            }
            if column == self.key {
                if value == .null { return fault("it has no '\(names[column])', by which rows are told apart") }
                // By the text: the type is that of all rows, and another row may change it.
                key = parser.withBytes(of: field) { SourceKey(written: $0) }
                modelKey = SourceKey(value)
            }
            values[positions[column]] = value
        }
        var row = SourceRow(
            collection: collection, id: SourceReference(space: collection, key: key), content: .values(shape.fields(values)), place: .line(line))
        row.modelKey = modelKey
        row.keyAttribute = self.key.map { names[$0] }
        return .row(row)
    }
}
