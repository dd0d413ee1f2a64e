import CLMDB
import TroveStorage

extension LMDBTransaction {
    final func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        let dbi = try dbi(of: keyspace)
        if range.isEmpty { return }
        var handle = try openCursor(on: dbi)
        defer { closeCursor(handle) }
        core.pointee.lending += 1
        defer { core.pointee.lending -= 1 }
        try range.lower.withUnsafeBytes { lower in
            try range.upper.withUnsafeBytesOrNil { upper in
                switch order {
                case .ascending: try scanUp(lower, upper, keyspace, &handle, body)
                case .descending: try scanDown(lower, upper, keyspace, &handle, body)
                }
            }
        }
    }

    private final func scanUp(
        _ lower: UnsafeRawBufferPointer, _ upper: UnsafeRawBufferPointer?, _ keyspace: Keyspace, _ handle: inout CursorHandle,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        var (key, value) = (MDB_val(lower), MDB_val())
        var code = mdb_cursor_get(handle.pointer, &key, &value, lower.isEmpty ? MDB_FIRST : MDB_SET_RANGE)
        let isWriting = self is LMDBWriter
        var kept = KeyBuffer()
        defer { kept.free() }
        while code == MDB_SUCCESS {
            if let upper, compareBytes(key.bytes, upper) >= 0 { return }
            let before = core.pointee.generation
            if isWriting { kept.keep(key.bytes) }
            if try body(key.bytes.bytes, value.bytes.bytes) == .stop { return }
            if isWriting {
                _ = try dbi(of: keyspace)
                if core.pointee.generation != before {
                    try reopen(&handle)
                    key = MDB_val(kept.bytes)
                    code = mdb_cursor_get(handle.pointer, &key, &value, MDB_SET_RANGE)
                    if code == MDB_SUCCESS, compareBytes(key.bytes, kept.bytes) != 0 { continue }
                    if code != MDB_SUCCESS { break }
                }
            }
            code = mdb_cursor_get(handle.pointer, &key, &value, MDB_NEXT)
        }
        if code != MDB_SUCCESS, code != MDB_NOTFOUND { throw fail(code, doing: "scan a keyspace") }
    }

    private final func scanDown(
        _ lower: UnsafeRawBufferPointer, _ upper: UnsafeRawBufferPointer?, _ keyspace: Keyspace, _ handle: inout CursorHandle,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        var (key, value) = (MDB_val(), MDB_val())
        var code = last(below: upper, handle.pointer, &key, &value)
        let isWriting = self is LMDBWriter
        var kept = KeyBuffer()
        defer { kept.free() }
        while code == MDB_SUCCESS {
            if compareBytes(key.bytes, lower) < 0 { return }
            let before = core.pointee.generation
            if isWriting { kept.keep(key.bytes) }
            if try body(key.bytes.bytes, value.bytes.bytes) == .stop { return }
            if isWriting {
                _ = try dbi(of: keyspace)
                if core.pointee.generation != before {
                    try reopen(&handle)
                    code = last(below: kept.bytes, handle.pointer, &key, &value)
                    continue
                }
            }
            code = mdb_cursor_get(handle.pointer, &key, &value, MDB_PREV)
        }
        if code != MDB_SUCCESS, code != MDB_NOTFOUND { throw fail(code, doing: "scan a keyspace") }
    }

    /// Goes to the last entry below `bound`, or to the last of all.
    final func last(
        below bound: UnsafeRawBufferPointer?, _ cursor: OpaquePointer, _ key: inout MDB_val, _ value: inout MDB_val
    ) -> Int32 {
        guard let bound else { return mdb_cursor_get(cursor, &key, &value, MDB_LAST) }
        // Nothing is below the empty key, and LMDB takes no empty key.
        if bound.isEmpty { return MDB_NOTFOUND }
        key = MDB_val(bound)
        let code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
        if code == MDB_NOTFOUND { return mdb_cursor_get(cursor, &key, &value, MDB_LAST) }
        return code == MDB_SUCCESS ? mdb_cursor_get(cursor, &key, &value, MDB_PREV) : code
    }

    /// Takes a new cursor after a change. LMDB keeps cursors in step with changes, but a mark such as "at the end" may be outdated.
    final func reopen(_ handle: inout CursorHandle) throws {
        let fresh = try openCursor(on: handle.dbi)
        closeCursor(handle)
        handle = fresh
    }
}

extension Optional where Wrapped == [UInt8] {
    fileprivate func withUnsafeBytesOrNil<Result>(_ body: (UnsafeRawBufferPointer?) throws -> Result) rethrows -> Result {
        guard let self else { return try body(nil) }
        return try self.withUnsafeBytes { try body($0) }
    }
}
