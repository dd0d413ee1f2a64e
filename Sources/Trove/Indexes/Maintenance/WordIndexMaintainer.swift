extension IndexBinding {
    /// The index as full-text search knows it; nil when it is of another kind.
    ///
    /// - Throws: ``TroveError/invalidFullTextFields(reason:)``.
    func fullTextIndex() throws -> FullTextIndex? {
        guard case .fullText = schema.kind else { return nil }
        return try schema.fullTextIndex(named: keyspaceName, of: modelName)
    }

    /// The index as substring search knows it; nil when it is of another kind.
    var substringIndex: SubstringIndex? { schema.substringIndex(named: keyspaceName, of: modelName) }

    /// The inverted index of words or trigrams; nil when it is of values.
    func invertedIndex() throws -> InvertedIndex? {
        try schema.invertedIndex(named: keyspaceName, of: modelName)
    }

    /// The texts of a record that the index is made of, one a part: a collection's members in lines.
    func texts(of record: RecordView) throws -> [String?] {
        try fields.texts.map { try $0.text(of: record) }
    }
}

extension IndexSchema {
    fileprivate func substringIndex(named keyspace: String, of model: String) -> SubstringIndex? {
        guard kind == .substring else { return nil }
        return SubstringIndex(name: keyspace, model: model, title: name, ignoresDiacritics: ignoresDiacritics, fieldCount: parts.count)
    }

    /// Whether an index of trigrams has texts without accents. Its text is one.
    private var ignoresDiacritics: Bool { parts.contains { $0.ignoring.contains(.diacritics) } }

    /// What the texts of an index of trigrams are without; nil for an index of another kind.
    var trigramFolding: TextFolding? { kind == .substring ? SubstringIndex.folding(ignoresDiacritics: ignoresDiacritics) : nil }

    /// The inverted index of a model with entries in the keyspace of this name; nil when the index is one of values.
    ///
    /// - Throws: ``TroveError/invalidFullTextFields(reason:)``.
    func invertedIndex(named keyspace: String, of model: String) throws -> InvertedIndex? {
        switch kind {
        case .ordered, .blind, .paths: nil
        case .fullText: try fullTextIndex(named: keyspace, of: model).inverted
        case .substring: substringIndex(named: keyspace, of: model)?.inverted
        }
    }
}

/// Keeps an index of words or trigrams in step with the records.
final class WordIndexMaintainer: IndexMaintainer {
    /// The change noted last, which counts when it is accepted.
    private struct Change {
        let key: [UInt8]
        let old: [String?]?
        let new: [String?]?
    }

    let binding: IndexBinding
    private let writer: any StorageWriter
    private let inverted: InvertedIndex
    private let changes: InvertedIndexWriter
    private var noted: Change?
    /// The engine's key of the last record that is in the index while it is being built; nil when all are.
    private let lastKey: [UInt8]?

    /// - Parameter lastKey: where the building of the index has come to; nil for a whole one.
    init(_ binding: IndexBinding, _ inverted: InvertedIndex, upTo lastKey: [UInt8]?, _ writer: any StorageWriter) {
        self.binding = binding
        self.inverted = inverted
        self.lastKey = lastKey
        self.writer = writer
        changes = InvertedIndexWriter(inverted)
    }

    var bufferedSize: Int { changes.memorySize }

    func note(_ change: RecordTransition) throws {
        let (old, new) = (change.old, change.new)
        noted = nil
        guard let key = (new ?? old)?.key else { return }
        // The build has not come to this record.
        if let lastKey, lastKey.span.bytes.precedes(key.bytes) { return }
        if let old, let new, let sources = binding.fields.sources, try new.agrees(with: old, in: sources) { return }
        let oldTexts: [String?]?
        do {
            oldTexts = try old.map { try binding.texts(of: $0) }
        } catch {
            throw OldRecordFault(underlying: error)
        }
        let newTexts = try new.map { try binding.texts(of: $0) }
        if !Self.areIdentical(oldTexts, newTexts) { noted = Change(key: [UInt8](key), old: oldTexts, new: newTexts) }
    }

    /// Whether two records have the same bytes of text. Texts that Swift calls equal may be written with other scalars, and then have other terms.
    private static func areIdentical(_ left: [String?]?, _ right: [String?]?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.elementsEqual(right) { left, right in
            guard let left, let right else { return left == nil && right == nil }
            return left.utf8.elementsEqual(right.utf8)
        }
    }

    func accept() throws {
        guard let change = noted else { return }
        noted = nil
        try changes.replace(change.key.span.bytes, old: change.old, new: change.new)
    }

    func undo() { noted = nil }

    func announce() throws { try changes.announce(to: writer) }

    func flush(insideBatch: Bool) throws { try changes.flush(into: writer) }

    func discard() {
        noted = nil
        changes.discard()
    }

    func noteRemovalOfAll(in records: Keyspace) throws {
        discard()
        for name in [inverted.postingsName, inverted.documentsName, inverted.keysName] {
            if let keyspace = try writer.keyspace(named: name) { try writer.deleteRange(.all, in: keyspace) }
        }
    }
}
