/// What an index of words or trigrams has of a record in one of its fields.
enum IndexedText: Sendable {
    /// The text at a path, or the members of a collection there, in lines.
    case value(FieldReader)
    /// The texts of a document at a path and below it, in lines.
    case document(FieldReader, names: [[UInt8]])

    /// - Throws: ``TroveError/unknownField(model:field:known:)``, ``TroveError/unknownPath(model:path:reason:)``.
    init(_ path: FieldPath, _ kind: IndexSchema.Kind, in binding: ModelBinding) throws {
        guard kind.isFullText, binding.isCollection, let place = binding.fieldPlace(of: path),
            place.position == binding.layout.position(of: DocumentField.root)
        else {
            self = .value(try FieldReader(path, in: binding))
            return
        }
        self = .document(try FieldReader(.document, in: binding), names: place.names.map { Array($0.utf8) })
    }

    /// The text; nil when there is none.
    ///
    /// - Throws: ``TroveError/corruptValue(reason:)``.
    func text(of record: RecordView) throws -> String? {
        switch self {
        case .value(let reader): try reader.value(record).textForWords
        case .document(let reader, let names): try reader.access.withValue(in: record) { try $0.texts(at: names) }
        }
    }
}

extension StoredValue {
    /// The text whose words an index of a model's property holds.
    var textForWords: String? {
        switch self {
        case .string(let text): text
        case .array(let values): values.compactMap(\.textForWords).joined(separator: "\n")
        case .object(let values): values.keys.sorted().joined(separator: "\n")
        default: nil
        }
    }

    /// The texts of a document whose words an index holds for a path.
    ///
    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` for a value that cannot be stored.
    func texts(at path: DocumentPath) throws -> String? {
        try nestedBytes(depth: 0).withUnsafeBytes { try FieldValue(nested: $0).texts(at: path.names.map { Array($0.utf8) }) }
    }
}

extension FieldValue {
    /// The texts at the end of the names and below it, in the order in which they are stored, each in a line of its own; nil when there are none.
    ///
    /// A name leads through arrays into their elements. One of digits is the position of an element.
    ///
    /// - Throws: ``TroveError/corruptValue(reason:)``.
    fileprivate func texts(at names: [[UInt8]]) throws -> String? {
        var lines: [UInt8]?
        try appendTexts(at: names[...], to: &lines, depth: 0)
        return lines.map { $0.withUnsafeBytes { String(storedUTF8: $0) } }
    }

    fileprivate func appendTexts(at names: ArraySlice<[UInt8]>, to lines: inout [UInt8]?, depth: Int) throws {
        switch self {
        case .text(let bytes) where names.isEmpty:
            if lines == nil { lines = [] } else { lines?.append(UInt8(ascii: "\n")) }
            lines?.append(contentsOf: bytes)
        case .container(let container):
            guard depth < NestedTag.maxDepth else { throw TroveError.corruptValue(reason: "values nest deeper than \(NestedTag.maxDepth) levels") }
            try container.appendTexts(at: names, to: &lines, depth: depth + 1)
        default: return
        }
    }
}

extension FieldContainer {
    fileprivate func appendTexts(at names: ArraySlice<[UInt8]>, to lines: inout [UInt8]?, depth: Int) throws {
        var reader = ByteReader(bytes)
        switch (tag, names.first) {
        case (.object, let name?):
            try value(named: name).appendTexts(at: names.dropFirst(), to: &lines, depth: depth)
        case (.object, nil):
            for _ in 0..<count {
                _ = try reader.bytes(try reader.count())
                try reader.fieldValue().appendTexts(at: names, to: &lines, depth: depth)
            }
        case (.array, let name):
            if let position = name.flatMap(Self.position) {
                return try element(at: position).appendTexts(at: names.dropFirst(), to: &lines, depth: depth)
            }
            for _ in 0..<count { try reader.fieldValue().appendTexts(at: names, to: &lines, depth: depth) }
        // Paths do not lead into other dictionaries.
        default: return
        }
    }
}
