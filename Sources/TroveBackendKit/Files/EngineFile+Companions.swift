#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The names of the files that engines have beside a store's.
extension EngineFile {
    /// The kind of the file at a path; nil when there is none, or one of no engine of Trove's.
    ///
    /// For a file that this process does not have open: the system drops all its locks of a file when it closes one descriptor of it, and SQLite's are such.
    package init?(at path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let start = try? StoreFile.bytes(of: descriptor, at: 0, count: 32, engine: "", path: path) else { return nil }
        self.init(beginning: start)
    }

    /// What the names of the logs end with, which belong to the file that they were written for.
    package var logEndings: [String] {
        switch self {
        case .sqlite: ["-wal", "-journal"]
        case .lmdb: []
        case .tokyoCabinet: [".wal"]
        }
    }

    /// The log endings of all kinds, for a file of an engine that is not Trove's.
    package static let everyLogEnding = ["-wal", "-journal", ".wal"]

    /// What the names of all files end with that stay beside a store, logs first.
    package var companionEndings: [String] {
        switch self {
        case .sqlite: logEndings + ["-shm", "-queue"]
        case .lmdb: ["-lock", CheckedMark.ending]
        case .tokyoCabinet: logEndings + [CheckedMark.ending]
        }
    }

    /// What the names end with of all files that some engine has beside a store.
    package static let everyCompanionEnding = everyLogEnding + ["-shm", "-queue", "-lock", CheckedMark.ending]

    /// What follows a store's name in those of the files that an engine or the kit may have or make beside it, copies and locks among them.
    package static let reservedEndings = everyCompanionEnding + ["-compacting", "-new", ".lock"]

    /// The same of names that go on behind it.
    package static let reservedBeginnings = [".partial-", ".trove-"]
}
