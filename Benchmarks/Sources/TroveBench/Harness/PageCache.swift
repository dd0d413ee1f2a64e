import Foundation

/// The system's cache of files.
enum PageCache {
    /// Drops the files of a directory, which nobody has open, from the cache.
    ///
    /// - Throws: ``BenchmarkError`` where that cannot be done, or a tenth of a file's pages stay.
    static func drop(filesIn directory: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            try drop("\(directory)/\(name)")
        }
    }

    #if os(Linux)
    private static func drop(_ path: String) throws {
        let file = open(path, O_RDWR)
        guard file >= 0 else { throw BenchmarkError("cannot open \(path): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        // Only pages that are on the disk already can be dropped.
        guard fsync(file) == 0 else { throw BenchmarkError("cannot sync \(path): \(String(cString: strerror(errno)))") }
        let code = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
        guard code == 0 else { throw BenchmarkError("cannot drop \(path) from the cache: \(String(cString: strerror(code)))") }
        let (resident, pages) = try pagesInCache(file, path)
        guard resident <= pages / 10 else { throw BenchmarkError("\(resident) of \(pages) pages of \(path) stay in the system's cache") }
    }

    /// How many of a file's pages are in the cache, and how many there are.
    private static func pagesInCache(_ file: Int32, _ path: String) throws -> (resident: Int, pages: Int) {
        let size = Int(lseek(file, 0, SEEK_END))
        if size <= 0 { return (0, 0) }
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        guard let memory = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0), memory != MAP_FAILED else {
            throw BenchmarkError("cannot look at the pages of \(path): \(String(cString: strerror(errno)))")
        }
        defer { munmap(memory, size) }
        var states = [UInt8](repeating: 0, count: (size + pageSize - 1) / pageSize)
        guard mincore(memory, size, &states) == 0 else {
            throw BenchmarkError("cannot look at the pages of \(path): \(String(cString: strerror(errno)))")
        }
        return (states.count { $0 & 1 != 0 }, states.count)
    }
    #else
    private static func drop(_ path: String) throws {
        throw BenchmarkError("files are dropped from the system's cache on Linux only")
    }
    #endif
}
