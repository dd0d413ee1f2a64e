#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension StoreFile {
    /// Keeps an open file from the programs that this process starts. For those of C libraries that do not do so: a program that has one keeps its room on
    /// the disk after it was removed or replaced, and can read and write it.
    package static func withholdFromPrograms(_ descriptor: Int32) {
        let flags = fcntl(descriptor, F_GETFD)
        if flags >= 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
    }

    /// Up to `count` bytes of an open file from `offset`; fewer at its end.
    ///
    /// - Parameter path: the path of the file, for errors.
    /// - Throws: what the system says, as ``error(_:engine:path:)`` makes it.
    package static func bytes(of descriptor: Int32, at offset: Int, count: Int, engine: String, path: String) throws -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
                if got < 0 && errno == EINTR { continue }
                if got < 0 { failure = errno }
                if got <= 0 { break }
                filled += got
            }
        }
        if failure != 0 { throw error(failure, engine: engine, path: path) }
        return bytes
    }

    /// Writes all of `bytes` into an open file at `offset`.
    ///
    /// - Parameter path: the path of the file, for errors.
    /// - Throws: what the system says, as ``error(_:engine:path:)`` makes it.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int, engine: String, path: String) throws {
        var written = 0
        while written < bytes.count {
            let count = pwrite(descriptor, bytes.baseAddress! + written, bytes.count - written, off_t(offset + written))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw error(errno, engine: engine, path: path) }
            written += count
        }
    }
}
