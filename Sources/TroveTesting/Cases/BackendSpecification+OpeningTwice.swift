import Foundation
import TroveStorage

extension BackendSpecification {
    /// Guarantee 10: opening what is open gives the same engine.
    static let openingTwice: [SpecificationCase] = [
        SpecificationCase("openingTwice.same-contents", "Two backends on one path see each other's commits at once.") { run in
            let first = try run.open()
            let second = try run.open()
            try first.fill([Entry([1], [1])])
            try run.equal(try second.entries() ?? [], [Entry([1], [1])], "the contents through the second")
            try second.fill([Entry([2], [2])])
            try run.equal(try first.entries()?.count, 2, "the number of entries through the first")
            try run.equal(first.path, second.path, "the path of the second")
        },
        SpecificationCase(
            "openingTwice.shared-engine",
            "The backends on one path have one sharedEngine, also after commits and a compaction, and those on another path have another."
        ) { run in
            let first = try run.open()
            let second = try run.open()
            let other = try run.open("other")
            func isShared(_ backend: any StorageBackend) -> Bool { backend.sharedEngine === first.sharedEngine }
            try run.check(isShared(first) && isShared(second), "the sharedEngine of both openings of a path to be the same", found: "different ones")
            try run.check(!isShared(other), "the sharedEngine of another store to be another one", found: "the same")
            try first.fill([Entry([1], [1])], durability: .durable)
            try second.compact()
            let third = try run.open()
            try run.check(isShared(second) && isShared(third), "the sharedEngine to be the same after a commit and a compaction", found: "different ones")
            try run.check(!isShared(other), "the sharedEngine of another store to be another one after them", found: "the same")
        },
        SpecificationCase("openingTwice.same-writer", "Two backends on one path have one writer between them.") { run in
            let first = try run.open()
            let second = try run.open()
            try first.fill([Entry([1], .number(0))])
            try first.writing { _, _ in
                try run.fails(with: StorageError.writeInsideWrite, "a write through the second inside a write of the first") {
                    try second.fill([Entry([9], [9])])
                }
            }
            try run.onThreads(4) { thread in
                let store = thread % 2 == 0 ? first : second
                for _ in 0..<50 {
                    try store.writing { writer, data in
                        try writer.put([1], .number((try writer.value(of: [1], in: data)?.asNumber ?? 0) + 1), in: data)
                    }
                }
            }
            try run.equal(try first.entries() ?? [], [Entry([1], .number(200))], "the sum")
        },
        SpecificationCase("openingTwice.close-one", "Closing one of two leaves the other usable; the closed one stays closed, however often it is closed.") {
            run in
            let first = try run.open()
            let second = try run.open()
            try first.fill([Entry([1], [1])])
            try first.close()
            try first.close()
            try first.close()
            try run.fails(with: StorageError.closed, "a read through the closed one") { try first.read { _ in } }
            try run.equal(try second.entries() ?? [], [Entry([1], [1])], "the contents through the other")
            try second.fill([Entry([2], [2])])
            let third = try run.open()
            try run.equal(try third.entries()?.count, 2, "the number of entries through a third")
            try second.close()
            try third.fill([Entry([3], [3])])
            try third.close()
            if run.factory.isPersistent {
                try run.equal(try run.open().entries()?.count, 3, "the number of entries after all were closed")
            }
        },
        SpecificationCase("openingTwice.other-paths", "A path that leads to the same file another way, by a symbolic or a hard link, gives the same engine.") {
            run in
            guard run.factory.kind == .files else { return }
            let first = try run.open()
            try first.fill([Entry([1], .number(0))])
            let files = FileManager.default
            let isFile = try files.attributesOfItem(atPath: run.path())[.type] as? FileAttributeType == .typeRegular
            let names = isFile ? ["symbolic", "hard"] : ["symbolic"]
            for name in names {
                // Made when it is needed: an engine that replaces its file leaves older hard links behind.
                if name == "hard" {
                    try files.linkItem(atPath: run.path(), toPath: run.path(name))
                } else {
                    try files.createSymbolicLink(atPath: run.path(name), withDestinationPath: run.path())
                }
                let other = try run.open(name)
                try other.writing { writer, data in
                    try writer.put([1], .number((try writer.value(of: [1], in: data)?.asNumber ?? 0) + 1), in: data)
                }
                try first.writing { _, _ in
                    try run.fails(with: StorageError.writeInsideWrite, "a write by the \(name) link inside a write") {
                        try other.fill([Entry([9], [9])])
                    }
                }
                try other.close()
            }
            try run.equal(try first.entries() ?? [], [Entry([1], .number(names.count))], "the contents through the first path")
        },
        SpecificationCase("openingTwice.at-once", "Threads that open one path at the same time get one engine.") { run in
            for round in 0..<10 {
                try run.onThreads(4) { _ in
                    let store = try run.open("round \(round)")
                    try store.writing { writer, data in
                        try writer.put([1], .number((try writer.value(of: [1], in: data)?.asNumber ?? 0) + 1), in: data)
                    }
                }
                try run.equal(try run.open("round \(round)").entries() ?? [], [Entry([1], .number(4))], "the sum of round \(round)")
            }
        },
        SpecificationCase("openingTwice.open-and-close-at-once", "Threads that open, write and close one path at the same time lose nothing.") { run in
            // One backend stays open, so that the store lives on where it has no file.
            let holder = run.factory.isPersistent ? nil : try run.open()
            try run.onThreads(4) { thread in
                for round in 0..<15 {
                    let store = try run.open()
                    try store.fill([Entry(.number(thread * 100 + round), [1])])
                    try store.close()
                }
            }
            try run.equal(try run.open().entries()?.count, 60, "the number of entries")
            try holder?.close()
        },
        SpecificationCase("openingTwice.different-paths", "Different paths are different stores.") { run in
            let stores = try (0..<10).map { try run.open("store \($0)") }
            for (number, store) in stores.enumerated() { try store.fill([Entry([1], .number(number))]) }
            for (number, store) in stores.enumerated() {
                try run.equal(try store.entries() ?? [], [Entry([1], .number(number))], "the contents of store \(number)")
            }
        },
    ]
}
