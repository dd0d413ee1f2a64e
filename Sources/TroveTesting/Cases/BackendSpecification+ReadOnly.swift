import Foundation
import TroveStorage

extension BackendSpecification {
    /// Stores that are opened for reading only, where ``StorageCapabilities/opensReadOnly`` says that they can be, with the help of
    /// ``BackendFactory/openReadOnly``.
    static let readOnly: [SpecificationCase] = [
        SpecificationCase("readOnly.reads", "A store that is opened for reading only gives what was committed, and can be backed up.") { run in
            try withReadOnlyStore(run, of: .numbered(0..<2_000, valueSize: 50)) { store in
                try run.equal(try store.entries() ?? [], .numbered(0..<2_000, valueSize: 50), "the contents")
                try run.equal(try store.reading { try $0.count(in: $1) }, 2_000, "the number of entries")
                try run.equal(try store.statistics().keyspaceCount, 1, "the number of keyspaces")
                try run.onThreads(4) { _ in
                    for number in 0..<50 {
                        let value = try store.reading { try $0.value(of: .number(number), in: $1) }
                        try run.equal(value?.count, 50, "the size of value \(number)")
                    }
                }
                try store.checkStructure()
                try store.backUp(to: run.path("copy"))
                try run.equal(try run.open("copy").entries()?.count, 2_000, "the number of entries of the backup")
            }
        },
        SpecificationCase(
            "readOnly.refuses-changes", "A write and a compaction of it throw readOnly, which writeRefusal gives too, and change nothing."
        ) { run in
            try withReadOnlyStore(run, of: [Entry([1], [1])]) { store in
                let refusal = store.writeRefusal
                try run.check(store.isReadOnly, "isReadOnly to be true", found: "false")
                try run.fails(with: StorageError.readOnly, "writeRefusal") { if let refusal { throw refusal } }
                for level in Durability.allCases {
                    try run.fails(with: StorageError.readOnly, "a write of level \(level)") { try store.fill([Entry([2], [2])], durability: level) }
                }
                try run.fails(with: StorageError.readOnly, "a compaction") { try store.compact() }
                try store.synchronize()
                try run.equal(try store.entries() ?? [], [Entry([1], [1])], "the contents afterwards")
                try store.close()
                try run.fails(with: StorageError.closed, "a write after the close") { try store.fill([Entry([2], [2])]) }
                try run.equal(try run.open().entries() ?? [], [Entry([1], [1])], "the contents when it is opened for writing again")
            }
        },
        SpecificationCase("readOnly.no-store", "Where there is no store, opening one for reading only throws noSuchStore and makes none.") { run in
            guard let open = try opener(of: run) else { return }
            try run.fails(with: StorageError.noSuchStore, "opening what is not there") { try run.keep(open(run.path("none"))) }
            try run.check(!FileManager.default.fileExists(atPath: run.path("none")), "no file to be made", found: "one")
        },
        SpecificationCase("readOnly.changes-no-file", "Reading a store that is opened so, and closing it, leaves its file as it was.") { run in
            func facts() throws -> [String] {
                let attributes = try FileManager.default.attributesOfItem(atPath: run.path())
                return ["\(String(describing: attributes[.modificationDate]))", "\(String(describing: attributes[.systemFileNumber]))"]
            }
            func bytes() -> Data? { FileManager.default.contents(atPath: run.path()) }
            guard let open = try opener(of: run) else { return }
            try fillAndClose(run, .numbered(0..<500))
            let (before, bytesBefore) = (try facts(), bytes())
            let store = try run.keep(open(run.path()))
            try run.equal(try store.entries()?.count, 500, "the number of entries")
            try store.synchronize()
            try store.close()
            try run.check(bytes() == bytesBefore, "the bytes of the file to stay", found: "others")
            try run.equal(try facts(), before, "the date and the identity of the file")
        },
        SpecificationCase(
            "readOnly.beside-a-writer", "Opened so while it is open for writing in the process, it sees each commit, refuses changes, and closes for itself."
        ) { run in
            guard let open = try opener(of: run) else { return }
            let writer = try run.open()
            try writer.fill([Entry([1], [1])])
            let reader = try run.keep(open(run.path()))
            try writer.fill([Entry([2], [2])])
            try run.equal(try reader.entries()?.count, 2, "the number of entries seen")
            try run.fails(with: StorageError.readOnly, "a write through the one that only reads") { try reader.fill([Entry([9], [9])]) }
            try reader.close()
            try writer.fill([Entry([3], [3])])
            try run.equal(try writer.entries()?.count, 3, "the number of entries after the other was closed")
        },
    ]

    private static func fillAndClose(_ run: SpecificationRun, _ entries: [Entry]) throws {
        let store = try run.open()
        try store.fill(entries, durability: .durable)
        try store.close()
    }

    /// Fills a store, closes it, and opens it for reading only.
    private static func withReadOnlyStore(_ run: SpecificationRun, of entries: [Entry], _ body: (any StorageBackend) throws -> Void) throws {
        guard let open = try opener(of: run) else { return }
        try fillAndClose(run, entries)
        let store = try run.keep(open(run.path()))
        try body(store)
        try store.close()
    }

    /// What opens a store for reading only; nil where the engine cannot.
    private static func opener(of run: SpecificationRun) throws -> (@Sendable (String) throws -> any StorageBackend)? {
        guard run.factory.isPersistent, try run.open("capable").capabilities.opensReadOnly else { return nil }
        guard let open = run.factory.openReadOnly else { throw run.failure("the factory to give openReadOnly", found: "nil") }
        return open
    }
}
