import Foundation
import TroveBackendKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension DirectoryFiles {
    /// What the name of a file begins with that is written and not whole yet. A run that was broken off leaves such files, which say
    /// nothing, and the next one writes over them.
    static let writingName = ".trove-writing"
    private static let mostSynchronizedOneByOne = 16

    /// What became of a file that was to be written.
    enum Outcome {
        /// It is there.
        ///
        /// - Parameter stamp: what is written down of it.
        case written(_ stamp: FileStamp)
        /// Somebody else wrote there meanwhile.
        case stale
        /// The system does not let it be written.
        case failed(reason: String)
    }

    /// Writes files, each of which is there as a whole or not at all, whenever the process ends; after the return they are on the disk.
    ///
    /// - Parameters:
    ///   - mode: the permissions of those that are new; nil for what the process gives its files.
    ///   - isStale: asked for each file, by its position, just before it takes its place: whether somebody else wrote there
    ///     meanwhile, and it is not to be written.
    /// - Throws: ``Failure`` when the disk is full or broken. Nothing is left of files that have not taken their places.
    static func write(_ files: [(url: URL, data: Data)], mode: mode_t?, unless isStale: (Int) -> Bool = { _ in false }) throws -> [Outcome] {
        var outcomes = [Outcome](repeating: .stale, count: files.count)
        var folders: Set<URL> = []
        var new: [(position: Int, url: URL)] = []
        var disks = Disks()
        defer { disks.close() }
        func attempt(_ position: Int, _ body: () throws -> Void) throws {
            do { try body() } catch let failure as Failure where !failure.isOfDisk { outcomes[position] = .failed(reason: failure.reason) }
        }
        do {
            for (position, (url, data)) in files.enumerated() {
                let folder = url.deletingLastPathComponent()
                let place = folder.appending(path: "\(writingName)-\(position)")
                try attempt(position) {
                    if !folders.contains(folder) {
                        try make(folder)
                        folders.insert(folder)
                        if files.count > mostSynchronizedOneByOne { disks.add(folder) }
                    }
                    do {
                        try write(to: place, mode: self.mode(for: url, else: mode), synchronizing: !disks.contains(folder)) { append in
                            try data.withUnsafeBytes(append)
                        }
                    } catch {
                        try? remove(place)
                        throw error
                    }
                    new.append((position, place))
                }
            }
            try disks.synchronize()
            for (position, place) in new {
                try attempt(position) {
                    if let stamp = try self.place(place, at: files[position].url, unless: { isStale(position) }) { outcomes[position] = .written(stamp) }
                }
            }
        } catch {
            for (_, place) in new { try? remove(place) }
            throw error
        }
        for folder in folders { synchronize(folder) }
        return outcomes
    }

    /// Where a file of a folder is written before it takes its place.
    static func newFile(in folder: URL) -> URL { folder.appending(path: writingName) }

    /// Gives a file that was written its place; removes it instead when somebody else wrote there meanwhile, and where that fails.
    ///
    /// - Returns: what is written down of the file; nil of one that has not taken its place. It is taken before the file is where others can write it.
    static func place(_ new: URL, at url: URL, unless isStale: () -> Bool) throws -> FileStamp? {
        guard let stamp = FileStamp(new.path, followsLinks: false)?.certain, !isStale() else {
            try remove(new)
            return nil
        }
        guard rename(new.path, url.path) == 0 else {
            let failure = Failure(url)
            try? remove(new)
            throw failure
        }
        return stamp
    }

    /// Writes a file.
    ///
    /// - Parameter body: is called once with what appends bytes to the file.
    /// - Throws: ``Failure``; what `body` throws.
    static func write(
        to url: URL, mode: mode_t?, synchronizing: Bool = true, _ body: (_ append: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        // What a run has left that was broken off may have permissions that forbid to write it.
        unlink(url.path)
        // Nobody reads it who may not read what it takes the place of.
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode.map { $0 & 0o600 } ?? 0o644)
        guard descriptor >= 0 else { throw Failure(url) }
        defer { close(descriptor) }
        if let mode { fchmod(descriptor, mode) }
        try body { bytes in
            var written = 0
            while written < bytes.count {
                let count = Foundation.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw Failure(url) }
                written += count
            }
        }
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        if synchronizing, fsync(descriptor) != 0, errno != EINVAL { throw Failure(url) }
    }

    // MARK: - Permissions

    /// The permissions of the file at a place; nil where there is none.
    private static func mode(of url: URL) -> mode_t? {
        var information = stat()
        guard lstat(url.path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        return information.st_mode & 0o777
    }

    /// The permissions that the files of a store get: those of its own file; nil for one in memory.
    static func mode(ofStoreAt path: String) -> mode_t? { path.isEmpty ? nil : mode(of: URL(filePath: path)).map { $0 & 0o666 } }

    /// The permissions of a file that is to take a place: those of what is there.
    static func mode(for url: URL, else mode: mode_t?) -> mode_t? { self.mode(of: url) ?? mode }
}

/// The file systems that files of some folders are written to. Of many files, one call for all that is to be written is faster than one for each.
private struct Disks {
    #if os(Linux)
    private typealias Call = @convention(c) (Int32) -> Int32
    /// `syncfs`, which the module of the system's library leaves out. The symbol lives as long as the process.
    private static let syncFileSystem = dlsym(nil, "syncfs").map { unsafeBitCast($0, to: Call.self) }
    #endif

    private var descriptors: [(folder: URL, descriptor: Int32)] = []

    func contains(_ folder: URL) -> Bool { descriptors.contains { $0.folder == folder } }

    /// Opens a folder, before anything is written to it: what fails from then on is told by its synchronization.
    mutating func add(_ folder: URL) {
        #if os(Linux)
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 { descriptors.append((folder, descriptor)) }
        #endif
    }

    func synchronize() throws {
        #if os(Linux)
        var done: Set<UInt64> = []
        for (folder, descriptor) in descriptors {
            var information = stat()
            guard fstat(descriptor, &information) == 0, done.insert(UInt64(information.st_dev)).inserted else { continue }
            // Unlike sync(), it tells what could not be written.
            guard let call = Self.syncFileSystem else { return sync() }
            guard call(descriptor) == 0 else { throw DirectoryFiles.Failure(folder) }
        }
        #endif
    }

    func close() {
        for (_, descriptor) in descriptors { _ = Foundation.close(descriptor) }
    }
}
