import EngineSupport
import Foundation
import Testing

import TroveBackendKit
import TroveStorage

/// The lock of a file, and when it is free again.
@Suite struct FileLockTests {
    @Test func ofTwoTheSecondIsRefused() throws {
        let directory = try TemporaryDirectory()
        let file = try StoreFile(engine: "example", path: directory.file())
        var lock: FileLock? = try FileLock(beside: file)
        #expect(performing: { _ = try FileLock(beside: file) }, throws: { ($0 as? StorageError)?.name == "locked" && ($0 as? StorageError)?.details.path == file.path })
        withExtendedLifetime(lock) {}
        lock = nil
        _ = try FileLock(beside: file)
        #expect(FileManager.default.fileExists(atPath: file.path + ".lock"))
    }

    @Test func whatIsInItsPlaceIsNamed() throws {
        let directory = try TemporaryDirectory()
        let file = try StoreFile(engine: "example", path: directory.file())
        try FileManager.default.createSymbolicLink(atPath: file.path + ".lock", withDestinationPath: "elsewhere")
        #expect(performing: { _ = try FileLock(beside: file) }, throws: { ($0 as? StorageError)?.name == "notAFile" && ($0 as? StorageError)?.details.path == file.path + ".lock" })
        #expect(!FileManager.default.fileExists(atPath: directory.file("elsewhere")))
    }

    /// A program that is being started has copies of all descriptors until it begins, and the system takes a lock away with the last copy only.
    @Test func aCopyOfItsDescriptorDoesNotKeepIt() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        var lock: FileLock? = try FileLock(at: path)
        let copies = Descriptors.copies(of: [path])
        defer { copies.close() }
        #expect(copies.count == 1)
        withExtendedLifetime(lock) {}
        lock = nil
        _ = try FileLock(at: path)
    }

    @Test(arguments: Engine.persistent) func aCopyDoesNotKeepAStore(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        let store = try engine.open(path)
        try store.write { writer in _ = try writer.createKeyspace(named: "data") }
        let copies = Descriptors.copies(of: try FileManager.default.contentsOfDirectory(atPath: directory.path).map(directory.file))
        #expect(copies.count > 0)
        try store.close()
        let again = try engine.open(path)
        #expect(try again.read { reader in try reader.keyspace(named: "data") } != nil)
        try again.close()
        // Only now: closing a copy ends the locks that `fcntl` has given this process on the file.
        copies.close()
    }
}

/// Copies of descriptors, as a child has them that was just forked.
private struct Descriptors {
    private let numbers: [Int32]

    var count: Int { numbers.count }

    /// Of all descriptors of the files at some paths.
    static func copies(of paths: [String]) -> Descriptors {
        func file(_ information: stat) -> [UInt64] { [UInt64(truncatingIfNeeded: information.st_dev), UInt64(information.st_ino)] }
        let files = Set(
            paths.compactMap { path -> [UInt64]? in
                var information = stat()
                return stat(path, &information) == 0 ? file(information) : nil
            })
        let found = (3..<4_096).filter { (descriptor: Int32) in
            var information = stat()
            return fstat(descriptor, &information) == 0 && files.contains(file(information))
        }
        return Descriptors(numbers: found.map { dup($0) })
    }

    func close() {
        for number in numbers { Foundation.close(number) }
    }
}
