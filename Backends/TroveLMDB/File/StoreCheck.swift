import TroveStorage

/// Checks all pages of one state of a store for what LMDB takes for granted, so that it cannot be led outside them.
///
/// The pages of that state must not change meanwhile. A page is used once: by a tree, by a large value or by the list of free pages.
struct StoreCheck {
    let meta: MetaPage
    let checksLeaves: Bool
    let errors: LMDBErrors
    let file: UnsafeRawBufferPointer
    let pageSize: Int
    /// How many pages of the file may be read.
    let readablePages: UInt

    /// The nodes of the page that is checked, kept to use its memory again.
    var spans: [Span] = []
    /// The pages of the file that are used, a bit each.
    private var used: [UInt64]
    /// Free pages may lie after the end of the file.
    private var usedBeyond: Set<UInt> = []
    private var highest: UInt = 1

    /// A node's place in its page.
    struct Span {
        let offset: Int
        let size: Int
    }

    init(file: UnsafeRawBufferPointer, meta: MetaPage, checksLeaves: Bool, errors: LMDBErrors) {
        self.file = file
        self.meta = meta
        self.checksLeaves = checksLeaves
        self.errors = errors
        pageSize = meta.pageSize
        let pagesInFile = UInt(file.count / meta.pageSize)
        readablePages = min(pagesInFile, meta.lastPage + 1)
        used = Array(repeating: 0, count: Int(pagesInFile / 64) + 1)
    }

    mutating func run() throws {
        var catalogue: DatabaseRecord?
        var slots: [String: DatabaseRecord] = [:]
        try walk(meta.main, named: "the main database", kind: .main) { check, key, value in
            let name = String(decoding: key, as: UTF8.self)
            if name.hasPrefix(Catalogue.databasePrefix) {
                if name != Catalogue.databaseName {
                    throw StorageError.newerFormat(
                        check.errors.details("the store was written by a newer version of Trove, with '\(name)'; use that version"))
                }
                catalogue = DatabaseRecord(value)
            } else if name.hasPrefix(Catalogue.slotPrefix) {
                slots[name] = DatabaseRecord(value)
            } else {
                throw check.notTroves
            }
        }
        guard catalogue != nil || meta.main.entries == 0 else { throw notTroves }
        guard slots.keys.allSatisfy({ Self.isSlot($0, below: slots.count) }) else { throw errors.corrupt("keyspaces are missing from its main database") }
        if let catalogue { try checkNames(in: catalogue, of: slots) }
        for record in slots.values {
            try checkKind(of: record)
            try walk(record, named: "a keyspace", kind: .keyspace) { _, _, _ in }
        }
        try walk(meta.free, named: "the list of free pages", kind: .free) { check, key, value in
            try check.useFreePages(key, value)
        }
        guard meta.lastPage <= max(UInt(file.count / pageSize), highest) else { throw errors.corrupt("it has more pages than are accounted for") }
    }

    /// Checks that each slot with entries has one name. A name that leads to another slot would show a keyspace without its entries, or with those of another.
    private mutating func checkNames(in catalogue: DatabaseRecord, of slots: [String: DatabaseRecord]) throws {
        try checkKind(of: catalogue)
        var unnamed = slots
        try walk(catalogue, named: "the catalogue", kind: .catalogue) { check, _, value in
            guard value.count == MemoryLayout<UInt32>.size else { throw check.errors.corrupt("an entry of the catalogue has a wrong size") }
            let slot = Int(UInt32(littleEndian: value.loadUnaligned(as: UInt32.self)))
            guard unnamed.removeValue(forKey: Catalogue.databaseName(ofSlot: slot)) != nil else {
                throw check.errors.corrupt("the catalogue names keyspace \(slot), which does not exist or has another name")
            }
        }
        guard unnamed.values.allSatisfy({ $0.entries == 0 }) else { throw errors.corrupt("a keyspace with entries is missing from the catalogue") }
    }

    private func checkKind(of record: DatabaseRecord) throws {
        guard record.flags == 0, record.pad == 0 else { throw errors.corrupt("the record of a keyspace is wrong") }
    }

    private static func isSlot(_ name: String, below count: Int) -> Bool {
        let digits = name.dropFirst(Catalogue.slotPrefix.count)
        guard let slot = Int(digits), slot >= 0, slot < count else { return false }
        return Catalogue.databaseName(ofSlot: slot) == name
    }

    private var notTroves: StorageError {
        .notAStore(errors.details("the file is an LMDB file of another program"))
    }

    // MARK: Pages

    /// Takes a page for a tree or a value.
    mutating func use(_ page: UInt) throws {
        guard page >= FileLayout.metaPages, page < readablePages else {
            throw errors.corrupt("a reference leads to page \(page), and the last of the file is \(readablePages - 1)")
        }
        try mark(page)
    }

    private mutating func mark(_ page: UInt) throws {
        highest = max(highest, page)
        let (index, bit) = (Int(page / 64), UInt64(1) << UInt64(page % 64))
        let isFirst = index < used.count ? used[index] & bit == 0 : usedBeyond.insert(page).inserted
        guard isFirst else { throw errors.corrupt("page \(page) is used twice") }
        if index < used.count { used[index] |= bit }
    }

    /// The bytes of a page that ``use(_:)`` has taken.
    func bytes(of page: UInt) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: file[Int(page) * pageSize..<(Int(page) + 1) * pageSize])
    }

    /// Checks an entry of the list of free pages: a count, then so many page numbers, highest first.
    private mutating func useFreePages(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws {
        let word = FileLayout.word
        guard key.count == word, key.loadUnaligned(as: UInt.self) <= meta.transaction, value.count >= word, value.count % word == 0 else {
            throw errors.corrupt("an entry of the list of free pages has a wrong size")
        }
        let count = value.loadUnaligned(as: UInt.self)
        guard count < UInt(value.count / word) else { throw errors.corrupt("an entry of the list of free pages has a wrong count") }
        var previous = meta.lastPage + 1
        for index in 0..<Int(count) {
            let page = value.loadUnaligned(fromByteOffset: (index + 1) * word, as: UInt.self)
            guard page >= FileLayout.metaPages, page < previous else { throw errors.corrupt("the list of free pages is out of order") }
            try mark(page)
            previous = page
        }
    }
}
