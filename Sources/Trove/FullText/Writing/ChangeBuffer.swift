/// The changes of one write transaction, gathered in memory until they are merged into the index.
struct ChangeBuffer: ~Copyable {
    /// What has become of a document.
    struct Document: BitwiseCopyable {
        /// Whether the index holds it already.
        let isStored: Bool
        /// Whether it is to be in the index after the changes.
        var isPresent: Bool
        /// Its length in words after the changes.
        var length: UInt32
    }

    private let index: InvertedIndex
    private var extractor: TermExtractor
    private(set) var terms = ByteTable()
    private(set) var keys = ByteTable()
    private(set) var documents: [Document] = []
    /// The document of each change.
    private(set) var changes: [UInt32] = []
    private(set) var entries: ContiguousArray<TermChanges.Entry> = []
    /// By how much the documents and their words have grown.
    private(set) var documentGrowth = 0
    private(set) var wordGrowth = 0
    /// The terms of a document before and after, while they are compared.
    private var before: ContiguousArray<TermChanges.Entry> = []
    private var after: ContiguousArray<TermChanges.Entry> = []

    init(_ index: InvertedIndex) {
        self.index = index
        extractor = TermExtractor(index.terms)
    }

    var isEmpty: Bool { changes.isEmpty }

    /// About how many bytes the changes take, with what merging them needs.
    var memorySize: Int {
        2 * entries.count * MemoryLayout<TermChanges.Entry>.stride + terms.memorySize + keys.memorySize + documents.count * 32
    }

    /// Takes the change of one document, whose texts were `old` and are `new`; nil for none.
    ///
    /// - Throws: ``TroveError/corruptIndex(model:index:reason:)`` when the change does not go with an earlier one of the document.
    mutating func replace(_ key: UnsafeBufferPointer<UInt8>, old: [String?]?, new: [String?]?) throws {
        if old == nil, new == nil { return }
        let document = try note(key, isStored: old != nil, isPresent: new != nil)
        let change = UInt32(changes.count)
        changes.append(UInt32(document))
        guard let old else {
            let length = Self.collect(new ?? [], change, &extractor, &terms, &entries)
            note(document, length: length, growth: length)
            return
        }
        before.removeAll(keepingCapacity: true)
        after.removeAll(keepingCapacity: true)
        let oldLength = Self.collect(old, change, &extractor, &terms, &before)
        let length = Self.collect(new ?? [], change, &extractor, &terms, &after)
        note(document, length: length, growth: length - oldLength)
        addDifferences(change)
    }

    /// Forgets everything and keeps the memory.
    mutating func removeAll() {
        terms.removeAll()
        keys.removeAll()
        documents.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        documentGrowth = 0
        wordGrowth = 0
    }

    // MARK: Documents

    /// The number of the changed document in this buffer.
    private mutating func note(_ key: UnsafeBufferPointer<UInt8>, isStored: Bool, isPresent: Bool) throws -> Int {
        let (document, isNew) = keys.number(of: key)
        if isNew {
            documents.append(Document(isStored: isStored, isPresent: isPresent, length: 0))
        } else if documents[document].isPresent == isStored {
            documents[document].isPresent = isPresent
        } else {
            throw index.corrupt(
                isStored ? "a document to be changed was removed" : "a document to be inserted is in the index already")
        }
        documentGrowth += (isPresent ? 1 : 0) - (isStored ? 1 : 0)
        return document
    }

    private mutating func note(_ document: Int, length: Int, growth: Int) {
        documents[document].length = UInt32(clamping: length)
        wordGrowth += growth
    }

    // MARK: Terms

    /// Puts the terms of texts into `entries`; returns how many there were.
    private static func collect(
        _ texts: [String?], _ change: UInt32, _ extractor: inout TermExtractor, _ terms: inout ByteTable,
        _ entries: inout ContiguousArray<TermChanges.Entry>
    ) -> Int {
        var length = 0
        for (field, text) in texts.enumerated() {
            guard var text else { continue }
            length += text.withUTF8 { bytes in
                extractor.forEachTerm(in: bytes) { term, position in
                    let number = UInt32(terms.number(of: term).number)
                    entries.append(.init(term: number, change: change, occurrence: Occurrence(field: field, position: position).rawValue))
                }
            }
        }
        return length
    }

    /// Adds what differs between the terms before and after: terms that are gone, and all occurrences of those that are new or moved.
    private mutating func addDifferences(_ change: UInt32) {
        before.sort(by: Self.isBelow)
        after.sort(by: Self.isBelow)
        var (old, new) = (0, 0)
        while old < before.count || new < after.count {
            let term = min(old < before.count ? before[old].term : .max, new < after.count ? after[new].term : .max)
            let (oldStart, newStart) = (old, new)
            while old < before.count, before[old].term == term { old += 1 }
            while new < after.count, after[new].term == term { new += 1 }
            if newStart == new {
                entries.append(.init(term: term, change: change, occurrence: TermChanges.removal))
            } else if !before[oldStart..<old].elementsEqual(after[newStart..<new], by: { $0.occurrence == $1.occurrence }) {
                entries.append(contentsOf: after[newStart..<new])
            }
        }
    }

    private static func isBelow(_ left: TermChanges.Entry, _ right: TermChanges.Entry) -> Bool {
        left.term == right.term ? left.occurrence < right.occurrence : left.term < right.term
    }
}

/// The changes of one term, by document: where it occurs from now on, or that it does not.
struct TermChanges: ~Copyable {
    /// What the buffer gathers of one occurrence.
    struct Entry: BitwiseCopyable {
        let term: UInt32
        /// The number of the change, of which later ones replace earlier ones of the same document.
        let change: UInt32
        /// An ``Occurrence``, or ``removal``.
        let occurrence: UInt64
    }

    /// Tells that the term no longer occurs in the document.
    static let removal = UInt64.max

    private var documents: [UInt64] = []
    /// Where the occurrences of each document begin; one more than there are documents.
    private var starts: [Int] = []
    private var all: [UInt64] = []

    var count: Int { documents.count }

    @inline(__always)
    borrowing func document(_ index: Int) -> UInt64 { documents[index] }

    /// Calls `body` with the occurrences in a document the term is not removed from.
    @inline(__always)
    borrowing func withOccurrences(_ index: Int, _ body: (UnsafeBufferPointer<UInt64>) -> Void) {
        all.withUnsafeBufferPointer { all in
            body(UnsafeBufferPointer(rebasing: all[starts[index]..<starts[index + 1]]))
        }
    }

    @inline(__always)
    borrowing func isRemoval(_ index: Int) -> Bool { all[starts[index]] == Self.removal }

    /// At most how many bytes the changes up to a document take in a block.
    borrowing func size(upTo bound: UInt64, from start: Int) -> Int {
        var index = start
        while index < count, documents[index] <= bound { index += 1 }
        return (index - start) * 6 + (starts[index] - starts[start]) * 4
    }

    /// Takes the entries of one term, ordered by document and change, of which `numbers` tells the documents; entries of documents
    /// without a number are left out. With `once` an occurrence more than one in a document counts for nothing.
    mutating func take(_ entries: UnsafeMutableBufferPointer<Entry>, numbers: UnsafeBufferPointer<UInt64>, once: Bool) {
        documents.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        all.removeAll(keepingCapacity: true)
        var change = UInt32.max
        for entry in entries {
            let number = numbers[Int(entry.change)]
            if number == .max { continue }
            if entry.change == change {
                if !once { all.append(entry.occurrence) }
                continue
            }
            change = entry.change
            if documents.last == number {
                all.removeSubrange(starts[starts.count - 1]...)
            } else {
                documents.append(number)
                starts.append(all.count)
            }
            all.append(entry.occurrence)
        }
        starts.append(all.count)
    }
}
