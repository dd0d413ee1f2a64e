import Foundation
import TestSupport
import Trove
import TroveTesting

/// One run of a program on one engine, or on those that it is copied to.
final class ObjectProgramRun {
    struct Deliberate: Error, Equatable {
        let depth: Int
    }

    let log: ProgramLog<ObjectAnswer>
    private var engine: Engine
    private let directory: TemporaryDirectory
    private var file = 0
    private var version = 1
    private var backend: any StorageBackend
    private var store: ObjectStore

    private init(_ engine: Engine, _ log: ProgramLog<ObjectAnswer>) throws {
        self.engine = engine
        self.log = log
        directory = try TemporaryDirectory()
        backend = try engine.open(directory.file("store0"))
        store = try Self.open(backend, version: 1)
        try store.keepHistory(.values)
    }

    /// Runs a program on an engine; returns every byte that the engine has at its end but the store's identity.
    ///
    /// - Throws: ``ProgramMismatch`` when the answers are not `expected`; what the store throws that the program does not provoke.
    static func run(_ steps: [ObjectStep], on engine: Engine, expected: [ObjectAnswer]) throws -> [String: [[UInt8]]] {
        let run = try ObjectProgramRun(engine, ProgramLog(expected: expected) { $0.difference(to: $1) })
        let outcome = Result { try run.execute(steps) }
        let closed = Result { try run.backend.close() }
        let contents = try outcome.get()
        try closed.get()
        return contents
    }

    /// The answers that a program should have.
    static func expectedAnswers(of steps: [ObjectStep]) throws -> [ObjectAnswer] {
        let log = ProgramLog<ObjectAnswer> { $0.difference(to: $1) }
        var oracle = ObjectOracle()
        for (position, step) in steps.enumerated() {
            let place = "step \(position)"
            switch step {
            case .write(let operations, let fails):
                var after = oracle
                for (number, operation) in operations.enumerated() {
                    try after.perform(operation, log: { try log.record(.text($0), at: $1) }, place: "\(place), operation \(number)")
                }
                after.settle()
                if !fails { oracle = after }
            case .read(let queries):
                for query in queries { try log.record(.text(oracle.answer(query)), at: place) }
            case .schema(let version): oracle.open(version: min(max(version, 1), 3))
            default: break
            }
            try log.record(.lines(oracle.lines), at: place)
        }
        return log.answers
    }

    private static func open(_ backend: any StorageBackend, version: Int) throws -> ObjectStore {
        try ObjectStore(
            backend, durability: .relaxed, models: ItemVersion.all[version - 1].type, ProgramBox.self, ProgramPart.self, ProgramLock.self,
            ProgramEntry.self)
    }

    /// The version of the items that the program is at.
    var items: ItemVersion { ItemVersion.all[version - 1] }

    // MARK: Steps

    private func execute(_ steps: [ObjectStep]) throws -> [String: [[UInt8]]] {
        for (position, step) in steps.enumerated() {
            let place = "step \(position)"
            do {
                try run(step, place)
                try log.record(.lines(try store.read { try lines(in: $0) }), at: "\(place), the objects after it")
            } catch let error as ProgramMismatch {
                throw error
            } catch {
                throw ProgramMismatch(place: place, difference: "found an error, expected none: \(error)")
            }
        }
        try log.finish()
        try verify("the end")
        try replayHistory()
        return try contents()
    }

    private func run(_ step: ObjectStep, _ place: String) throws {
        switch step {
        case .write(let operations, let fails): try write(operations, fails: fails, place)
        case .read(let queries):
            try store.read { transaction in
                for query in queries { try log.record(.text(try items.answer(self, query, transaction)), at: place) }
            }
        case .reopen: try reopen()
        case .schema(let number):
            guard number > version else { break }
            version = min(number, 3)
            try reopen()
            try verify(place)
        case .upgrade(let batchSize):
            try items.upgrade(store, batchSize)
            try verify(place)
        case .rebuildIndexes:
            try items.rebuildIndexes(store)
            try store.rebuildIndexes(of: ProgramBox.self)
        case .copy(let number): try copy(to: Engine.allCases[abs(number) % Engine.allCases.count])
        case .compact: try store.compact()
        case .backUp(let goOn): try backUp(goOn: goOn, place)
        case .verify: try verify(place)
        }
    }

    private func write(_ operations: [ObjectOperation], fails: Bool, _ place: String) throws {
        let mark = log.answers.count
        do {
            try store.write { transaction in
                // The body may run twice.
                log.rewind(to: mark)
                for (number, operation) in operations.enumerated() {
                    try items.perform(self, operation, transaction, "\(place), operation \(number)")
                }
                if fails { throw Deliberate(depth: 0) }
            }
        } catch let error as Deliberate where error.depth == 0 {}
    }

    private func reopen() throws {
        if engine != .memory {
            try store.close()
            backend = try engine.open(directory.file("store\(file)"))
        }
        store = try Self.open(backend, version: version)
    }

    private func copy(to engine: Engine) throws {
        file += 1
        let target = try engine.open(directory.file("store\(file)"))
        do {
            try store.copy(to: target)
        } catch {
            try target.close()
            throw error
        }
        try goOn(in: target, engine)
    }

    private func goOn(in target: any StorageBackend, _ engine: Engine) throws {
        try store.close()
        self.engine = engine
        backend = target
        store = try Self.open(backend, version: version)
    }

    private func backUp(goOn: Bool, _ place: String) throws {
        guard engine != .memory else { return }
        file += 1
        try store.backUp(to: directory.file("store\(file)"))
        let copy = try engine.open(directory.file("store\(file)"))
        if goOn { return try self.goOn(in: copy, engine) }
        let lines = try Self.open(copy, version: version).read { try self.lines(in: $0) }
        let expected = try store.read { try self.lines(in: $0) }
        try copy.close()
        // The file stays, and so does the number of the store that is open.
        try FileManager.default.moveItem(atPath: directory.file("store\(file)"), toPath: directory.file("backup-\(UUID().uuidString)"))
        file -= 1
        if lines != expected {
            throw ProgramMismatch(place: "\(place), the backup", difference: ObjectAnswer.lines(expected).difference(to: .lines(lines)))
        }
    }

    private func verify(_ place: String) throws {
        let report = try store.verify()
        guard report.isSound else { throw ProgramMismatch(place: "\(place), verification", difference: "found \(report.problems.prefix(5))") }
    }

    /// The history makes the objects that there are of nothing, whatever was upgraded, copied or taken back.
    private func replayHistory() throws {
        var records: [AnyReference: StoredRecord] = [:]
        var token: HistoryToken?
        while case let (entries, next) = try store.history(after: token, limit: 20), !entries.isEmpty {
            for change in entries.flatMap(\.changes) {
                let (known, old, new) = (records[change.reference], change.oldRecord, change.newRecord)
                let isKnown = known.map { known in old.map { $0.isIdentical(to: known) } ?? false } ?? (old == nil)
                guard isKnown, (old == nil) == (change.kind == .insertion), (new == nil) == (change.kind == .deletion) else {
                    throw ProgramMismatch(place: "the history at \(next)", difference: "\(change.kind) of \(change.reference) does not follow what came before")
                }
                records[change.reference] = new
            }
            token = next
        }
        try store.fetchRecords(of: store.read { try $0.modelNames() }).forEach { record, _ in
            guard let replayed = records.removeValue(forKey: AnyReference(modelName: record.modelName, keyBytes: record.key)), replayed.isIdentical(to: record) else {
                throw ProgramMismatch(place: "the history", difference: "it has not made the \(record.modelName) \(record.key)")
            }
        }
        if let left = records.first { throw ProgramMismatch(place: "the history", difference: "it has made \(left.key), which is not there") }
    }

    /// Every entry of every keyspace but what has random numbers: the store's identity, the stamp of its list of indexes, and its history.
    private func contents() throws -> [String: [[UInt8]]] {
        try backend.read { (reader: any StorageReader) -> [String: [[UInt8]]] in
            var contents: [String: [[UInt8]]] = [:]
            for name in try reader.keyspaceNames() {
                guard name != "$history", let keyspace = try reader.keyspace(named: name) else { continue }
                var entries: [[UInt8]] = []
                try reader.scan(in: keyspace) { key, value in
                    let key = [UInt8](copying: key)
                    if name != "$catalogue" || ![Array("store".utf8), Array("indexes".utf8)].contains(key) { entries += [key, [UInt8](copying: value)] }
                    return .next
                }
                contents[name] = entries
            }
            return contents
        }
    }
}
