import Foundation
import TroveStorage

extension BackendSpecification {
    /// Guarantee 6, as far as a running process can see it: commits survive a clean close.
    static let durability: [SpecificationCase] = [
        SpecificationCase("durability.every-level", "Commits of every level are there after a clean close.") { run in
            var store = try run.open()
            var expected: [Entry] = []
            for (number, level) in Durability.allCases.enumerated() {
                let entries = [Entry].numbered(number * 100..<number * 100 + 50)
                try store.fill(entries, durability: level)
                expected += entries
                store = try run.reopen(store)
                try run.equal(try store.entries() ?? [], expected, "the contents after a commit of level \(level)")
            }
        },
        SpecificationCase("durability.mixed-levels", "Commits of different levels, one after the other, are all there after a clean close.") { run in
            let store = try run.open()
            for number in 0..<60 {
                try store.fill([Entry(.number(number), .number(number))], durability: Durability.allCases[number % 3])
            }
            let reopened = try run.reopen(store)
            try run.equal((try reopened.entries() ?? []).map(\.key.asNumber), Array(0..<60), "the keys")
        },
        SpecificationCase("durability.synchronize", "synchronize may be called at any time outside a write, also by several threads beside writers.") { run in
            let store = try run.open()
            try store.synchronize()
            try store.fill(.numbered(0..<100), durability: .relaxed)
            try store.synchronize()
            try run.onThreads(4) { thread in
                for round in 0..<20 {
                    if thread == 0 { try store.synchronize() } else { try store.fill([Entry(.number(thread * 1_000 + round), [1])], durability: .relaxed) }
                }
            }
            try store.synchronize()
            let reopened = try run.reopen(store)
            try run.equal(try reopened.entries()?.count, 160, "the number of entries")
        },
        SpecificationCase("durability.reopen-many-times", "A store opened and closed 20 times between changes keeps all of them.") { run in
            var store = try run.open()
            var model = SortedModel()
            var generator = SeededGenerator(seed: 41)
            for round in 0..<20 {
                let changes = (0..<50).map { _ in Entry(generator.key(1...20), generator.value(0...3_000)) }
                let range = KeyRange(from: generator.key(1...2), upTo: generator.key(1...2))
                try store.writing { writer, data in
                    for change in changes { try writer.put(change.key, change.value, in: data) }
                    try writer.deleteRange(range, in: data)
                }
                for change in changes { model.put(change.key, change.value) }
                _ = model.deleteRange(range)
                store = try run.reopen(store)
                try run.equal(try store.entries() ?? [], model.entries, "the contents after round \(round)")
            }
        },
        SpecificationCase("durability.empty-store", "A store that nobody wrote to opens again, as does one whose contents were all deleted.") { run in
            var store = try run.open()
            store = try run.reopen(store)
            try run.equal(try store.read { try $0.keyspaceNames() }, [], "the names in a new store")
            try store.fill(.numbered(0..<2_000))
            try store.writing { writer, data in try writer.dropKeyspace(data) }
            store = try run.reopen(store)
            try run.equal(try store.read { try $0.keyspaceNames() }, [], "the names after all was dropped")
            try store.fill(.numbered(0..<3))
            store = try run.reopen(store)
            try run.equal(try store.entries() ?? [], .numbered(0..<3), "the contents written afterwards")
        },
        SpecificationCase("durability.foreign-file", "A file of another program is refused with an error that says so, and left as it was.") { run in
            guard run.factory.kind == .files else { return }
            let contents = Data([UInt8].pattern(20_000, seed: 5))
            for (name, data) in [("noise", contents), ("text", Data("This is a letter, not a store.\n".utf8))] {
                try data.write(to: URL(fileURLWithPath: run.path(name)))
                try run.fails(withAny: [StorageError.notAStore, StorageError.corrupt], "opening a file of \(name)") { try run.open(name) }
                try run.equal(FileManager.default.contents(atPath: run.path(name)).map { [UInt8]($0) }, [UInt8](data), "the file of \(name) afterwards")
            }
        },
        SpecificationCase("durability.bad-paths", "Opening where no store can be gives a typed error that names the path.") { run in
            guard run.factory.kind == .files else { return }
            try run.fails(with: StorageError.noSuchDirectory, "opening in a directory that does not exist") { try run.open("absent/store") }
            try Data("text".utf8).write(to: URL(fileURLWithPath: run.path("file")))
            try run.fails(with: StorageError.noSuchDirectory, "opening below a file") { try run.open("file/store") }
            try FileManager.default.createDirectory(atPath: run.path("directory"), withIntermediateDirectories: false)
            try run.fails(with: StorageError.notAFile, "opening a directory") { try run.open("directory") }
            do {
                // An error that names this path names none.
                _ = try run.factory.open("")
                throw run.failure("opening the empty path to throw noSuchDirectory or notAFile", found: "no error")
            } catch StorageError.noSuchDirectory, StorageError.notAFile {}
        },

        SpecificationCase("durability.destroyed", "A store whose files were removed after it was closed can be made anew at the same path, empty.") { run in
            guard run.factory.isPersistent else { return }
            for round in 0..<3 {
                let store = try run.open()
                try run.equal(try store.read { try $0.keyspaceNames() }, [], "the names in round \(round)")
                try store.fill(.numbered(0..<100 * (round + 1)))
                try store.close()
                try run.factory.destroy(run.path())
            }
        },
        SpecificationCase("durability.many-commits", "6,000 commits are all there after opening again, and so are some more that come after that.") { run in
            var store = try run.open()
            var count = 0
            for more in [6_000, 100] {
                for number in count..<count + more {
                    try store.fill([Entry(.number(number), .number(number + 1)), Entry([9], .number(number))], durability: .relaxed)
                }
                count += more
                store = try run.reopen(store)
                let expected = (0..<count).map { Entry(.number($0), .number($0 + 1)) } + [Entry([9], .number(count - 1))]
                try run.equal(try store.entries() ?? [], expected, "the contents after \(count) commits and opening again")
            }
        },
        SpecificationCase("durability.beyond-64-mebibytes", "Commits of 72 MiB together are all there after opening again.") { run in
            let store = try run.open()
            let shared = [UInt8].pattern(1 << 20, seed: 6)
            for number in 0..<72 { try store.fill([Entry(.number(number), .number(number) + shared)], durability: .relaxed) }
            let reopened = try run.reopen(store)
            try reopened.reading { reader, data in
                try run.equal(try reader.count(in: data), 72, "the number of entries")
                for number in 0..<72 {
                    try run.equal(try reader.value(of: .number(number), in: data), .number(number) + shared, "value \(number) of 72, of 1 MiB each,")
                }
            }
        },
    ]
}
