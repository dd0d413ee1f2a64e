import CSQLite
import Foundation
import TestSupport
import Trove
import TroveImport

/// Writes the files of other libraries, with SQLite's own interface and by hand.
struct SourceFiles {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Writes a text or bytes; returns the path.
    func write(_ name: String, _ text: String) throws -> String { try write(name, Data(text.utf8)) }

    func write(_ name: String, _ data: Data) throws -> String {
        let path = directory.file(name)
        try FileManager.default.createDirectory(at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Makes an SQLite database of statements; returns the path.
    ///
    /// - Parameter leavesLog: whether the last statements stay in a log beside the file.
    func sqlite(_ name: String, _ sql: String, leavesLog: String? = nil) throws -> String {
        let path = directory.file(name)
        var handle: OpaquePointer?
        guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else { throw SourceError(reason: "cannot open \(path)") }
        func run(_ sql: String) throws {
            guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw SourceError(reason: String(cString: sqlite3_errmsg(handle)) + " in " + sql.prefix(200)) }
        }
        defer { sqlite3_close(handle) }
        try run(sql)
        guard let leavesLog else { return path }
        try run("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
        try run(leavesLog)
        // What a process leaves that is killed: the file and its log.
        for part in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + part, toPath: directory.file("left-" + name) + part) }
        return directory.file("left-" + name)
    }

    /// The bytes of every file there is, by the paths.
    func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        let root = URL(fileURLWithPath: directory.file("")).standardizedFileURL
        guard let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil) else { return [:] }
        for case let file as URL in files {
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory), !isDirectory.boolValue else { continue }
            contents[file.path] = try Data(contentsOf: file)
        }
        return contents
    }
}

struct SourceError: Error {
    let reason: String
}

/// A store without models.
func emptyStore(_ engine: Engine = .memory) throws -> StoreFixture { try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) } }

extension ObjectStore {
    /// The documents of a collection by an attribute, which they are told apart by.
    func imported(_ collection: String, by attribute: String = "id") throws -> [StoredValue: Document] {
        Dictionary(uniqueKeysWithValues: try documents(collection).fetch().all().map { ($0[DocumentPath([.name(attribute)])] ?? .null, $0) })
    }
}

extension Document {
    var reference: StoredValue { .objectID(id) }
}
