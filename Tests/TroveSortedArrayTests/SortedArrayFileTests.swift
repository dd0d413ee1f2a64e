import Foundation
import TestSupport
import Testing
import TroveStorage

@testable import TroveBackendKit
@testable import TroveSortedArray

/// What the specification cannot know: how the example's file may be damaged.
struct SortedArrayFileTests {
    /// Every byte changed, and every length cut off: an error with a name, and the file as it was.
    @Test func damagedFiles() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        let store = try SortedArrayBackend(path: path)
        try store.write { writer in
            let keyspace = try writer.createKeyspace(named: "data")
            for number in 0..<5 { try writer.put([UInt8(number + 1)], [UInt8](repeating: 7, count: number), in: keyspace) }
        }
        try store.close()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        func expectRefusal(_ data: Data, _ what: String) throws {
            try data.write(to: URL(fileURLWithPath: path))
            do {
                try SortedArrayBackend(path: path).close()
                Issue.record("opened with \(what)")
            } catch let error as StorageError {
                #expect(["notAStore", "corrupt", "newerFormat"].contains(error.name), "\(what): \(error)")
                #expect(error.details.path == path)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == data, "\(what)")
        }
        for position in whole.indices {
            var damaged = whole
            damaged[position] ^= 0x20
            try expectRefusal(damaged, "byte \(position) changed")
        }
        for length in 1..<whole.count { try expectRefusal(whole.prefix(length), "\(length) bytes") }
        try expectRefusal(whole + [0], "a byte more")
        try whole.write(to: URL(fileURLWithPath: path))
        let reopened = try SortedArrayBackend(path: path)
        let keyspace = try reopened.read { reader in try reader.keyspace(named: "data").map { try reader.count(in: $0) } }
        #expect(keyspace == 5)
        try reopened.close()
    }

    /// A commit puts another file in the place of the store's, which nobody else may read either.
    @Test func theModeStays() throws {
        let directory = try TemporaryDirectory()
        func mode(_ name: String) -> mode_t? {
            var information = stat()
            return stat(directory.file(name), &information) == 0 ? information.st_mode & 0o777 : nil
        }
        var store = try SortedArrayBackend(path: directory.file())
        for (number, expected) in ([0o600, 0o640, 0o666] as [mode_t]).enumerated() {
            #expect(chmod(directory.file(), expected) == 0)
            try store.write(.durable) { writer in
                let keyspace = try writer.createKeyspace(named: "data")
                try writer.put([UInt8(number)], [1], in: keyspace)
            }
            #expect(mode("store") == expected)
            try store.backUp(to: directory.file("copy \(number)"))
            #expect(mode("copy \(number)") == expected)
            // Closing writes what a relaxed commit has not.
            try store.write(.relaxed) { _ = try $0.createKeyspace(named: "\(number)") }
            try store.close()
            #expect(mode("store") == expected)
            store = try SortedArrayBackend(path: directory.file())
        }
        try store.close()
    }

    /// Sizes inside the file that lie, with a checksum that is right: the reader believes nothing.
    @Test func liesWithARightChecksum() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try SortedArrayBackend(path: path).close()
        let empty = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for body: [UInt8] in [
            [255, 255, 255, 255], [1, 0, 0, 0, 255, 255, 255, 255], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [1, 0, 0, 0, 1, 0, 0, 0, 0xC0, 0, 0, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0, 65, 255, 255, 255, 127],
        ] {
            let bytes = Array(empty[..<12]) + withUnsafeBytes(of: checksum(of: body).littleEndian) { Array($0) } + body
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            #expect { try SortedArrayBackend(path: path).close() } throws: { ($0 as? StorageError)?.suspectsCorruption == true }
        }
    }

    /// The checksum of the format, computed anew.
    private func checksum(of body: [UInt8]) -> UInt64 {
        let prime: UInt64 = 0x9E37_79B9_7F4A_7C15
        var hash = UInt64(body.count + 20)
        var rest = body[...]
        while !rest.isEmpty {
            let isWord = rest.count >= 8
            let part = rest.prefix(isWord ? 8 : 1)
            hash = (hash ^ part.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) &* prime
            hash ^= hash >> 32
            rest = rest.dropFirst(part.count)
        }
        return hash
    }

    /// While the store is being closed there is nothing in memory: a backup of that moment was empty.
    @Test func backupsWaitUntilAClosingEnds() throws {
        let directory = try TemporaryDirectory()
        let store = try SortedArrayBackend(path: directory.file())
        try store.write { writer in try writer.put([1], [1], in: writer.createKeyspace(named: "data")) }
        let engine = try #require(store.sharedEngine as? SortedArrayEngine)
        let copy = directory.file("copy")
        let (isCopied, isCounted) = (SharedFlag(), SharedFlag())
        try engine.withoutTransactions {
            Thread.detachNewThread {
                try? store.backUp(to: copy)
                isCopied.raise()
            }
            Thread.detachNewThread {
                _ = try? store.statistics()
                isCounted.raise()
            }
            try blockUntil("two that wait") { engine.readers.waiterCount == 2 || isCopied.isRaised || isCounted.isRaised }
            #expect(!isCopied.isRaised && !isCounted.isRaised)
        }
        try blockUntil("the end of both") { isCopied.isRaised && isCounted.isRaised }
        try store.close()
        #expect(throws: StorageError.self) { try store.backUp(to: directory.file("late")) }
        let reopened = try SortedArrayBackend(path: copy)
        #expect(try reopened.read { reader in try reader.keyspaceNames() } == ["data"])
        try reopened.close()
    }

    /// A `.relaxed` commit is in the file once something later had to be written.
    @Test func relaxedCommitsAreWrittenLater() throws {
        let directory = try TemporaryDirectory()
        let store = try SortedArrayBackend(path: directory.file())
        let before = try store.statistics().fileSize
        try store.write(.relaxed) { writer in try writer.put([1], [UInt8](repeating: 1, count: 1_000), in: writer.createKeyspace(named: "data")) }
        #expect(try store.statistics().fileSize == before)
        try store.synchronize()
        #expect(try store.statistics().fileSize > before + 1_000)
        try store.close()
    }
}
