import EngineSupport
import Foundation
import Testing
import TroveLMDB
import TroveStorage

@Suite struct OpeningTests {
    @Test func aFileOpenedTwiceIsOneStore() throws {
        let store = try TemporaryStore()
        let first = try store.open()
        try first.fill(0..<10)
        let link = store.directory + "/hard link"
        try FileManager.default.linkItem(atPath: store.path, toPath: link)
        let symbolic = store.directory + "/symbolic link"
        try FileManager.default.createSymbolicLink(atPath: symbolic, withDestinationPath: store.path)
        let others = [try store.open(), try LMDBBackend(path: link), try LMDBBackend(path: symbolic)]
        for (index, other) in others.enumerated() {
            #expect(try other.numbers() == Array(0..<10 + index))
            try other.fill([10 + index])
            #expect(try first.numbers() == Array(0...10 + index))
        }
        try first.close()
        #expect { try first.numbers() } throws: { error in
            if case StorageError.closed = error { true } else { false }
        }
        for other in others { #expect(try other.numbers() == Array(0..<13)) }
        for other in others { try other.close() }
        let again = try LMDBBackend(path: link)
        #expect(try again.numbers() == Array(0..<13))
        try again.close()
    }

    @Test func droppingABackendClosesIt() throws {
        let store = try TemporaryStore()
        do {
            let backend = try store.open()
            try backend.fill(0..<10)
        }
        // Were the engine still open, it would be another one's file.
        let moved = store.directory + "/moved"
        try FileManager.default.moveItem(atPath: store.path, toPath: moved)
        let fresh = try store.open()
        #expect(try fresh.numbers() == nil)
        try fresh.close()
    }

    @Test func anEmptyFileIsANewStore() throws {
        let store = try TemporaryStore()
        try store.replaceContents(Data())
        let backend = try store.open()
        try backend.fill(0..<10)
        try backend.close()
        let reopened = try store.open()
        #expect(try reopened.numbers() == Array(0..<10))
        try reopened.close()
    }

    /// A store with two keyspaces, large values and free pages, closed.
    private func filled() throws -> TemporaryStore {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<3_000)
        try backend.fill(0..<20, valueSize: 10_000, in: "large")
        try backend.fill(0..<500, in: "emptied")
        try backend.write { writer in
            try writer.deleteRange(.all, in: try #require(try writer.keyspace(named: "emptied")))
            try writer.deleteRange(KeyRange(upTo: numberKey(1_000)), in: try #require(try writer.keyspace(named: "data")))
        }
        try backend.close()
        return store
    }

    private func expectFailure(_ store: TemporaryStore, _ names: Set<String>, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let before = try store.contents
        #expect(sourceLocation: sourceLocation) { try store.open { $0.pageCheck = .everyPage } } throws: { error in
            guard let error = error as? StorageError else { return false }
            return names.contains(error.name) && error.details.path.hasSuffix("/store.lmdb")
        }
        #expect(try store.contents == before, "a file that cannot be opened stays as it was", sourceLocation: sourceLocation)
    }

    @Test func filesThatAreNotStoresAreRefused() throws {
        let store = try TemporaryStore()
        for text in ["x", "This is a letter, not a store.", String(repeating: "SQLite format 3\0", count: 1_000)] {
            try store.replaceContents(Data(text.utf8))
            try expectFailure(store, ["notAStore"])
        }
        try store.replaceContents(Data(count: 100_000))
        try expectFailure(store, ["notAStore"])
    }

    @Test func truncatedFilesAreDamaged() throws {
        let store = try filled()
        let whole = try store.contents
        for size in [16, 100, 151, 4_096, 5_000, 8_192, 20_000, whole.count / 2, whole.count - 4_096] {
            try store.replaceContents(whole.prefix(size))
            try expectFailure(store, ["corrupt", "notAStore"])
        }
        // Nothing was kept of the failures: the whole file opens.
        try store.replaceContents(whole)
        let backend = try store.open()
        #expect(try backend.numbers() == Array(1_000..<3_000))
        try backend.close()
    }

    @Test func damagedMetaPagesAreFound() throws {
        let store = try filled()
        let whole = try store.contents
        // In each meta page: magic, version, map size, page size, depth, root, last page.
        for page in [0, 4_096] {
            for (offset, byte) in [(16, 1), (21, 0x77), (38, 0x80), (41, 3), (94, 9), (133, 0xF0), (141, 0x44)] as [(Int, UInt8)] {
                var damaged = whole
                damaged[page + offset] ^= byte
                try store.replaceContents(damaged)
                do {
                    // The older of the two pages is looked at only as far as LMDB does.
                    let backend = try store.open { $0.pageCheck = .everyPage }
                    #expect(try backend.numbers() == Array(1_000..<3_000))
                    try backend.close()
                } catch let error as StorageError {
                    #expect(["corrupt", "newerFormat"].contains(error.name), "\(error)")
                }
            }
        }
    }

    @Test func newerFormatsAreRefused() throws {
        let store = try filled()
        var newer = try store.contents
        newer[20] = 2
        try store.replaceContents(newer)
        try expectFailure(store, ["newerFormat"])
    }

    @Test func damagedPagesAreFound() throws {
        let store = try filled()
        let whole = try store.contents
        var found = 0
        // The flags of every page: those that are in use make opening fail, and the free ones do not matter.
        for page in 2..<whole.count / 4_096 {
            var damaged = whole
            damaged[page * 4_096 + 10] ^= 0x40
            try store.replaceContents(damaged)
            do {
                let backend = try store.open { $0.pageCheck = .everyPage }
                #expect(try backend.numbers() == Array(1_000..<3_000))
                try backend.close()
            } catch StorageError.corrupt {
                found += 1
            }
        }
        #expect(found >= 60)
    }

    @Test func aCheckOfBranchPagesLeavesOutTheEntries() throws {
        let store = try filled()
        let backend = try store.open { $0.pageCheck = .branchPages }
        #expect(try backend.numbers() == Array(1_000..<3_000))
        try backend.close()
    }

    @Test(.enabled(if: Tool.isInstalled("mdb_load"), "Scripts/setup installs LMDB's tools")) func storesOfOtherProgramsAreRefused() throws {
        let store = try TemporaryStore()
        let load = try #require(Tool("mdb_load"))
        for arguments in [["-n", store.path], ["-n", "-s", "people", store.path]] {
            let loaded = try load.run(arguments, input: Tool.dump([([1], [2])], mapSize: 1 << 20))
            #expect(loaded.status == 0, "\(loaded.output)")
            try expectFailure(store, ["notAStore"])
            try FileManager.default.removeItem(atPath: store.path)
        }
    }

    @Test(.enabled(if: Tool.isInstalled("mdb_load"), "Scripts/setup installs LMDB's tools")) func storesOfNewerTrovesAreRefused() throws {
        let store = try filled()
        let loaded = try #require(Tool("mdb_load")).run(
            ["-n", "-s", "trove.catalogue.2", store.path], input: Tool.dump([([1], [2])], mapSize: 1 << 28))
        #expect(loaded.status == 0, "\(loaded.output)")
        try expectFailure(store, ["newerFormat"])
    }

    @Test func optionsOutOfRangeAreRefused() throws {
        let changes: [(String, (inout LMDBBackend.Options) -> Void)] = [
            ("mapSize", { $0.mapSize = .min }), ("mapSize", { $0.mapSize = -1 }), ("mapSize", { $0.mapSize = 0 }), ("mapSize", { $0.mapSize = .max }),
            ("maxReaders", { $0.maxReaders = .min }), ("maxReaders", { $0.maxReaders = 0 }), ("maxReaders", { $0.maxReaders = .max }),
            ("maxKeyspaces", { $0.maxKeyspaces = -5 }), ("maxKeyspaces", { $0.maxKeyspaces = 0 }), ("maxKeyspaces", { $0.maxKeyspaces = .max }),
            ("writerTimeout", { $0.writerTimeout = .seconds(Int64.min) }), ("writerTimeout", { $0.writerTimeout = .nanoseconds(-1) }),
        ]
        let store = try TemporaryStore()
        for (name, change) in changes {
            #expect {
                try store.open(change).close()
            } throws: { error in
                guard case StorageError.unsupported(let details) = error else { return false }
                return details.message.hasPrefix(name + " must be ")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory).isEmpty)
    }

    @Test func optionsAtTheEndsOfTheirRangesWork() throws {
        let changes: [(inout LMDBBackend.Options) -> Void] = [
            { $0.mapSize = 1 }, { $0.maxReaders = 1_000_000 }, { $0.maxKeyspaces = 1_000_000 }, { $0.writerTimeout = .zero },
            { $0.writerTimeout = .seconds(Int64.max) }, { $0.writerTimeout = Duration(attoseconds: .max) },
        ]
        for change in changes {
            let store = try TemporaryStore()
            let backend = try store.open(change)
            try backend.fill(0..<5)
            #expect(try backend.numbers() == Array(0..<5))
            try backend.close()
        }
        // The system may refuse so many addresses, and says so.
        let store = try TemporaryStore()
        do {
            let backend = try store.open { $0.mapSize = 1 << 46 }
            try backend.fill(0..<5)
            try backend.close()
        } catch StorageError.outOfResources {}
    }

    @Test func theFileKeepsItsKeyspacesWhateverItIsOpenedWith() throws {
        let store = try TemporaryStore()
        let backend = try store.open { $0.maxKeyspaces = 1 }
        try backend.fill(0..<10)
        #expect { try backend.fill(0..<10, in: "second") } throws: { error in
            if case StorageError.tooManyKeyspaces = error { true } else { false }
        }
        #expect(try backend.numbers() == Array(0..<10))
        try backend.close()
        // The file keeps what it has, whatever it is opened with; more can be allowed later.
        let larger = try store.open { $0.maxKeyspaces = 3 }
        try larger.fill(0..<10, in: "second")
        try larger.fill(0..<10, in: "third")
        try larger.close()
        let smaller = try store.open { $0.maxKeyspaces = 1 }
        #expect(try smaller.read { try $0.keyspaceNames() } == ["data", "second", "third"])
        try smaller.close()
    }
}
