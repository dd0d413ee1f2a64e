import Foundation
import Trove

extension ImportKind {
    /// How many bytes tell the kind.
    private static let beginning = 4_096

    /// The kind of a file or directory, by what is in it.
    ///
    /// - Parameter database: the database that was opened to tell it, of one with a log a copy, which need not be made a second time.
    /// - Throws: ``ImportError``.
    static func told(by path: String, _ database: inout ForeignDatabase?) throws -> ImportKind {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw ImportError.unreadable(path: path, reason: "there is no such file")
        }
        if isDirectory.boolValue { return try told(byDirectory: path) }
        let start = try SourceFile.start(of: path, count: beginning)
        if start.starts(with: Array("SQLite format 3\u{0}".utf8)) {
            let opened = try ForeignDatabase(path)
            database = opened
            return try told(by: opened)
        }
        let propertyListKind = { try ImportKind.isArchive(path, start) ? keyedArchive : propertyList }
        if start.starts(with: Array("bplist".utf8)) { return try propertyListKind() }
        let letters = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
        // What tells the other kinds is ASCII; the first name of a table may begin with any letter.
        let text = String(decoding: letters.prefix { $0 < 0x80 }, as: UTF8.self).drop(while: \.isWhitespace)
        let line = letters.prefix { $0 != UInt8(ascii: "\n") }
        let fileExtension = URL(fileURLWithPath: path).pathExtension.lowercased()
        let isNamedTable = ["csv", "tsv"].contains(fileExtension)
        guard !text.isEmpty || (letters.contains { $0 >= 0x80 } && (isNamedTable || String(validating: line, as: UTF8.self) != nil)) else {
            throw ImportError.unknownKind(path: path, reason: "it begins with no text, no SQLite header and no property list; name the kind")
        }
        if text.hasPrefix("<") {
            guard text.contains("<plist") || text.contains("PropertyList") else {
                throw ImportError.unknownKind(path: path, reason: "it is XML, and no property list; name the kind")
            }
            return try propertyListKind()
        }
        if text.hasPrefix("[") { return .json }
        if text.hasPrefix("{") {
            if text.hasPrefix("{\"$trove\"") {
                throw ImportError.unknownKind(path: path, reason: "it is an export of Trove; importJSON(from:) of the store takes it, with its models")
            }
            if fileExtension == "fds" { return .fringeData }
            if ["jsonl", "ndjson", "jsonlines"].contains(fileExtension) { return .jsonLines }
            if text.contains("\"results\""), text.contains("\"objectId\"") { return .parse }
            // Two objects one after the other are no JSON.
            let lines = start.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: true)
            if lines.count > 1, (try? lines[0].withUnsafeBytes { try StoredValue(plainJSON: $0) }) != nil, lines[1].first == UInt8(ascii: "{") {
                return .jsonLines
            }
            return .json
        }
        if isNamedTable || isTable(start) { return .csv }
        throw ImportError.unknownKind(
            path: path, reason: "its content and its name fit none of \(ImportKind.allCases.map(\.rawValue).joined(separator: ", ")); name the kind")
    }

    /// Whether a property list has at its top what archives have. Others may have an archive among their values.
    private static func isArchive(_ path: String, _ start: [UInt8]) throws -> Bool {
        guard start.firstRange(of: Array("$archiver".utf8)) != nil else { return false }
        let bytes = try SourceFile.bytes(of: path)
        // A damaged one is told by who reads it.
        guard let list = try? PropertyList(bytes) else { return true }
        return list.value(named: "$archiver", in: list.root) != nil
    }

    /// Whether a text without a name that tells so is a table: each of its first lines has as many separators as the first, which prose has not.
    private static func isTable(_ start: [UInt8]) -> Bool {
        let most = 20
        var lines = String(decoding: start, as: UTF8.self).split(whereSeparator: \.isNewline)
        // The last one may be cut.
        if start.count == beginning, lines.count > 1 { lines.removeLast() }
        guard lines.count > 1 else { return false }
        return [",", ";", "\t"].contains { (separator: Character) in
            let counts = Set(lines.prefix(most).map { separators($0, separator) })
            return counts.count == 1 && counts != [0]
        }
    }

    /// How many separators a line has outside of double quotes.
    private static func separators(_ line: Substring, _ separator: Character) -> Int {
        var (count, isQuoted) = (0, false)
        for character in line {
            if character == "\"" { isQuoted.toggle() } else if character == separator, !isQuoted { count += 1 }
        }
        return count
    }

    private static func told(byDirectory path: String) throws -> ImportKind {
        let extensions = Set(try SourceFile.files(in: path).map { URL(fileURLWithPath: $0).pathExtension.lowercased() })
        switch (extensions.contains("fds"), extensions.contains("json")) {
        case (true, false): return .fringeData
        case (false, true): return .parse
        case (true, true): throw ImportError.unknownKind(path: path, reason: "the directory has files of FringeData and of JSON; name the kind")
        case (false, false): throw ImportError.unknownKind(path: path, reason: "the directory has no files that end with .fds or .json")
        }
    }

    private static func told(by database: ForeignDatabase) throws -> ImportKind {
        let tables = Set(
            try database.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap { if case .string(let name) = $0[0] { name } else { nil } })
        if tables.isSuperset(of: ["Z_PRIMARYKEY", "Z_METADATA"]) { return .coreData }
        if tables.isSuperset(of: ["NSFKeys", "NSFValues"]) { return .nanoStore }
        if tables.contains(BZObjectStoreReader.relationships) { return .bzObjectStore }
        if try tables.contains("SQLITESEQUENCE") || PersistentObjectsReader.isLikely(database, tables) { return .sqlitePersistentObjects }
        return .sqlite
    }
}
