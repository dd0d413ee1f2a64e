import TroveBackendKit
import TroveStorage

/// What is checked of a file, since the library believes it.
extension Engine {
    /// Walks through the pages of a file that is small enough or marked as damaged. Gives the count of every keyspace.
    func checkPages(of locked: LockedFile, _ header: FileHeader) throws -> [UInt32: Int]? {
        guard needsCheck(header) else { return nil }
        let counts = try locked.withMapping { try checkedCounts(in: $0, header) }
        if header.pages.isMarkedDamaged, writeRefusal == nil {
            // The failure was elsewhere, a full disk for one. The library would refuse to write.
            let flags = header.pages.flags & ~PageStoreHeader.damagedFlag
            try withUnsafeBytes(of: flags) { try locked.write($0, at: PageStoreHeader.flagsOffset) }
        }
        return counts
    }

    /// Walks through the pages of the open file. For a thread inside the gate: committed pages are in the file.
    func checkStructure() throws {
        guard let locked else { return }
        let header = try readHeader(locked)
        guard UInt64(try locked.size()) >= header.pages.fileSize else {
            throw error(StorageError.corrupt, "the file is cut off: it should have \(header.pages.fileSize) bytes; restore a copy")
        }
        let counts = try locked.withMapping { try checkedCounts(in: $0, header) }
        let directory = lock { self.directory }
        try check(counts, against: directory)
        // Those of a file whose pages opening has not looked at are what the file says.
        for number in directory.numbers.values {
            guard let count = directory.count(of: number), count != counts[number] ?? 0 else { continue }
            throw error(
                StorageError.corrupt, "the file is damaged: a keyspace of \(counts[number] ?? 0) entries is said to have \(count); restore a copy")
        }
    }

    /// Throws when there are entries of a keyspace that the directory does not name: under a changed number a keyspace would show none of its own.
    func check(_ counts: [UInt32: Int], against directory: Directory) throws {
        guard counts.keys.allSatisfy({ $0 == KeyPrefix.directory || directory.contains($0) }) else {
            throw error(StorageError.corrupt, "the file is damaged: a keyspace with entries is missing from the directory; restore a copy")
        }
    }

    func needsCheck(_ header: FileHeader) -> Bool {
        header.pages.fileSize <= UInt64(max(options.checkedFileSize, 0)) || header.pages.isMarkedDamaged
    }

    func checkedCounts(in bytes: UnsafeRawBufferPointer, _ header: FileHeader) throws -> [UInt32: Int] {
        do {
            return try PageWalk.counts(in: bytes, header: header)
        } catch let damage as PageWalk.Damage {
            throw error(StorageError.corrupt, "the file is damaged: \(damage.what); restore a copy")
        }
    }
}
