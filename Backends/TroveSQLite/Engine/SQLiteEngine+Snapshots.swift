import CSQLite
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Several readers of one snapshot.
extension SQLiteEngine {
    /// Calls `body` with readers of a snapshot that was taken when the log was in a state, as long as it is still in it.
    ///
    /// They are fewer than wanted when another commit has come, when more than half of the connections are in use, or whatever else is in the way:
    /// who asks for them does without.
    ///
    /// - Parameter timeout: how long their calls wait for locks of other processes.
    func withReaders(upTo count: Int, of logState: LogState?, timeout: Duration, _ body: (_ readers: [any StorageReader]) throws -> Void) throws {
        var opened: [(reader: SQLiteReader, pin: OpaquePointer)] = []
        defer {
            for (reader, pin) in opened {
                reader.finish()
                reader.connection.give(pin, .generation)
                readers.give(reader.connection)
            }
        }
        if let logState {
            while opened.count < count, let next = beginRead(of: logState, timeout: timeout) { opened.append(next) }
        }
        try body(opened.map(\.reader))
    }

    /// A reader of the last state, when the log is in the state that is asked for.
    private func beginRead(of logState: LogState, timeout: Duration) -> (SQLiteReader, pin: OpaquePointer)? {
        guard let connection = readers.takeSpare(timeout: timeout) else { return nil }
        do {
            let pin = try connection.pinSnapshot()
            // The log's states are never repeated: it has been in this one since before the other snapshot was taken.
            if connection.logState == logState { return (SQLiteReader(of: self, on: connection, logState: logState), pin) }
            connection.give(pin, .generation)
        } catch {
            // The next read on the connection meets it again.
        }
        readers.give(connection)
        return nil
    }
}

extension Connection {
    /// Takes a snapshot, which lasts until the statement is given back.
    ///
    /// In autocommit mode a connection keeps its snapshot while any statement runs, so one statement that
    /// is left in its first row does the work of BEGIN and COMMIT.
    func pinSnapshot() throws -> OpaquePointer {
        let pin = try take(.generation)
        let code = sqlite3_step(pin)
        guard code == SQLITE_ROW else {
            let error = failure(code == SQLITE_DONE ? SQLITE_CORRUPT : code)
            give(pin, .generation)
            throw error
        }
        names.adopt(generation: Int(sqlite3_column_int64(pin, 0)))
        return pin
    }
}

/// What the header of the log's index tells: each commit of each process changes it, and so does a log that begins anew.
///
/// It has a counter of commits, the number of pages in the log, a checksum over all of them, and two random numbers of the log.
struct LogState: Equatable {
    private let words: csqlite_log_state

    /// The one state of a file that nobody writes.
    static let only: LogState = {
        var words = csqlite_log_state()
        words.salt = (0, 1)
        return LogState(words: words)
    }()

    private init(words: csqlite_log_state) { self.words = words }

    static func == (left: LogState, right: LogState) -> Bool {
        withUnsafeBytes(of: left.words) { left in withUnsafeBytes(of: right.words) { memcmp(left.baseAddress!, $0.baseAddress!, left.count) == 0 } }
    }

    /// The random numbers of the log, with the number of its pages that are committed and the counter of commits; nil
    /// of an empty one that has got no numbers yet.
    var stamp: StateStamp? {
        if words.pages == 0, words.salt == (0, 0) { return nil }
        return StateStamp(UInt64(words.salt.0) << 32 | UInt64(words.salt.1), UInt64(words.pages) << 32 | UInt64(words.changes))
    }

    /// Counts the commits, of all processes.
    var commitCount: UInt32 { words.changes }

    /// - Parameter index: the index of the log, as long as the connection it is of is open.
    init?(_ index: UnsafeRawPointer) {
        words = csqlite_read_log_state(index)
        // Another version of SQLite may have another index.
        guard words.version == 3_007_000 else { return nil }
    }
}
