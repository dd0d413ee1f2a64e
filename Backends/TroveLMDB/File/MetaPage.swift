import TroveStorage

/// One of the two pages that say where the current state of a store begins.
struct MetaPage {
    let mapSize: UInt
    let free: DatabaseRecord
    let main: DatabaseRecord
    let lastPage: UInt
    let transaction: UInt

    /// Reads what follows the page's header.
    init(_ bytes: UnsafeRawBufferPointer) {
        func word(_ offset: Int) -> UInt { bytes.loadUnaligned(fromByteOffset: offset, as: UInt.self) }
        func record(_ offset: Int) -> DatabaseRecord { DatabaseRecord(UnsafeRawBufferPointer(rebasing: bytes[offset...])) }
        mapSize = word(FileLayout.metaMapSize)
        free = record(FileLayout.metaFree)
        main = record(FileLayout.metaMain)
        lastPage = word(FileLayout.metaLastPage)
        transaction = word(FileLayout.metaTransaction)
    }

    var pageSize: Int { Int(free.pad) }

    /// What is wrong with the page, as far as it alone tells; nil when nothing is.
    func fault(number: Int, fileSize: Int) -> String? {
        guard FileLayout.pageSizes.contains(pageSize), pageSize & (pageSize - 1) == 0 else { return "the page size \(pageSize) is impossible" }
        guard lastPage >= 1, lastPage < UInt(Int.max / pageSize) else { return "the number of pages is impossible" }
        guard mapSize / UInt(pageSize) > lastPage, mapSize <= UInt(Int.max) else { return "the map size is impossible" }
        // The state with an even number is kept in the first page. A new store has number 0 in both.
        guard transaction < UInt(Int.max), transaction == 0 || Int(transaction & 1) == number else {
            return "the state's number is impossible"
        }
        guard free.flags & (DatabaseRecord.orderFlags | 1) == DatabaseRecord.integerKeys, main.flags == 0, main.pad == 0 else {
            return "the kinds of the databases are impossible"
        }
        // The number sizes tables before the pages are checked, so it must be one that fits into the pages it should be in.
        let least = FileLayout.nodeHeader + 1 + DatabaseRecord.size
        let filePages = fileSize / pageSize
        guard main.leafPages <= UInt(filePages), (0...Int(main.leafPages) * (pageSize / least)).contains(main.entries) else {
            return "the number of keyspaces is impossible"
        }
        return nil
    }
}
