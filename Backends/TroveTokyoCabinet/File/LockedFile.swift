#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

import TroveBackendKit
import TroveStorage

/// The store's file held open and locked for as long as the engine runs.
///
/// The library locks by `fcntl`, and such a lock ends when the process closes any descriptor of the file.
/// So everything here reads through this one descriptor, and the lock that keeps other processes of Trove
/// out is one of `flock`, which ends only with it.
final class LockedFile: Sendable {
    let file: StoreFile
    let descriptor: Int32
    /// How often a lock is asked for again, and after how many microseconds.
    private static let maxAttempts = 25
    private static let attemptInterval: UInt32 = 4_000

    /// Opens and locks the file, which may still have another name than it will be known by.
    ///
    /// - Parameter isReadOnly: whether it is only read, as others may do at the same time.
    /// - Throws: `locked`, `noSuchStore` when somebody has removed it, or what the file system says.
    init(_ file: StoreFile, under name: String? = nil, isReadOnly: Bool = false) throws {
        self.file = file
        let path = name ?? file.path
        // Of a process that ended without giving the lock back, a child that it has just forked has it until it executes its program: some
        // milliseconds.
        var attempts = 0
        while true {
            let descriptor = open(path, (isReadOnly ? O_RDONLY : O_RDWR) | O_CLOEXEC)
            guard descriptor >= 0 else { throw errno == ENOENT ? file.goneError : StoreFile.error(errno, engine: file.engine, path: file.path) }
            guard flock(descriptor, (isReadOnly ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 else {
                let code = errno
                close(descriptor)
                if code == EINTR { continue }
                guard code == EWOULDBLOCK else { throw StoreFile.error(code, engine: file.engine, path: file.path) }
                attempts += 1
                if attempts <= Self.maxAttempts {
                    usleep(Self.attemptInterval)
                    continue
                }
                throw StorageError.locked(
                    .init(
                        engine: file.engine, path: file.path,
                        message: isReadOnly
                            ? "another process has the store open and may write it; while it does, nobody else can read it"
                            : "another process has the store open; only one at a time can", code: Int(code)))
            }
            // Another process may have put a new file in place between the two calls.
            var opened = stat()
            var named = stat()
            if fstat(descriptor, &opened) == 0, stat(path, &named) == 0, opened.st_ino == named.st_ino {
                self.descriptor = descriptor
                return
            }
            close(descriptor)
        }
    }

    deinit { FileLock.release(descriptor) }

    /// Whether the path leads to the file: somebody may have removed or replaced it.
    var isAtPath: Bool {
        var (held, there) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && stat(file.path, &there) == 0 && held.st_dev == there.st_dev && held.st_ino == there.st_ino
    }

    /// The file's size in bytes.
    func size() throws -> Int {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw error(errno) }
        return Int(information.st_size)
    }

    /// Up to `count` bytes from `offset`; fewer at the end of the file.
    func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        try StoreFile.bytes(of: descriptor, at: offset, count: count, engine: file.engine, path: file.path)
    }

    /// Writes all of `bytes` at `offset`.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        try Self.write(bytes, to: descriptor, at: offset, of: file)
    }

    /// Writes all of `bytes` at `offset` into the file behind `descriptor`.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int, of file: StoreFile) throws {
        try StoreFile.write(bytes, to: descriptor, at: offset, engine: file.engine, path: file.path)
    }

    /// Cuts or extends the file.
    func truncate(to size: Int) throws {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw error(errno) }
    }

    /// Returns when the file is on the disk.
    func synchronize() throws { try Self.synchronize(descriptor, of: file) }

    /// Returns when the file behind `descriptor` is on the disk, through the drive's cache on Apple systems.
    static func synchronize(_ descriptor: Int32, of file: StoreFile) throws {
        try StoreFile.synchronize(descriptor, engine: file.engine, path: file.path)
    }

    /// Calls `body` with the file's bytes, mapped for reading.
    func withMapping<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        try Self.withMapping(of: descriptor, for: file, body)
    }

    static func withMapping<Result>(
        of descriptor: Int32, for file: StoreFile, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            throw StoreFile.error(errno, engine: file.engine, path: file.path)
        }
        let size = Int(information.st_size)
        guard size > 0 else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        guard let start = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED else {
            throw StoreFile.error(errno, engine: file.engine, path: file.path)
        }
        defer { munmap(start, size) }
        return try body(UnsafeRawBufferPointer(start: start, count: size))
    }

    /// Calls `body` with the first `size` bytes of the file, mapped so that changes do not reach it.
    ///
    /// - Throws: `corrupt` when the file is shorter.
    func withPrivateCopy(upTo size: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        guard try self.size() >= size, size > 0 else {
            throw StorageError.corrupt(
                .init(engine: file.engine, path: file.path, message: "the file is cut off: its log belongs to a file with \(size) bytes; restore a copy"))
        }
        guard let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else { throw error(errno) }
        defer { munmap(start, size) }
        try body(UnsafeMutableRawBufferPointer(start: start, count: size))
    }

    private func error(_ code: Int32) -> StorageError { StoreFile.error(code, engine: file.engine, path: file.path) }
}
