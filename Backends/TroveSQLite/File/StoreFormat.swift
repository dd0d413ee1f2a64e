import CSQLite
import TroveBackendKit
import TroveStorage

/// What tells a Trove store from other SQLite databases, and what is in a new one.
///
/// `trove_state` has one row. Its generation grows with every keyspace made or dropped; it is the number of the
/// newest keyspace, so numbers are never used twice, and it tells connections that the names they remember are old.
///
/// `trove_entries` holds the entries of all keyspaces; a key begins with the keyspace's ``KeyPrefix``. A value is a blob, or
/// an integer that is the id of a row of `trove_values`.
///
/// `trove_values` holds the values that do not fit on a page of the entries' tree. Left there they would go on in a
/// chain of further pages, and each search that compares with a key would read all of its record: with values of 1,200 bytes
/// on pages of 4 KiB a put took 13 times and a get 5 times as long as with 900 bytes. Ids are the keyspace's number
/// times 2^32 plus a counter.
enum StoreFormat {
    /// "Trov" in the header.
    static let applicationID: UInt32 = 0x5472_6F76
    static let version: UInt32 = 1

    /// The number of bytes of the header that are looked at.
    static let headerSize = 100

    private static let tables: KeyValuePairs = [
        "trove_state": "(generation INTEGER NOT NULL)",
        "trove_keyspaces": "(name BLOB PRIMARY KEY NOT NULL, number INTEGER UNIQUE NOT NULL) WITHOUT ROWID",
        "trove_entries": "(key BLOB PRIMARY KEY NOT NULL, value NOT NULL) WITHOUT ROWID",
        "trove_values": "(id INTEGER PRIMARY KEY NOT NULL, value BLOB NOT NULL)",
    ]
    /// What makes the tables, as SQLite keeps it.
    private static let definitions = tables.map { "CREATE TABLE \($0) \($1)" }

    static let schema = """
        \(definitions.joined(separator: ";\n"));
        INSERT INTO trove_state VALUES (0);
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);
        """

    /// Whether the store has its tables and nothing else belongs to them. A forged definition would have SQLite compute values,
    /// as large as it says, where they are read.
    static func hasItsTables(_ connection: Connection) throws -> Bool {
        let texts = definitions.map { "'\($0)'" }.joined(separator: ", ")
        let names = tables.map { "'\($0.key)'" }.joined(separator: ", ")
        return try connection.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND sql IN (\(texts))") == tables.count
            && connection.integer("SELECT count(*) FROM sqlite_schema WHERE tbl_name IN (\(names)) AND sql IS NOT NULL") == tables.count
    }

    /// Checks the first bytes of a file that is not empty.
    static func check(header: [UInt8], path: String) throws {
        let magic = Array("SQLite format 3\0".utf8)
        guard header.starts(with: magic) || (header.count < magic.count && magic.starts(with: header)) else {
            throw StorageError.notAStore(details(path, "the file is not an SQLite database; \(EngineFile.advice(on: header))"))
        }
        guard header.count == headerSize else {
            throw StorageError.corrupt(details(path, "the file ends within its header; restore a backup"))
        }
        try check(applicationID: integer(header, at: 68), version: integer(header, at: 60), path: path)
        // SQLite reports these as a plain error. They are the number of its schema format and that of its text encoding.
        guard (1...4).contains(integer(header, at: 44)), (1...3).contains(integer(header, at: 56)) else {
            throw StorageError.corrupt(details(path, "the file's header is damaged; restore a backup"))
        }
    }

    /// Whether readers of the file need a write-ahead log.
    static func hasLog(header: [UInt8]) -> Bool { header[19] == 2 }

    /// Checks the numbers that tell a Trove store.
    static func check(applicationID id: UInt32, version found: UInt32, path: String) throws {
        guard id == applicationID else {
            throw StorageError.notAStore(details(path, "the file is an SQLite database of another program; choose another path"))
        }
        guard found <= version else {
            throw StorageError.newerFormat(
                details(path, "the file has format \(found), this version of Trove reads up to \(version); update Trove"))
        }
    }

    private static func integer(_ header: [UInt8], at offset: Int) -> UInt32 {
        header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func details(_ path: String, _ message: String) -> StorageError.Details {
        StorageError.Details(engine: SQLiteEngine.name, path: path, message: message)
    }
}
