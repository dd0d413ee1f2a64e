import CSQLite

extension Connection {
    /// What a connection may do with its file.
    enum Access: Sendable {
        /// Write, and make the file where there is none.
        case creating
        case writing
        /// Read, beside those who write. SQLite makes the files of the log's index and of the log where they are missing.
        case reading
        /// Read a file that nobody writes, without locks: SQLite looks at nothing but the file, and keeps what it has read.
        case readingUnlocked

        var writes: Bool { self == .creating || self == .writing }

        var flags: Int32 {
            switch self {
            case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .writing: SQLITE_OPEN_READWRITE
            case .reading: SQLITE_OPEN_READONLY
            case .readingUnlocked: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        }

        /// What SQLite is told to open for the file at a path.
        func name(of path: String) -> String {
            guard self == .readingUnlocked else { return path }
            // Everything that could mean something in a URI is written as its number.
            let escaped = path.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                    String(UnicodeScalar(byte))
                default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
                }
            }
            return "file:\(escaped.joined())?immutable=1"
        }
    }
}
