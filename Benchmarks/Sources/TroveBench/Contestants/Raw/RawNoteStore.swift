import Foundation
import RawEngines
import Trove

/// An open store of documents without a type of the C program on SQLite.
///
/// `@unchecked Sendable`: the engine's handle has no lock, and a workload calls it from one task at a time.
final class RawNoteStore: NoteStore, @unchecked Sendable {
    private let store: OpaquePointer

    init(path: String, _ place: StorePlace) throws {
        var store: OpaquePointer?
        try RawError.check(raw_notes_message, raw_notes_open(path, raw_durability(UInt32(place.durability.rawValue)), &store))
        guard let store else { throw BenchmarkError("the engine gave no handle") }
        self.store = store
    }

    func insertion(of data: NoteData, batch: Int) throws -> () throws -> Void {
        let made = try MadeNotes(data)
        return {
            for first in stride(from: 0, to: data.count, by: batch) {
                let code = raw_notes_insert(self.store, made.notes.baseAddress.map { UnsafePointer($0 + first) }, min(batch, data.count - first))
                try RawError.check(raw_notes_message, code)
            }
        }
    }

    func documents(by authors: [String]) throws -> () throws -> Tally {
        let texts = TextArena()
        let authors = authors.map(texts.add)
        let path = texts.add(NoteData.authorPath)
        return {
            try withExtendedLifetime(texts) {
                var tally = raw_tally()
                for author in authors {
                    try withUnsafePointer(to: path) { path in
                        try withUnsafePointer(to: author) { author in try RawError.check(raw_notes_message, raw_notes_find(self.store, path, author, &tally)) }
                    }
                }
                return Tally(tally)
            }
        }
    }

    func count() throws -> Int {
        var count: Int64 = 0
        try RawError.check(raw_notes_message, raw_notes_count(store, &count))
        return Int(count)
    }

    func close() throws { try RawError.check(raw_notes_message, raw_notes_close(store)) }
}

/// Documents as the C program takes them, and the memory that they point into.
private final class MadeNotes {
    let notes: UnsafeMutableBufferPointer<raw_note>
    private let leaves: UnsafeMutableBufferPointer<raw_leaf>
    private let keys: UnsafeMutableBufferPointer<UInt8>
    private let texts = TextArena()

    /// - Throws: what making a document's text throws.
    init(_ data: NoteData) throws {
        let leafCount = data.leaves(0).count
        notes = .allocate(capacity: data.count)
        leaves = .allocate(capacity: data.count * leafCount)
        keys = .allocate(capacity: data.count * raw_key_size)
        let paths = Dictionary(uniqueKeysWithValues: data.leaves(0).map { ($0.path, texts.add($0.path)) })
        for number in 0..<data.count {
            let key = keys.baseAddress! + number * raw_key_size
            _ = UnsafeMutableBufferPointer(start: key, count: raw_key_size).initialize(fromContentsOf: NoteData.id(number).keyBytes)
            for (position, leaf) in data.leaves(number).enumerated() {
                leaves.initializeElement(at: number * leafCount + position, to: Self.leaf(paths[leaf.path]!, leaf.value, texts))
            }
            // The number in front of the text: what a program would decode of the archive.
            let head = String(decoding: [UInt8](repeating: 0, count: 8), as: UTF8.self)
            let archive = texts.add(head + (try data.document(number).json()))
            UnsafeMutableRawPointer(mutating: archive.bytes!).storeBytes(of: Int64(number).littleEndian, as: Int64.self)
            notes.initializeElement(
                at: number, to: raw_note(key: key, archive: archive, leaves: UnsafePointer(leaves.baseAddress! + number * leafCount), leaf_count: leafCount))
        }
    }

    deinit {
        notes.deallocate()
        leaves.deallocate()
        keys.deallocate()
    }

    private static func leaf(_ path: raw_text, _ value: StoredValue, _ texts: TextArena) -> raw_leaf {
        var leaf = raw_leaf()
        leaf.path = path
        switch value {
        case .string(let text): (leaf.kind, leaf.text) = (raw_leaf_text, texts.add(text))
        case .int(let number): (leaf.kind, leaf.integer) = (raw_leaf_integer, number)
        case .bool(let isTrue): (leaf.kind, leaf.integer) = (raw_leaf_integer, isTrue ? 1 : 0)
        case .double(let number): (leaf.kind, leaf.real) = (raw_leaf_real, number)
        case .date(let date): (leaf.kind, leaf.real) = (raw_leaf_real, date.timeIntervalSinceReferenceDate)
        default: preconditionFailure("the documents have no such values")
        }
        return leaf
    }
}
