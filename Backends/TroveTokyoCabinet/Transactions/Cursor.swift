#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

import CTokyoCabinet
import TroveStorage

/// A cursor that keeps the key it is at, and finds its place in the tree anew after every change.
///
/// The library's cursors are wrong after a change: one skips or repeats entries, one crashes after a rollback.
final class Cursor: StorageCursor {
    private enum Place {
        case beforeFirst, atEntry, afterLast
    }

    private let transaction: TokyoCabinetReader
    private let keyspace: Keyspace
    private let ticket: Int
    private var place = Place.beforeFirst
    /// The stored key the cursor is at.
    private let key = EntryBuffer(capacity: 64)
    private var position: UnsafeMutablePointer<BDBCUR>?
    /// The state of the tree in which `position` is at `key`.
    private var state = -1

    init(transaction: TokyoCabinetReader, keyspace: Keyspace) {
        self.transaction = transaction
        self.keyspace = keyspace
        transaction.ticket += 1
        ticket = transaction.ticket
    }

    deinit {
        if let position { tcbdbcurdel(position) }
    }

    func seek(to key: RawSpan) throws -> Bool {
        let position = try ready()
        let target = KeyPrefix.bytes(keyspace.number) + [UInt8](copying: key)
        return try move(ascending: true) { tcbdbcurjump(position, target, Int32(target.count)) }
    }

    func seekToLast() throws -> Bool {
        let position = try ready()
        let target = KeyPrefix.bytes(keyspace.number + 1)
        return try move(ascending: false) { tcbdbcurjumpback(position, target, Int32(target.count)) }
    }

    func next() throws -> Bool {
        let position = try ready()
        switch place {
        case .beforeFirst:
            return try seek(to: [UInt8]().span.bytes)
        case .afterLast:
            return false
        case .atEntry:
            let isCurrent = state == transaction.changes
            let bytes = key.bytes(at: 0, key.count)
            return try move(ascending: true) {
                if isCurrent { return tcbdbcurnext(position) }
                guard tcbdbcurjump(position, bytes.baseAddress!, Int32(bytes.count)) else { return false }
                return Self.isAt(bytes, position) ? tcbdbcurnext(position) : true
            }
        }
    }

    func previous() throws -> Bool {
        let position = try ready()
        switch place {
        case .beforeFirst:
            return false
        case .afterLast:
            return try seekToLast()
        case .atEntry:
            let isCurrent = state == transaction.changes
            let bytes = key.bytes(at: 0, key.count)
            return try move(ascending: false) {
                if isCurrent { return tcbdbcurprev(position) }
                guard tcbdbcurjumpback(position, bytes.baseAddress!, Int32(bytes.count)) else { return false }
                return Self.isAt(bytes, position) ? tcbdbcurprev(position) : true
            }
        }
    }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool {
        let position = try ready()
        guard place == .atEntry else { return false }
        let keySize = key.count
        let buffer = transaction.takeBuffer()
        defer { transaction.keep(buffer) }
        if state == transaction.changes {
            var size: Int32 = 0
            let isThere = transaction.engine.lock {
                buffer.removeAll()
                buffer.append(key.start, keySize)
                guard let value = tcbdbcurval3(position, &size) else { return false }
                buffer.append(value, Int(size))
                return true
            }
            guard isThere else {
                try transaction.checkWasAbsent("reading an entry")
                return false
            }
        } else {
            // The value goes behind the key, which a move inside `body` would overwrite.
            let value = transaction.takeBuffer()
            defer { transaction.keep(value) }
            guard try transaction.copyValue(of: key.bytes(at: 0, keySize), to: value) else { return false }
            buffer.removeAll()
            buffer.append(key.start, keySize)
            buffer.append(value.start, value.count)
        }
        try body(
            buffer.bytes(at: KeyPrefix.size, keySize - KeyPrefix.size).bytes,
            buffer.bytes(at: keySize, buffer.count - keySize).bytes)
        return true
    }

    /// The library's cursor, when this one may still be used.
    private func ready() throws -> UnsafeMutablePointer<BDBCUR> {
        try transaction.check(keyspace)
        try transaction.checkIsKept(ticket)
        if let position { return position }
        position = try tcbdbcurnew(transaction.engine.library)
        guard let position else {
            throw transaction.engine.error(StorageError.outOfResources, "there is no memory for a cursor")
        }
        return position
    }

    /// Moves the library's cursor and takes the entry it comes to, or goes past the end.
    private func move(ascending: Bool, _ step: () -> Bool) throws -> Bool {
        let number = keyspace.number
        let isThere = transaction.engine.lock {
            var size: Int32 = 0
            guard step(), let position, let found = tcbdbcurkey3(position, &size), Int(size) > KeyPrefix.size,
                UInt32(bigEndian: found.loadUnaligned(as: UInt32.self)) == number
            else { return false }
            key.removeAll()
            key.append(found, Int(size))
            return true
        }
        if !isThere { try transaction.checkWasAbsent("moving a cursor") }
        place = isThere ? .atEntry : ascending ? .afterLast : .beforeFirst
        state = isThere ? transaction.changes : -1
        return isThere
    }

    private static func isAt(_ key: UnsafeRawBufferPointer, _ position: UnsafeMutablePointer<BDBCUR>) -> Bool {
        var size: Int32 = 0
        guard let found = tcbdbcurkey3(position, &size), Int(size) == key.count else { return false }
        return memcmp(found, key.baseAddress!, key.count) == 0
    }
}
