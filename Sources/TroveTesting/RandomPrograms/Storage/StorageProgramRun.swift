import Foundation
import TroveStorage

/// One run of a program on one engine.
final class StorageProgramRun {
    /// The error that bodies throw on purpose.
    struct Deliberate: Error, Equatable {
        let depth: Int
    }

    let log: ProgramLog<StorageAnswer>
    private let factory: BackendFactory
    private let directory: String
    private var file = 0
    private var opened: [any StorageBackend] = []
    /// Where stores and copies may be.
    private var paths: Set<String> = []
    private var snapshots = 0
    /// Where the program is, for messages.
    private var place = ""

    private init(_ factory: BackendFactory, _ log: ProgramLog<StorageAnswer>) throws {
        self.factory = factory
        self.log = log
        directory = NSTemporaryDirectory() + "/trove-program-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    /// Runs a program on an engine; returns its answers.
    ///
    /// - Throws: ``ProgramMismatch`` when they are not `expected`; what the engine throws that the program does not provoke.
    static func answers(of steps: [StorageStep], on factory: BackendFactory, expected: [StorageAnswer]? = nil) throws -> [StorageAnswer] {
        let run = try StorageProgramRun(factory, ProgramLog(expected: expected) { $0.difference(to: $1) })
        let outcome = Result { try run.execute(steps) }
        let cleaned = Result { try run.cleanUp() }
        // What went wrong first tells more.
        try outcome.get()
        try cleaned.get()
        return run.log.answers
    }

    private func execute(_ steps: [StorageStep]) throws {
        var store = try open()
        for (position, step) in steps.enumerated() {
            do {
                try run(step, in: &store, "step \(position)")
            } catch let error as StorageError {
                throw ProgramMismatch(place: place, difference: "found an error, expected none: \(error)")
            }
        }
        try log.finish()
    }

    /// Where the newest store or copy is.
    private func newestPath() -> String {
        let path = "\(directory)/store\(file)"
        paths.insert(path)
        return path
    }

    private func open() throws -> any StorageBackend {
        let store = try factory.open(newestPath())
        opened.append(store)
        return store
    }

    /// Closes all stores and removes them and their copies, as far as that can be done; throws what could not be done first.
    private func cleanUp() throws {
        let closings = opened.map { store in Result { try store.close() } }
        let removals = paths.sorted().map { path in Result { try factory.destroy(path) } }
        let ending = Result { try FileManager.default.removeItem(atPath: directory) }
        for outcome in closings + removals + [ending] { try outcome.get() }
    }

    // MARK: Steps

    private func run(_ step: StorageStep, in store: inout any StorageBackend, _ name: String) throws {
        place = name
        switch step {
        case .write(let level, let operations, let fails):
            try write(level, operations, fails: fails, in: store)
        case .read(let operations):
            try store.read { reader in
                for (position, operation) in operations.enumerated() { try perform(operation, ProgramTransaction(reader), "\(name), operation \(position)") }
            }
        case .snapshot(let steps):
            try hold(steps, in: &store, name)
        case .reopen:
            guard factory.isPersistent, snapshots == 0 else { break }
            try store.close()
            store = try open()
        case .compact:
            if snapshots == 0 { try store.compact() }
        case .synchronize:
            try store.synchronize()
        case .backUp(let goOn):
            try backUp(&store, goOn: goOn && snapshots == 0)
        }
        place = "\(name), the contents after it"
        try log.record(.contents(try store.read { try $0.everything() }), at: place)
    }

    private func write(_ level: StorageStep.Level, _ operations: [StorageOperation], fails: Bool, in store: any StorageBackend) throws {
        let name = place
        let mark = log.answers.count
        let durability: Durability =
            switch level {
            case .relaxed: .relaxed
            case .buffered: .buffered
            case .durable: .durable
            }
        do {
            try store.write(durability) { writer in
                // The body may run twice.
                log.rewind(to: mark)
                for (position, operation) in operations.enumerated() { try perform(operation, ProgramTransaction(writer), "\(name), operation \(position)") }
                place = "\(name), its end"
                if fails { throw Deliberate(depth: 0) }
            }
            try log.record(.flag(true), at: name)
        } catch let error as Deliberate where error.depth == 0 {
            try log.record(.undone, at: name)
        }
    }

    /// Runs steps while a snapshot is held that has to stay as it is.
    private func hold(_ steps: [StorageStep], in store: inout any StorageBackend, _ name: String) throws {
        func runAll(_ store: inout any StorageBackend) throws {
            for (position, step) in steps.enumerated() { try run(step, in: &store, "\(name), held step \(position)") }
        }
        guard store.capabilities.canWriteInsideRead else { return try runAll(&store) }
        snapshots += 1
        defer { snapshots -= 1 }
        var current = store
        try store.read { reader in
            let before = StorageAnswer.contents(try reader.everything())
            try runAll(&current)
            let after = StorageAnswer.contents(try reader.everything())
            guard before == after else {
                throw ProgramMismatch(place: "\(name), the snapshot after its steps", difference: before.difference(to: after))
            }
        }
    }

    /// Makes a backup and compares it.
    private func backUp(_ store: inout any StorageBackend, goOn: Bool) throws {
        let name = place
        let expected = StorageAnswer.contents(try store.read { try $0.everything() })
        file += 1
        do {
            try store.backUp(to: newestPath())
        } catch StorageError.unsupported {
            file -= 1
            return
        }
        let copy = try open()
        let found = StorageAnswer.contents(try copy.read { try $0.everything() })
        guard found == expected else {
            throw ProgramMismatch(place: "\(name), the copy", difference: expected.difference(to: found))
        }
        if goOn {
            try store.close()
            store = copy
        } else {
            try copy.close()
            // The next copy needs a free place.
            try factory.destroy(newestPath())
            file -= 1
        }
    }

    // MARK: Operations

    func perform(_ operation: StorageOperation, _ transaction: ProgramTransaction, _ name: String, depth: Int = 1) throws {
        place = name
        do {
            if let answer = try answer(to: operation, transaction, name, depth: depth) { try log.record(answer, at: name) }
        } catch let error as StorageError {
            // Refused arguments are part of programs; anything else is not.
            guard case .emptyKey = error else { throw error }
            try log.record(.refused(error.name), at: name)
        }
    }
}
