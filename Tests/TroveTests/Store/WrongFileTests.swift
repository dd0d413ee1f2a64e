import Foundation
import TestSupport
import Testing
import Trove

/// Opening what is no file of the engine says what it is, and what to do.
@Suite struct WrongFileTests {
    @Model struct Note {
        let id: Int
        var text: String
    }

    private static let backends: [Engine: String] = [.sqlite: "SQLiteBackend", .lmdb: "LMDBBackend", .tokyoCabinet: "TokyoCabinetBackend"]

    @Test(arguments: Engine.persistent, Engine.persistent) func aFileOfAnotherEngine(_ engine: Engine, _ other: Engine) throws {
        if engine == other { return }
        let directory = try TemporaryDirectory()
        let path = directory.file()
        let store = try ObjectStore(other.open(path), durability: .durable, models: Note.self)
        try store.save(Note(id: 1, text: "kept"))
        try store.close()
        let backend = try #require(Self.backends[other])
        #expect { try engine.open(path) } throws: { error in
            guard case StorageError.notAStore = error else { return false }
            return "\(error)".contains("open it with \(backend)")
        }
        // It is as it was.
        #expect(try ObjectStore(other.open(path), models: Note.self).fetch(Note.self, id: 1)?.text == "kept")
    }

    @Test(
        arguments: Engine.persistent,
        [
            ("", "give the path of a file"), (":memory:", "MemoryBackend"), ("~/absent-directory/store", "home directory"), ("file:///absent-directory/store", "path of the file"),
            ("/absent-directory/store", "create it first"), ("a\0b", "zero byte"),
        ])
    func aPathThatIsNone(_ engine: Engine, _ wrong: (path: String, advice: String)) throws {
        #expect { try engine.open(wrong.path) } throws: { error in
            guard case StorageError.noSuchDirectory = error else { return false }
            return "\(error)".contains(wrong.advice)
        }
        #expect(!FileManager.default.fileExists(atPath: ":memory:"))
    }

    @Test(arguments: Engine.persistent) func aBackupIntoADirectoryThatIsNone(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        let path = fixture.directory.file("absent/copy")
        #expect { try fixture.store.backUp(to: path) } throws: { error in
            guard case StorageError.noSuchDirectory = error else { return false }
            return "\(error)".contains("there is no directory '") && "\(error)".contains("absent'; create it first")
        }
    }
}
