#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

import CTokyoCabinet
import TroveStorage

/// The library's side of a scan: fills batches with the entries between two stored keys.
final class Walk {
    private unowned let transaction: TokyoCabinetReader
    private let lower: [UInt8]
    private let upper: [UInt8]
    private let order: ScanOrder
    private var position: UnsafeMutablePointer<BDBCUR>?
    /// The library's buffers for an entry: one call that copies key and value is cheaper than two that lend them.
    private let key: UnsafeMutablePointer<TCXSTR> = tcxstrnew()
    private let value: UnsafeMutablePointer<TCXSTR> = tcxstrnew()
    private var isPlaced = false
    /// The key to go on behind, after a change.
    private var last: [UInt8]?

    init(transaction: TokyoCabinetReader, lower: [UInt8], upper: [UInt8], order: ScanOrder) {
        self.transaction = transaction
        self.lower = lower
        self.upper = upper
        self.order = order
    }

    deinit {
        tcxstrdel(key)
        tcxstrdel(value)
        if let position { tcbdbcurdel(position) }
    }

    /// Forgets the position in the tree, which a change has made wrong.
    func restart(behind key: UnsafeRawBufferPointer) {
        last = Array(key)
        isPlaced = false
    }

    /// Copies the next entries; false when there are no more after them.
    func fill(_ batch: EntryBatch) throws -> Bool {
        let library = try transaction.engine.library
        batch.removeAll()
        if position == nil { position = tcbdbcurnew(library) }
        guard let position else {
            throw transaction.engine.error(StorageError.outOfResources, "there is no memory for a cursor")
        }
        let hasMore = transaction.engine.lock {
            if !isPlaced {
                guard place(position) else { return false }
                isPlaced = true
            }
            return copy(from: position, to: batch)
        }
        if !hasMore { try transaction.checkWasAbsent("a scan") }
        return hasMore
    }

    private func copy(from position: UnsafeMutablePointer<BDBCUR>, to batch: EntryBatch) -> Bool {
        let isAscending = order == .ascending
        let bound = isAscending ? upper : lower
        return bound.withUnsafeBytes { bound in
            while true {
                guard tcbdbcurrec(position, key, value) else { return false }
                let (keySize, valueSize) = (Int(key.pointee.size), Int(value.pointee.size))
                let difference = compare(key.pointee.ptr, keySize, bound)
                if isAscending ? difference >= 0 : difference < 0 { return false }
                batch.append(key: key.pointee.ptr, keySize, value: value.pointee.ptr, valueSize)
                guard isAscending ? tcbdbcurnext(position) : tcbdbcurprev(position) else { return false }
                if batch.isFull { return true }
            }
        }
    }

    /// Goes to the first entry, or to the one behind the last key.
    private func place(_ position: UnsafeMutablePointer<BDBCUR>) -> Bool {
        let key = last ?? (order == .ascending ? lower : upper)
        let skipsKey = last != nil || order == .descending
        guard
            order == .ascending
                ? tcbdbcurjump(position, key, Int32(key.count)) : tcbdbcurjumpback(position, key, Int32(key.count))
        else { return false }
        guard skipsKey else { return true }
        var size: Int32 = 0
        guard let found = tcbdbcurkey3(position, &size) else { return false }
        guard key.withUnsafeBytes({ compare(found, Int(size), $0) }) == 0 else { return true }
        return order == .ascending ? tcbdbcurnext(position) : tcbdbcurprev(position)
    }

    @inline(__always)
    private func compare(_ key: UnsafeRawPointer, _ size: Int, _ other: UnsafeRawBufferPointer) -> Int {
        let order = memcmp(key, other.baseAddress!, min(size, other.count))
        return order == 0 ? size - other.count : Int(order)
    }
}
