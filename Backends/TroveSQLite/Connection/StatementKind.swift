/// The statements a connection keeps prepared. Preparing one costs more than running it.
enum StatementKind: Int, CaseIterable {
    case generation
    case setGeneration
    case keyspaceNumber
    case keyspaceNames
    case keyspaceCount
    case addKeyspace
    case removeKeyspace

    case get
    case scanAscending
    case scanDescending
    case scanKeysAscending
    case scanKeysDescending
    case visitAscending
    case visitDescending
    case visitKeysAscending
    case visitKeysDescending
    case visitMany
    case count
    case countFew
    case countFewBelow
    case countFewFrom
    case countAll
    case put
    case insert
    case delete
    case deleteRange

    case largeValue
    case lastLargeValue
    case insertLargeValue
    case updateLargeValue
    case deleteLargeValue
    case deleteLargeValues
    case deleteLargeValuesOfRange

    case begin
    case commit
    case rollback
    case savepoint
    case releaseSavepoint
    case rollbackToSavepoint

    /// How many entries ``countFew`` and those like it count at most.
    static let few = 5_000

    var sql: String {
        switch self {
        case .generation: "SELECT generation FROM trove_state"
        case .setGeneration: "UPDATE trove_state SET generation = ?1"
        case .keyspaceNumber: "SELECT number FROM trove_keyspaces WHERE name = ?1"
        case .keyspaceNames: "SELECT name FROM trove_keyspaces ORDER BY name"
        case .keyspaceCount: "SELECT count(*) FROM trove_keyspaces"
        case .addKeyspace: "INSERT INTO trove_keyspaces (name, number) VALUES (?1, ?2)"
        case .removeKeyspace: "DELETE FROM trove_keyspaces WHERE number = ?1"
        case .get: "SELECT value FROM trove_entries WHERE key = ?1"
        // Scans have one bound in SQL; the other one is compared by the caller, which is faster and leaves one statement for each direction.
        case .scanAscending: "SELECT key, value FROM trove_entries WHERE key >= ?1 ORDER BY key"
        case .scanDescending: "SELECT key, value FROM trove_entries WHERE key < ?1 ORDER BY key DESC"
        case .scanKeysAscending: "SELECT key FROM trove_entries WHERE key >= ?1 ORDER BY key"
        case .scanKeysDescending: "SELECT key FROM trove_entries WHERE key < ?1 ORDER BY key DESC"
        case .visitAscending: "SELECT 1 FROM trove_entries WHERE key >= ?1 AND \(RowVisitor.function)(?2, key, value) ORDER BY key"
        case .visitDescending: "SELECT 1 FROM trove_entries WHERE key < ?1 AND \(RowVisitor.function)(?2, key, value) ORDER BY key DESC"
        case .visitKeysAscending: "SELECT 1 FROM trove_entries WHERE key >= ?1 AND \(RowVisitor.function)(?2, key) ORDER BY key"
        case .visitKeysDescending: "SELECT 1 FROM trove_entries WHERE key < ?1 AND \(RowVisitor.function)(?2, key) ORDER BY key DESC"
        case .visitMany:
            """
            SELECT 1 FROM trove_keys(?1) AS wanted CROSS JOIN trove_entries AS found
              WHERE found.key = wanted.key AND \(KeyVisitor.function)(?2, wanted.rowid, found.value)
            """
        case .count: "SELECT count(*) FROM trove_entries WHERE key >= ?1 AND key < ?2"
        case .countFew: "SELECT count(*) FROM (SELECT 1 FROM trove_entries WHERE key >= ?1 AND key < ?2 LIMIT \(Self.few))"
        case .countFewBelow: "SELECT count(*) FROM (SELECT 1 FROM trove_entries WHERE key < ?1 LIMIT \(Self.few))"
        case .countFewFrom: "SELECT count(*) FROM (SELECT 1 FROM trove_entries WHERE key >= ?1 LIMIT \(Self.few))"
        // The one count that SQLite makes page by page.
        case .countAll: "SELECT count(*) FROM trove_entries"
        // REPLACE on a table without rowid, index and trigger is one insertion into the tree; an upsert is a search before it.
        case .put: "REPLACE INTO trove_entries (key, value) VALUES (?1, ?2)"
        case .insert: "INSERT OR IGNORE INTO trove_entries (key, value) VALUES (?1, ?2)"
        case .delete: "DELETE FROM trove_entries WHERE key = ?1"
        case .deleteRange: "DELETE FROM trove_entries WHERE key >= ?1 AND key < ?2"
        case .largeValue: "SELECT value FROM trove_values WHERE id = ?1"
        case .lastLargeValue: "SELECT max(id) FROM trove_values WHERE id >= ?1 AND id < ?2"
        case .insertLargeValue: "INSERT INTO trove_values (id, value) VALUES (?1, ?2)"
        case .updateLargeValue: "UPDATE trove_values SET value = ?2 WHERE id = ?1"
        case .deleteLargeValue: "DELETE FROM trove_values WHERE id = ?1"
        case .deleteLargeValues: "DELETE FROM trove_values WHERE id >= ?1 AND id < ?2"
        case .deleteLargeValuesOfRange:
            """
            DELETE FROM trove_values WHERE id IN
              (SELECT value FROM trove_entries WHERE key >= ?1 AND key < ?2 AND typeof(value) = 'integer')
            """
        case .begin: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        case .savepoint: "SAVEPOINT trove"
        case .releaseSavepoint: "RELEASE trove"
        case .rollbackToSavepoint: "ROLLBACK TO trove"
        }
    }
}
