import CLMDB
import TroveStorage

extension LMDBWriter {
    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        _ = try store(key, value, in: keyspace, flags: 0)
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        try store(key, value, in: keyspace, flags: UInt32(MDB_NOOVERWRITE))
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let dbi = try dbi(of: keyspace)
        try checkKey(key)
        return try key.withUnsafeBytes { bytes in
            if core.pointee.lending > 0 { return try delete(copying: bytes, dbi, Int(keyspace.number)) }
            return try delete(bytes, dbi, Int(keyspace.number))
        }
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        let dbi = try dbi(of: keyspace)
        if range.isEmpty { return 0 }
        let number = Int(keyspace.number)
        let core = core
        tails.tail(number).pointee.endRuns()
        if range.lower.isEmpty, range.upper == nil {
            let count = try count(in: keyspace)
            if count > 0 { try empty(dbi, number) }
            core.pointee.changes += count
            return count
        }
        let cursor = try openCursor(on: dbi)
        defer { closeCursor(cursor) }
        return try range.lower.withUnsafeBytes { lower in
            var (key, value) = (MDB_val(lower), MDB_val())
            var deleted = 0
            var code = mdb_cursor_get(cursor.pointer, &key, &value, lower.isEmpty ? MDB_FIRST : MDB_SET_RANGE)
            while code == MDB_SUCCESS {
                if let upper = range.upper, upper.withUnsafeBytes({ compareBytes(key.bytes, $0) }) >= 0 { break }
                core.pointee.generation &+= 1
                code = mdb_cursor_del(cursor.pointer, 0)
                guard code == MDB_SUCCESS else { break }
                deleted += 1
                core.pointee.changes += 1
                code = mdb_cursor_get(cursor.pointer, &key, &value, MDB_NEXT)
            }
            if code != MDB_SUCCESS, code != MDB_NOTFOUND { throw fail(code, doing: "delete entries") }
            return deleted
        }
    }

    /// Removes all entries of a database.
    func empty(_ dbi: MDB_dbi, _ number: Int) throws {
        tails.tail(number).pointee.becomeEmpty()
        core.pointee.generation &+= 1
        let code = mdb_drop(core.pointee.transaction, dbi, 0)
        if code != MDB_SUCCESS { throw fail(code, doing: "empty a keyspace") }
    }

    // MARK: Storing

    @inline(__always)
    private func store(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace, flags: UInt32) throws -> Bool {
        let dbi = try dbi(of: keyspace)
        try checkKey(key)
        try checkValue(value)
        return try key.withUnsafeBytes { key in
            try value.withUnsafeBytes { value in
                if core.pointee.lending > 0 { return try store(copying: key, value, dbi, Int(keyspace.number), flags) }
                return try store(key, value, dbi, Int(keyspace.number), flags)
            }
        }
    }

    /// Stores a key and a value that may lie in a page which storing them moves.
    private func store(
        copying key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ dbi: MDB_dbi, _ number: Int, _ flags: UInt32
    ) throws -> Bool {
        try withUnsafeTemporaryAllocation(byteCount: key.count + value.count, alignment: 8) { copy in
            copy.copyMemory(from: key)
            UnsafeMutableRawBufferPointer(rebasing: copy[key.count...]).copyMemory(from: value)
            return try store(
                UnsafeRawBufferPointer(rebasing: copy[..<key.count]), UnsafeRawBufferPointer(rebasing: copy[key.count...]), dbi, number,
                flags)
        }
    }

    private func store(
        _ keyBytes: UnsafeRawBufferPointer, _ valueBytes: UnsafeRawBufferPointer, _ dbi: MDB_dbi, _ number: Int, _ flags: UInt32
    ) throws -> Bool {
        let core = core
        let tail = tails.tail(number)
        var key = MDB_val(keyBytes)
        var value = MDB_val(valueBytes)
        core.pointee.bytesWritten &+= keyBytes.count + valueBytes.count
        core.pointee.generation &+= 1
        if tail.pointee.bound == .unknown { try findEnd(of: dbi, tail) }
        let isAppending = tail.pointee.isBelow(keyBytes)
        let transaction = core.pointee.transaction
        let (cursor, flagsOfPut): (OpaquePointer?, UInt32)
        if isAppending {
            tail.pointee.searches.end()
            (cursor, flagsOfPut) = (tail.pointee.appends.next(transaction, dbi), flags | UInt32(MDB_APPEND))
        } else {
            tail.pointee.appends.end()
            (cursor, flagsOfPut) = (tail.pointee.searches.next(transaction, dbi), flags)
        }
        let code = if let cursor { mdb_cursor_put(cursor, &key, &value, flagsOfPut) } else { mdb_put(transaction, dbi, &key, &value, flagsOfPut) }
        if code == MDB_SUCCESS {
            core.pointee.changes &+= 1
            if isAppending { tail.pointee.raise(to: keyBytes) }
            return true
        }
        if code == MDB_KEYEXIST, flags & UInt32(MDB_NOOVERWRITE) != 0 { return false }
        throw fail(code, doing: "store an entry")
    }

    /// Looks up the last key, once in a transaction.
    private func findEnd(of dbi: MDB_dbi, _ tail: UnsafeMutablePointer<KeyspaceTail>) throws {
        let cursor = try openCursor(on: dbi)
        defer { closeCursor(cursor) }
        var (key, value) = (MDB_val(), MDB_val())
        let code = mdb_cursor_get(cursor.pointer, &key, &value, MDB_LAST)
        switch code {
        case MDB_SUCCESS: tail.pointee.raise(to: key.bytes)
        case MDB_NOTFOUND: tail.pointee.becomeEmpty()
        default: throw fail(code, doing: "find the end of a keyspace")
        }
    }

    // MARK: Deleting

    private func delete(copying key: UnsafeRawBufferPointer, _ dbi: MDB_dbi, _ number: Int) throws -> Bool {
        try withUnsafeTemporaryAllocation(byteCount: key.count, alignment: 8) { copy in
            copy.copyMemory(from: key)
            return try delete(UnsafeRawBufferPointer(copy), dbi, number)
        }
    }

    private func delete(_ bytes: UnsafeRawBufferPointer, _ dbi: MDB_dbi, _ number: Int) throws -> Bool {
        let tail = tails.tail(number)
        let transaction = core.pointee.transaction
        var key = MDB_val(bytes)
        tail.pointee.appends.end()
        var code: Int32
        if let cursor = tail.pointee.searches.next(transaction, dbi) {
            var value = MDB_val()
            code = mdb_cursor_get(cursor, &key, &value, MDB_SET)
            if code == MDB_SUCCESS { code = mdb_cursor_del(cursor, 0) }
        } else {
            code = mdb_del(transaction, dbi, &key, nil)
        }
        if code == MDB_NOTFOUND { return false }
        core.pointee.generation &+= 1
        guard code == MDB_SUCCESS else { throw fail(code, doing: "delete an entry") }
        core.pointee.changes += 1
        return true
    }
}
