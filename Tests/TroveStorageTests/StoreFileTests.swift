import Foundation
import Testing

@testable import TroveBackendKit
import TroveStorage

struct StoreFileTests {
    @Test func `a free path in a directory is taken, and nothing is created`() throws {
        try withTemporaryDirectory { directory in
            let file = try StoreFile(engine: "test", path: directory + "/store")
            #expect(!file.exists)
            #expect(file.identity == nil)
            #expect(file.size == 0)
            #expect(file.path.hasSuffix("/store"))
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test func `a file is known by its identity, whatever path leads to it`() throws {
        try withTemporaryDirectory { directory in
            let files = FileManager.default
            #expect(files.createFile(atPath: directory + "/store", contents: Data([1, 2, 3])))
            try files.createSymbolicLink(atPath: directory + "/symbolic", withDestinationPath: directory + "/store")
            try files.linkItem(atPath: directory + "/store", toPath: directory + "/hard")
            try files.createDirectory(atPath: directory + "/inside", withIntermediateDirectories: false)
            let paths = ["/store", "/symbolic", "/hard", "/inside/../store", "//store"].map { directory + $0 }
            let stores = try paths.map { try StoreFile(engine: "test", path: $0) }
            #expect(Set(stores.map(\.identity)).count == 1)
            #expect(stores[0].identity != nil)
            #expect(stores[1].path == stores[0].path)
            #expect(stores[3].path == stores[0].path)
            #expect(files.createFile(atPath: directory + "/other", contents: nil))
            #expect(try StoreFile(engine: "test", path: directory + "/other").identity != stores[0].identity)
        }
    }

    @Test func `bytes are read from anywhere in the file, fewer at its end`() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/store"
            #expect(FileManager.default.createFile(atPath: path, contents: Data([1, 2, 3, 4, 5])))
            let file = try StoreFile(engine: "test", path: path)
            #expect(file.size == 5)
            #expect(try file.bytes(count: 3) == [1, 2, 3])
            #expect(try file.bytes(at: 3, count: 10) == [4, 5])
            #expect(try file.bytes(at: 9, count: 10) == [])
            try FileManager.default.removeItem(atPath: path)
            #expect { try file.bytes(count: 1) } throws: { if case StorageError.noSuchStore = $0 { true } else { false } }
        }
    }

    @Test func `a file that is only read needs no other right, and none is looked for where nothing is to be made`() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/store"
            let absent = try StoreFile(engine: "test", path: path, isReadOnly: true)
            #expect(absent.writeRefusal?.name == "readOnly")
            #expect(try StoreFile(engine: "test", path: path, isReadOnly: false).writeRefusal == nil)
            #expect(FileManager.default.createFile(atPath: path, contents: Data([1])))
            #expect(try StoreFile(engine: "test", path: path).writeRefusal == nil)
            #expect(try StoreFile(engine: "test", path: path, isReadOnly: true).opening { $0?.name } == "readOnly")
            #expect(throws: StorageError.self) { try StoreFile(engine: "test", path: directory + "/absent/store", isReadOnly: true) }
            #expect(throws: StorageError.self) { try StoreFile(engine: "test", path: directory, isReadOnly: true) }
            let registry = EngineRegistry<StoreFile.Identity, Unused>()
            try FileManager.default.removeItem(atPath: path)
            let error = #expect(throws: StorageError.self) { try registry.engine(for: absent) { Unused() } }
            #expect(error?.name == "noSuchStore")
        }
    }

    private final class Unused: Sendable {}

    @Test func `what cannot be written is opened once more, for reading, and what fails otherwise is not`() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/store"
            let file = try StoreFile(engine: "test", path: path, isReadOnly: false)
            func refused(_ code: Int32) -> StorageError { StoreFile.error(code, engine: "test", path: path) }
            /// The refusals that attempts to open the file are given, the first of which fails.
            func attempts(failingWith code: Int32) -> [String] {
                var given: [String] = []
                do {
                    try file.opening { refusal in
                        given.append(refusal?.name ?? "none")
                        if given.count == 1 { throw refused(code) }
                    }
                } catch {
                    given.append("failed")
                }
                return given
            }
            // Of a store that is not there nothing can be read.
            #expect(attempts(failingWith: EACCES) == ["none", "failed"])
            #expect(FileManager.default.createFile(atPath: path, contents: Data([1])))
            #expect(attempts(failingWith: EACCES) == ["none", "permissionDenied"])
            #expect(attempts(failingWith: EROFS) == ["none", "readOnly"])
            #expect(attempts(failingWith: ENOSPC) == ["none", "failed"])
        }
    }

    @Test func `paths that cannot hold a store are refused with an error that names them`() throws {
        try withTemporaryDirectory { directory in
            #expect(FileManager.default.createFile(atPath: directory + "/file", contents: nil))
            for (path, expected) in [
                (directory + "/absent/store", "noSuchDirectory"), (directory + "/file/store", "noSuchDirectory"), ("", "noSuchDirectory"),
                (directory + "/a\0b", "noSuchDirectory"), (directory, "notAFile"), ("/dev/null", "notAFile"), ("/", "notAFile"),
            ] {
                let error = try #require(throws: StorageError.self) { _ = try StoreFile(engine: "test", path: path) }
                #expect(error.name == expected, "\(path)")
                #expect(error.details.engine == "test")
                #expect(!error.details.message.isEmpty)
                #expect(!error.isRetryable)
            }
        }
    }

    /// A slash and a combining mark after it are one `Character`.
    @Test func `paths are divided where the system divides them`() throws {
        let directories = [
            ("/data/\u{301}x.trove", "/data"), ("\u{301}x.trove", "."), ("/\u{301}x.trove", "/"), ("a/\u{301}b/\u{308}x", "a/\u{301}b"),
            ("/data/x.trove", "/data"), ("x.trove", "."), ("/x.trove", "/"), ("a/x", "a"), ("", "."),
        ]
        for (path, expected) in directories { #expect(Array(StoreFile.directory(of: path).utf8) == Array(expected.utf8)) }
        try withTemporaryDirectory { directory in
            let plain = try StoreFile(engine: "test", path: directory + "/x")
            let marked = try StoreFile(engine: "test", path: directory + "/\u{301}x")
            #expect(Array(marked.path.utf8) == Array(plain.path.utf8.dropLast()) + Array("\u{301}x".utf8))
        }
    }

    /// No path of a program has such bytes, but links and the current directory lead there.
    @Test func `a place whose name is not in UTF-8 is told so, and nothing is made in its stead`() throws {
        try withTemporaryDirectory { directory in
            func odd(_ ending: String) -> [CChar] { Array("\(directory)/caf".utf8CString.dropLast()) + [CChar(bitPattern: 0xE9)] + Array(ending.utf8CString) }
            // Some file systems take no such names.
            guard mkdir(odd("s"), 0o755) == 0 else { return }
            defer { rmdir(odd("s")) }
            let file = open(odd(".db"), O_WRONLY | O_CREAT, 0o644)
            #expect(file >= 0)
            close(file)
            defer { unlink(odd(".db")) }
            #expect(symlink(odd("s"), directory + "/directory") == 0)
            #expect(symlink(odd(".db"), directory + "/file") == 0)
            for path in ["/directory/store", "/directory", "/file"] {
                let error = #expect(throws: StorageError.self) { try StoreFile(engine: "test", path: directory + path) }
                #expect(error?.name == "noSuchDirectory" && error?.details.message.contains("UTF-8") == true, "\(path)")
                #expect(throws: StorageError.self) { try StoreFile(engine: "test", path: directory + path, isReadOnly: true) }
            }
        }
    }

    @Test func `system errors become the case they mean`() {
        let expected: [(Int32, String)] = [
            (ENOENT, "noSuchDirectory"), (EACCES, "permissionDenied"), (EROFS, "readOnly"), (EISDIR, "notAFile"), (ENOSPC, "diskFull"),
            (EMFILE, "outOfResources"), (EIO, "inputOutput"),
        ]
        for (code, name) in expected {
            let error = StoreFile.error(code, engine: "test", path: "store")
            #expect(error.name == name)
            #expect(error.details.code == String(code))
            #expect(error.details.path == "store")
        }
    }

    private func withTemporaryDirectory(_ body: (String) throws -> Void) throws {
        let directory = NSTemporaryDirectory() + "/trove-storefile-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(atPath: directory) } catch { Issue.record(error) }
        }
        try body(directory)
    }
}
