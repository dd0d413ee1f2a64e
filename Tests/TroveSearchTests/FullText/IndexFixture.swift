import Testing
import TestSupport

@testable import Trove

/// A full-text index on one engine, and the oracle that has the same documents.
final class IndexFixture {
    let directory: TemporaryDirectory
    let engine: Engine
    let index: FullTextIndex
    var oracle: FullTextOracle
    private(set) var backend: any StorageBackend
    /// Keeps a store in memory alive between closing and opening.
    private let anchor: (any StorageBackend)?

    init(_ engine: Engine, _ fields: FullTextFields, _ options: FullTextOptions = .init(), blockSize: Int = 900) throws {
        directory = try TemporaryDirectory()
        self.engine = engine
        var index = try FullTextIndex(name: "7", fields: fields, options: options)
        index.inverted.blockSize = blockSize
        self.index = index
        oracle = FullTextOracle(fields: fields)
        backend = try engine.open(directory.file())
        anchor = engine == .memory ? try engine.open(directory.file()) : nil
    }

    deinit {
        do {
            try backend.close()
            try anchor?.close()
        } catch {
            print("could not close \(engine): \(error)")
        }
    }

    func reopen() throws {
        try backend.close()
        backend = try engine.open(directory.file())
    }

    /// Changes documents in one transaction; nil removes one. What takes `memoryLimit` bytes is flushed between.
    func change(_ changes: [([UInt8], [String?]?)], memoryLimit: Int = .max) throws {
        let before = oracle
        try backend.write(.relaxed) { storage in
            oracle = before
            let writer = InvertedIndexWriter(index.inverted)
            for (key, texts) in changes {
                try writer.replace(key.span.bytes, old: oracle.documents[key], new: texts)
                oracle.documents[key] = texts
                if writer.memorySize >= memoryLimit { try writer.flush(into: storage) }
            }
            try writer.flush(into: storage)
        }
        oracle.prepare()
    }

    /// Runs `body` in a read transaction.
    func search<Result>(_ body: (FullTextSearch) throws -> Result) throws -> Result {
        var result: Result?
        try backend.read { result = try body(FullTextSearch(index: index, reader: $0)) }
        return try #require(result)
    }
}

extension FullTextSearch {
    /// The record keys of all objects the query finds, ascending.
    func recordKeys(matching query: FullTextQuery) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        let isOrdered = try forEachMatch(query) {
            keys.append([UInt8](copying: $0))
            return .next
        }
        if !isOrdered { keys.sort { $0.lexicographicallyPrecedes($1) } }
        return keys
    }
}
