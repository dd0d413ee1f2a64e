import TroveStorage

/// A cursor whose moves may fail.
final class FaultCursor: StorageCursor {
    private let cursor: any StorageCursor
    private let gate: FaultGate

    init(_ cursor: any StorageCursor, _ gate: FaultGate) {
        self.cursor = cursor
        self.gate = gate
    }

    func seek(to key: RawSpan) throws -> Bool {
        try gate.pass(.scanStep)
        return try cursor.seek(to: key)
    }

    func seekToLast() throws -> Bool {
        try gate.pass(.scanStep)
        return try cursor.seekToLast()
    }

    func next() throws -> Bool {
        try gate.pass(.scanStep)
        return try cursor.next()
    }

    func previous() throws -> Bool {
        try gate.pass(.scanStep)
        return try cursor.previous()
    }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool {
        try gate.check()
        return try cursor.withEntry(body)
    }
}
