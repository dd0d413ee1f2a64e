#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import TroveBackendKit
import TroveStorage

/// Writes files that are there whole or not at all.
enum FileWriting {
    /// How the new file gets its name.
    enum Placing {
        /// In the place of one that may be there.
        case replacing
        /// Only where there is nothing.
        case asNew
    }

    /// Writes a file under another name, then gives it its own.
    ///
    /// - Parameters:
    ///   - store: the path of the store. Nobody may read the new file who may not read that, when it is there.
    ///   - isDurable: whether bytes and name are on the disk when this returns.
    static func store(_ bytes: [UInt8], at path: String, _ placing: Placing, of store: String, isDurable: Bool, engine: String) throws {
        var information = stat()
        let mode: mode_t? = stat(store, &information) == 0 ? information.st_mode & 0o777 : nil
        // Changes of the store come one at a time, so what is under the name was left by a crash; several copies may be made at once.
        let temporary = placing == .replacing ? "\(path).new" : "\(path).new-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode ?? 0o644)
        guard descriptor >= 0 else { throw StoreFile.error(errno, engine: engine, path: path) }
        defer { unlink(temporary) }
        do {
            defer { close(descriptor) }
            // Opening leaves out what the process's mask says.
            if let mode { fchmod(descriptor, mode) }
            try fill(descriptor, with: bytes, path, engine)
            // Not fsync, which on Apple's systems leaves the data in the drive's cache.
            if isDurable { try StoreFile.synchronize(descriptor, engine: engine, path: path) }
        }
        switch placing {
        case .replacing: try check(rename(temporary, path), path, engine)
        case .asNew:
            if link(temporary, path) != 0 {
                guard errno == EEXIST else { throw StoreFile.error(errno, engine: engine, path: path) }
                throw StorageError.destinationExists(
                    .init(engine: engine, path: path, message: "there is something at the destination; name a free path"))
            }
        }
        // A new name is on the disk when its directory is.
        if isDurable { try StoreFile.synchronizeDirectory(of: path, engine: engine) }
    }

    private static func fill(_ descriptor: Int32, with bytes: [UInt8], _ path: String, _ engine: String) throws {
        try bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = write(descriptor, bytes.baseAddress! + done, bytes.count - done)
                if count < 0 && errno == EINTR { continue }
                try check(count < 0 ? -1 : 0, path, engine)
                done += count
            }
        }
    }

    private static func check(_ result: Int32, _ path: String, _ engine: String) throws {
        if result < 0 { throw StoreFile.error(errno, engine: engine, path: path) }
    }
}
