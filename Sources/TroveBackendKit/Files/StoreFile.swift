#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

import TroveStorage

/// The facts about a path that a backend checks before it passes it to a C library.
public struct StoreFile: Sendable {
    /// The identity of a file, whichever path or hard link leads to it.
    public struct Identity: Sendable, Hashable {
        let device: UInt64
        let inode: UInt64
    }

    /// The name of the engine, for errors.
    public let engine: String
    /// The absolute path with the directory's symbolic links resolved.
    public let path: String
    /// Why the file is to be read only; nil when it can be written. Only a file of ``init(engine:path:isReadOnly:)`` may have one.
    public let writeRefusal: StorageError?

    /// Checks that the directory exists, and that the path is free or leads to a regular file that can be read and written.
    /// A link that leads to nothing is refused.
    ///
    /// Standard streams that are closed are led nowhere, or the file could get the number of one and the program write over it what it prints.
    ///
    /// - Throws: ``StorageError/noSuchDirectory(_:)``, ``StorageError/notAFile(_:)``,
    ///   ``StorageError/permissionDenied(_:)``, ``StorageError/readOnly(_:)``.
    public init(engine: String, path: String) throws {
        // The engine is about to open the file, in a way of its own.
        StandardStreams.occupyClosed()
        self.engine = engine
        self.path = try Self.canonical(path, engine: engine)
        writeRefusal = nil
        if try !isUsableFile() { try checkAccess(Self.directory(of: self.path), W_OK | X_OK) }
    }

    /// Checks the path as ``init(engine:path:)`` does, for an engine that can read a file that it cannot write: such a file has a ``writeRefusal``.
    ///
    /// - Parameter isReadOnly: whether nothing is to be written, whatever the file system allows. Then there need not be anything at the path;
    ///   ``EngineRegistry`` sees to it that nothing is made there.
    /// - Throws: ``StorageError/noSuchDirectory(_:)``, ``StorageError/notAFile(_:)``, ``StorageError/permissionDenied(_:)``;
    ///   ``StorageError/readOnly(_:)`` when there is no file and none can be made.
    public init(engine: String, path: String, isReadOnly: Bool) throws {
        StandardStreams.occupyClosed()
        let path = try Self.canonical(path, engine: engine)
        let file = StoreFile(engine: engine, path: path, refusal: nil)
        var refusal: StorageError?
        if isReadOnly {
            _ = try file.isUsableFile(R_OK)
            refusal = .readOnly(
                .init(
                    engine: engine, path: path,
                    message: "the store was opened with `isReadOnly`; close it wherever this process has it open, and open it without to change it"))
        } else if try file.isUsableFile(R_OK) {
            do { try file.checkAccess(path, R_OK | W_OK) } catch { refusal = error }
        } else {
            try file.checkAccess(Self.directory(of: path), W_OK | X_OK)
        }
        self.init(engine: engine, path: path, refusal: refusal)
    }

    private init(engine: String, path: String, refusal: StorageError?) {
        (self.engine, self.path, writeRefusal) = (engine, path, refusal)
    }

    /// Opens the file with an engine: for writing, or for reading only where the file, or what the engine has beside it, cannot be written.
    ///
    /// - Parameter open: opens it, for reading only when it is given why. It is called again, with that error, when an attempt to open a store for
    ///   writing ends with ``StorageError/readOnly(_:)`` or ``StorageError/permissionDenied(_:)``.
    /// - Throws: what `open` throws.
    public func opening<Engine>(_ open: (_ writeRefusal: StorageError?) throws -> Engine) throws -> Engine {
        if let writeRefusal { return try open(writeRefusal) }
        do {
            return try open(nil)
        } catch let refusal as StorageError where refusal.deniesWriting && size > 0 {
            return try open(refusal)
        }
    }

    /// Whether there is something at the path now.
    public var exists: Bool { identity != nil }

    /// Whether this process may write the file. What it makes beside a file that it may only read would be in the way of those who may write it.
    public var isWritable: Bool { access(path, R_OK | W_OK) == 0 }

    /// The identity of the file at the path, nil when there is none.
    public var identity: Identity? {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        return Identity(device: UInt64(truncatingIfNeeded: information.st_dev), inode: UInt64(information.st_ino))
    }

    /// The file's size in bytes; 0 when there is none.
    public var size: Int {
        var information = stat()
        return stat(path, &information) == 0 ? Int(information.st_size) : 0
    }

    /// Up to `count` bytes from `offset`; fewer at the end of the file.
    ///
    /// - Throws: ``goneError`` when there is no file; what the system says, as ``error(_:engine:path:)`` makes it.
    public func bytes(at offset: Int = 0, count: Int) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw errno == ENOENT ? goneError : Self.error(errno, engine: engine, path: path) }
        defer { close(descriptor) }
        return try Self.bytes(of: descriptor, at: offset, count: count, engine: engine, path: path)
    }

    /// The error for a system error number at a path.
    public static func error(_ code: Int32, engine: String, path: String) -> StorageError {
        // The only links that are not followed stand where an engine keeps a file of its own.
        let message =
            switch code {
            case ELOOP: "a symbolic link, or a circle of them, is in the place of the store or of a file beside it; remove it"
            case ENOENT where access(directory(of: path), F_OK) != 0: noDirectory(directory(of: path))
            default: String(cString: strerror(code)).lowercased()
            }
        let details = StorageError.Details(engine: engine, path: path, message: message, code: Int(code))
        return switch code {
        case ENOENT, ENOTDIR: .noSuchDirectory(details)
        case EACCES, EPERM: .permissionDenied(details)
        case EROFS: .readOnly(details)
        case EISDIR, ELOOP: .notAFile(details)
        case ENOSPC, EDQUOT, EFBIG: .diskFull(details)
        case EMFILE, ENFILE, ENOMEM, EAGAIN: .outOfResources(details)
        default: .inputOutput(details)
        }
    }

    /// Whether there is a regular file that allows access of a mode; false when there is none, or none any more, since others may remove it meanwhile.
    private func isUsableFile(_ mode: Int32 = R_OK | W_OK) throws -> Bool {
        var information = stat()
        guard stat(path, &information) == 0 else {
            // The engine would make the file that the link leads to, and Trove would look for its neighbours beside the link.
            guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFLNK else { return false }
            throw StorageError.notAFile(
                .init(engine: engine, path: path, message: "the symbolic link at the path leads to nothing; remove it, or create the file that it leads to"))
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw StorageError.notAFile(
                .init(engine: engine, path: path, message: "there is a directory or a special file at the path; name a file"))
        }
        if access(path, mode) != 0 && errno == ENOENT { return false }
        try checkAccess(path, mode)
        return true
    }

    private func checkAccess(_ path: String, _ mode: Int32) throws(StorageError) {
        guard access(path, mode) != 0 else { return }
        let code = errno
        if code == EACCES && access(path, R_OK) == 0 {
            throw StorageError.readOnly(
                .init(
                    engine: engine, path: self.path,
                    message: "'\(path)' can be read but not written; a store needs both", code: Int(code)))
        }
        throw Self.error(code, engine: engine, path: path)
    }

    private static func canonical(_ path: String, engine: String) throws -> String {
        func refusal(_ message: String) -> StorageError { .noSuchDirectory(.init(engine: engine, path: path, message: message)) }
        if path.isEmpty { throw refusal("the path is empty; give the path of a file") }
        if path.utf8.contains(0) { throw refusal("the path holds a zero byte, which no file's name can have; give another") }
        // SQLite's own name for a database that no file has.
        if path == ":memory:" { throw refusal("':memory:' is the name of no file; for a store in memory open a MemoryBackend") }
        func resolved(_ part: String) throws -> String? {
            guard let start = realpath(part, nil) else { return nil }
            defer { free(start) }
            if let text = String(validatingCString: start) { return text }
            // A repaired name is another file's, or nobody's: there a new store would be made.
            throw refusal("the path leads to a place whose name is not in UTF-8, which no String can hold; rename that, or choose another place")
        }
        if let whole = try resolved(path) { return whole }
        let directory = directory(of: path)
        guard let parent = try resolved(directory) else {
            let code = errno
            if code == ENOENT || code == ENOTDIR {
                if path.hasPrefix("file:") {
                    throw refusal("the path is a URL; give the path of the file, as 'url.path(percentEncoded: false)' of Foundation's URL")
                }
                if path.hasPrefix("~") {
                    throw refusal("'~' stands for your home directory in a shell only; give the whole path, as 'URL.homeDirectory' of Foundation begins it")
                }
                throw StorageError.noSuchDirectory(
                    .init(engine: engine, path: path, message: noDirectory(directory), code: Int(code)))
            }
            throw error(code, engine: engine, path: path)
        }
        var information = stat()
        guard stat(parent, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else {
            throw StorageError.noSuchDirectory(
                .init(engine: engine, path: path, message: "'\(directory)' is a file, not a directory; choose another place"))
        }
        let name = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true).last.map { String(Substring($0)) } ?? ""
        return parent == "/" ? "/" + name : parent + "/" + name
    }

    private static func noDirectory(_ directory: String) -> String { "there is no directory '\(directory)'; create it first" }

    /// The directory that the bytes of a path name, as the system does: a slash and a combining mark after it are one `Character`.
    static func directory(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.utf8.startIndex ? "/" : String(Substring(path.utf8[..<slash]))
    }
}

extension StorageError {
    /// Whether the file system has refused a change of a file that it may let be read.
    package var deniesWriting: Bool {
        switch self {
        case .readOnly, .permissionDenied: true
        default: false
        }
    }
}
