import Foundation

extension StoreEngine {
    /// How many bytes tell the engine.
    private static let beginning = 64

    /// The engine of the file at a path, told from its first bytes. Nothing is made and nothing is changed.
    ///
    /// - Throws: ``CommandError``, which says what is there instead of a store.
    init(ofFileAt path: String) throws {
        var information = stat()
        guard stat(path, &information) == 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? CommandError.noSuchStore(path: path) : Self.unreadable(path)
        }
        switch information.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw CommandError.directory(path: path, holdsLMDB: access(path + "/data.mdb", F_OK) == 0)
        default: throw CommandError.notAFile(path: path)
        }
        guard information.st_size > 0 else { throw CommandError.emptyFile(path: path) }
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.beginning)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw Self.unreadable(path) }
        guard let engine = StoreEngine(beginning: Array(bytes.prefix(count))) else {
            throw bytes.starts(with: Array("{\"$trove".utf8)) ? CommandError.isExport(path: path) : CommandError.unknownFile(path: path)
        }
        self = engine
    }

    private static func unreadable(_ path: String) -> CommandError {
        .unreadable(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
}
