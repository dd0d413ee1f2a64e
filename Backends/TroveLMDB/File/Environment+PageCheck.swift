import CLMDB
import TroveBackendKit
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension Environment {
    /// Checks the pages of the current state, in a read transaction, so that writers in other processes do not reuse them meanwhile.
    ///
    /// LMDB itself reads only meta pages until then, and those were checked before it opened the file.
    ///
    /// - Returns: how much was checked, now or before the mark was made that lies beside the file.
    func checkPages(_ extent: LMDBBackend.PageCheck) throws -> CheckedMark.Extent {
        // As often as it takes for one that is interrupted between two commits of others; forever would hide a fault.
        for _ in 0..<10_000 {
            let checked: CheckedMark.Extent? = try withTransaction(MDB_RDONLY) { transaction in
                let header = try FileHeader(descriptor: fileGuard.descriptor, errors: errors)
                let snapshot = UInt(mdb_txn_id(transaction))
                // A writer may have overwritten the page of this state already, two commits later.
                guard let page = header.pages.first(where: { $0.transaction == snapshot }) else { return nil }
                let wanted = page.checkedExtent(extent, fileSize: header.fileSize)
                // Who asks for every page means these bytes, not what was known of them.
                if extent != .everyPage, let known = CheckedMark.extent(of: fileGuard.descriptor, at: errors.path, state: UInt64(snapshot)), known >= wanted {
                    return known
                }
                try check(page, fileSize: header.fileSize, wanted)
                return wanted
            }
            if let checked { return checked }
        }
        throw StorageError.locked(errors.details("other processes write faster than the pages can be checked; try again"))
    }

    private func check(_ page: MetaPage, fileSize: Int, _ extent: CheckedMark.Extent) throws {
        guard let map = mmap(nil, fileSize, PROT_READ, MAP_SHARED, fileGuard.descriptor, 0), map != MAP_FAILED else {
            throw errors.error(errno, doing: "map the file to check it")
        }
        defer { munmap(map, fileSize) }
        let checksLeaves = extent == .everyPage
        if checksLeaves { madvise(map, fileSize, MADV_WILLNEED) }
        var check = StoreCheck(
            file: UnsafeRawBufferPointer(start: map, count: fileSize), meta: page, checksLeaves: checksLeaves, errors: errors)
        try check.run()
    }
}

extension MetaPage {
    /// Files up to this size are checked whole unless something else is asked for: 0.15 s with the file in memory.
    private static let automaticLimit = 256 << 20

    /// How much of a file is to be checked.
    fileprivate func checkedExtent(_ asked: LMDBBackend.PageCheck, fileSize: Int) -> CheckedMark.Extent {
        // A file shorter than its pages is ordinary when the missing ones are free, but it is also what a copy that was cut off looks like.
        if fileSize / pageSize <= lastPage { return .everyPage }
        return switch asked {
        case .everyPage: .everyPage
        case .automatic: fileSize <= Self.automaticLimit ? .everyPage : .branchPages
        case .branchPages: .branchPages
        }
    }
}
