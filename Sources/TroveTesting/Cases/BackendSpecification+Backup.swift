import Foundation
import TroveStorage

extension BackendSpecification {
    /// Copies of a store while it is in use. An engine without files refuses with unsupported.
    static let backup: [SpecificationCase] = [
        SpecificationCase("backup.equals", "A backup opens with the same backend and holds what the store held.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<3_000, valueSize: 90))
            try store.fill([Entry([1], .pattern(100_000)), Entry([2], [])], in: "other ' keyspace")
            guard try canBackUp(store, run) else { return }
            let before = try store.read { try $0.everything() }
            try store.backUp(to: run.path("copy"))
            try store.fill([Entry([9], [9])])
            let copy = try run.open("copy")
            try run.equal(try copy.read { try $0.everything() }, before, "the contents of the copy")
            try copy.fill([Entry([8], [8])])
            try run.equal(try store.entries()?.count, 3_001, "the number of entries of the original; the copy is a store of its own")
            try run.equal(try copy.entries()?.count, 3_001, "the number of entries of the copy after a write to it")
        },
        SpecificationCase("backup.while-in-use", "A backup taken beside writers and readers is one committed state.") { run in
            let store = try run.open()
            try store.fill([Entry].numbered(0..<500).map { Entry($0.key, .number(0)) })
            guard try canBackUp(store, run) else { return }
            let stop = run.signal("the backups to be done")
            let writer = run.worker {
                var round = 0
                while !stop.isRaised {
                    round += 1
                    try store.fill((0..<500).map { Entry(.number($0), .number(round)) }, durability: .relaxed)
                }
            }
            defer { stop.raise() }
            try store.read { reader in
                // A reader of the same thread that stays open must not hinder the copy, where the engine has snapshots.
                if store.capabilities.readersDuringWrite == .proceed { try store.backUp(to: run.path("inside a read")) }
                _ = try reader.keyspaceNames()
            }
            for number in 0..<5 { try store.backUp(to: run.path("copy \(number)")) }
            stop.raise()
            try writer.join()
            for number in 0..<5 {
                let entries = try run.open("copy \(number)").entries() ?? []
                try run.equal(entries.count, 500, "the number of entries of copy \(number)")
                try run.equal(Set(entries.map(\.value)).count, 1, "the number of different rounds in copy \(number)")
            }
        },
        SpecificationCase("backup.destination-exists", "A backup never overwrites: anything at the destination is destinationExists and stays as it was.") {
            run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            guard try canBackUp(store, run) else { return }
            var taken = ["copy", "store"]
            if run.factory.kind == .files {
                try Data("mine".utf8).write(to: URL(fileURLWithPath: run.path("file")))
                try FileManager.default.createDirectory(atPath: run.path("directory"), withIntermediateDirectories: false)
                taken += ["file", "directory"]
            }
            try store.backUp(to: run.path("copy"))
            for name in taken {
                try run.fails(with: StorageError.destinationExists, "a backup to a path that is taken (\(name))") {
                    try store.backUp(to: run.path(name))
                }
            }
            if run.factory.kind == .files {
                try run.equal(FileManager.default.contents(atPath: run.path("file")).map { [UInt8]($0) }, [UInt8]("mine"), "the file at the destination")
            }
            try run.equal(try store.entries() ?? [], .numbered(0..<10), "the contents of the store")
            try run.equal(try run.open("copy").entries() ?? [], .numbered(0..<10), "the contents of the first copy")
        },
        SpecificationCase("backup.failing", "A backup that cannot be written leaves nothing at the destination, and the store goes on.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            guard try canBackUp(store, run), run.factory.kind == .files else { return }
            try run.fails(with: StorageError.noSuchDirectory, "a backup into a directory that does not exist") {
                try store.backUp(to: run.path("absent/copy"))
            }
            try run.check(!FileManager.default.fileExists(atPath: run.path("absent")), "nothing at the destination", found: "a file")
            try store.fill([Entry([1], [1])])
            try run.equal(try store.entries()?.count, 11, "the number of entries")
        },
        SpecificationCase("backup.empty", "An empty store can be backed up.") { run in
            let store = try run.open()
            guard try canBackUp(store, run) else { return }
            try store.backUp(to: run.path("copy"))
            let copy = try run.open("copy")
            try run.equal(try copy.read { try $0.keyspaceNames() }, [], "the names in the copy")
            try copy.fill(.numbered(0..<3))
            try run.equal(try copy.entries() ?? [], .numbered(0..<3), "the contents written to the copy")
        },

        SpecificationCase("backup.every-level", "A backup has commits of every level, those too that the original may not have on the disk yet.") { run in
            let store = try run.open()
            guard try canBackUp(store, run) else { return }
            for (number, level) in Durability.allCases.enumerated() {
                try store.fill([Entry(.number(number), [1])], durability: level)
                try store.backUp(to: run.path("copy \(number)"))
                try run.equal(try run.open("copy \(number)").entries()?.count, number + 1, "the number of entries of the copy after level \(level)")
            }
        },
        SpecificationCase("backup.inside-a-write", "A backup that a write body asks for has the state before the write, or is refused; the write goes on.") {
            run in
            let store = try run.open()
            guard try canBackUp(store, run) else { return }
            try store.fill(.numbered(0..<20))
            var isCopied = false
            try store.writing { writer, data in
                try writer.put(.number(3), [3], in: data)
                do {
                    if !isCopied { try store.backUp(to: run.path("copy")) }
                    isCopied = true
                } catch let error as StorageError {
                    try run.check(["readInsideWrite", "writeInsideWrite"].contains(error.name), "a typed refusal", found: "\(error)")
                }
                try writer.put(.number(4), [4], in: data)
            }
            if isCopied { try run.equal(try run.open("copy").entries() ?? [], .numbered(0..<20), "the contents of the copy") }
            try run.equal(try store.entries()?[3...4].map(\.value), [[3], [4]], "the values of the store")
        },
    ]

    /// Whether stores can be copied; in memory they cannot, and this checks that it says so.
    private static func canBackUp(_ store: any StorageBackend, _ run: SpecificationRun) throws -> Bool {
        if run.factory.isPersistent { return true }
        try run.fails(with: StorageError.unsupported, "a backup of a store without files") { try store.backUp(to: run.path("copy")) }
        return false
    }
}
