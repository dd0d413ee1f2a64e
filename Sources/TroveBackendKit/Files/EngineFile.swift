/// The kinds of files that Trove's engines keep stores in, told by their first bytes.
package enum EngineFile: String, Codable, Sendable {
    case sqlite
    case lmdb
    case tokyoCabinet

    /// The kind of the files that begin with these 20 bytes or more; nil when none do.
    package init?(beginning bytes: some Collection<UInt8>) {
        // LMDB's number stands behind the header of the first page, in the byte order of the machine that made the file.
        let magic: [UInt8] = [0xDE, 0xC0, 0xEF, 0xBE]
        let word = bytes.dropFirst(16).prefix(4)
        if bytes.starts(with: "SQLite format 3\0".utf8) {
            self = .sqlite
        } else if bytes.starts(with: "ToKyO CaBiNeT".utf8) {
            self = .tokyoCabinet
        } else if word.elementsEqual(magic) || word.elementsEqual(magic.reversed()) {
            self = .lmdb
        } else {
            return nil
        }
    }

    /// What to say to who opens a file as another kind than it is, behind the words "the file is not …": what it is, and what opens it.
    package static func advice(on bytes: some Collection<UInt8>) -> String {
        switch EngineFile(beginning: bytes) {
        case .sqlite: "it is an SQLite database; open it with SQLiteBackend, or choose another path"
        case .lmdb: "it is an LMDB file; open it with LMDBBackend, or choose another path"
        case .tokyoCabinet: "it is a Tokyo Cabinet file; open it with TokyoCabinetBackend, or choose another path"
        case nil: "choose another path"
        }
    }
}
