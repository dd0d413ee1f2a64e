import Foundation
import TestSupport
import Trove

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What a forked child does with a store that its parent has open.
package enum ForkedUse: String, CaseIterable, Sendable {
    /// Is forked inside a read of its parent's: calls everything, closes the store, then fills another one.
    case insideARead
    /// Is forked inside a write, and comes to its end.
    case insideAWrite
    /// Is forked while a snapshot is open: closes its store, and reads it.
    case besideASnapshot

    /// Fills a store, forks, lets the child use the store, and goes on with it; prints what the child has met, or what is wrong with the store afterwards.
    static func run(_ use: String, _ engine: String, _ path: String, count: Int) throws -> String {
        guard let use = ForkedUse(rawValue: use), let engine = Engine(rawValue: engine) else { throw Inconsistency("there is no use '\(use)' of '\(engine)'") }
        let store = try engine.open(path)
        try store.write(.relaxed) { writer in try fill(writer, from: 0, count) }
        let report: String
        switch use {
        case .insideAWrite: report = try forkedInsideWrite(store, count)
        case .besideASnapshot: report = try forkedBesideSnapshot(engine, path + ".objects")
        case .insideARead:
            // A snapshot that the child could free, and that the next write may then write over.
            report = try store.read { reader in
                let report = try inChild { try useEverything(of: store, engine, path, count) }
                guard try self.count(reader) == count else { throw Inconsistency("the parent's snapshot has changed") }
                return report
            }
        }
        try store.write(.relaxed) { writer in try fill(writer, from: count, count) }
        let found = try store.read { reader in try self.count(reader) }
        try store.checkStructure()
        try store.close()
        let reopened = try engine.open(path)
        let kept = try reopened.read { reader in try self.count(reader) }
        try reopened.close()
        return found == 2 * count && kept == found ? report : "the parent found \(found) entries, then \(kept)"
    }

    /// What a child may call, all of which is refused but closing, and a store of its own, which is not.
    private static func useEverything(of store: any StorageBackend, _ engine: Engine, _ path: String, _ count: Int) throws {
        let calls: [() throws -> Void] = [
            { try store.read { _ in } }, { try store.write(.relaxed) { _ in } }, { try store.compact() }, { try store.synchronize() },
            { _ = try store.statistics() }, { try store.checkStructure() }, { try store.backUp(to: path + ".copy") }, { _ = try engine.open(path) },
        ]
        for (number, call) in calls.enumerated() {
            do { try call() } catch StorageError.openedBeforeFork { continue }
            throw Inconsistency("call \(number) went through")
        }
        try store.close()
        let own = try engine.open(path + ".child")
        try own.write(.relaxed) { writer in try fill(writer, from: 0, count) }
        let found = try own.read { reader in try self.count(reader) }
        try own.close()
        guard found == count else { throw Inconsistency("the child's own store has \(found) entries") }
    }

    /// The child returns from the body of the write, as its parent does.
    private static func forkedInsideWrite(_ store: any StorageBackend, _ count: Int) throws -> String {
        var fork: Fork?
        var ending: Result<Void, any Error>
        do {
            try store.write(.relaxed) { writer in
                try fill(writer, from: 0, count)
                fork = try fork ?? Fork()
            }
            ending = .success(())
        } catch {
            ending = .failure(error)
        }
        guard let fork else { throw Inconsistency("nothing was forked") }
        if fork.isChild { fork.end(with: ending) }
        try ending.get()
        return try fork.report()
    }

    /// The child has the snapshot's reader, and not the thread that keeps it.
    private static func forkedBesideSnapshot(_ engine: Engine, _ path: String) throws -> String {
        let store = try ObjectStore(engine.open(path), models: [])
        let snapshot = try store.snapshot()
        let report = try inChild {
            guard snapshot.isClosed else { throw Inconsistency("the parent's snapshot is the child's") }
            snapshot.close()
            try store.close()
            _ = try snapshot.counts()
        }
        guard try snapshot.counts().isEmpty else { throw Inconsistency("the parent's snapshot has changed") }
        try store.close()
        return report
    }

    private static func inChild(_ body: () throws -> Void) throws -> String {
        let fork = try Fork()
        if fork.isChild { fork.end(with: Result { try body() }) }
        return try fork.report()
    }

    private static func fill(_ writer: any StorageWriter, from first: Int, _ count: Int) throws {
        let keyspace = try writer.createKeyspace(named: "data")
        for number in first..<first + count { try writer.put(Array("entry \(number)".utf8), [UInt8](repeating: 1, count: 200), in: keyspace) }
    }

    private static func count(_ reader: any StorageReader) throws -> Int {
        try reader.keyspace(named: "data").map { try reader.count(in: $0) } ?? 0
    }
}

/// A process and the child that it has forked, which tells its parent one line.
private struct Fork {
    /// Swift has no `fork`, since a child has one thread only, and whatever lock another one held stays locked there.
    private typealias Function = @convention(c) () -> pid_t

    private let child: pid_t
    private let reading, writing: Int32

    var isChild: Bool { child == 0 }

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, let symbol = dlsym(dlopen(nil, RTLD_NOW), "fork") else { throw Inconsistency("the system cannot fork") }
        (reading, writing) = (ends[0], ends[1])
        child = unsafeBitCast(symbol, to: Function.self)()
        guard child >= 0 else { throw Inconsistency("forking failed: \(String(cString: strerror(errno)))") }
    }

    /// Ends the child; its parent is told the name of the error.
    func end(with outcome: Result<Void, any Error>) -> Never {
        var text = "nothing"
        if case .failure(let error) = outcome { text = (error as? StorageError)?.name ?? "\(error)" }
        let bytes = Array(text.utf8)
        _ = write(writing, bytes, bytes.count)
        _exit(0)
    }

    /// What the child has told, once it has ended.
    func report() throws -> String {
        close(writing)
        defer { close(reading) }
        var bytes = [UInt8](repeating: 0, count: 1_000)
        let count = read(reading, &bytes, bytes.count)
        var status: Int32 = 0
        guard waitpid(child, &status, 0) == child, status == 0, count > 0 else { throw Inconsistency("the child ended with status \(status)") }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
