import TroveBackendKit
import TroveStorage

/// The reading calls of a transaction that may fail.
protocol FaultReading: ForwardingReader {
    var gate: FaultGate { get }
}

extension FaultReading {
    func keyspace(named name: String) throws -> Keyspace? {
        try gate.pass(.keyspace)
        return try wrappedReader.keyspace(named: name)
    }

    func keyspaceNames() throws -> [String] {
        try gate.pass(.keyspace)
        return try wrappedReader.keyspaceNames()
    }

    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try gate.pass(.read)
        return try wrappedReader.get(key, in: keyspace, body)
    }

    func getMany(_ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep) throws {
        try gate.pass(.read)
        try wrappedReader.getMany(keys, in: keyspace) { position, value in
            if position > 0 { try gate.pass(.read) }
            return try body(position, value)
        }
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try gate.pass(.read)
        try wrappedReader.scan(range, in: keyspace, order: order) { key, value in
            try gate.pass(.scanStep)
            return try body(key, value)
        }
    }

    func prefetch(_ keys: [[UInt8]], in keyspace: Keyspace) throws {
        try gate.pass(.read)
        try wrappedReader.prefetch(keys, in: keyspace)
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try gate.pass(.read)
        try wrappedReader.scan(range, in: keyspace, order: order, expecting: count) { key, value in
            try gate.pass(.scanStep)
            return try body(key, value)
        }
    }

    func scanKeys(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws {
        try gate.pass(.read)
        try wrappedReader.scanKeys(range, in: keyspace, order: order, expecting: count) { key in
            try gate.pass(.scanStep)
            return try body(key)
        }
    }

    func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        try gate.pass(.read)
        return FaultCursor(try wrappedReader.cursor(in: keyspace), gate)
    }

    func count(in keyspace: Keyspace) throws -> Int {
        try gate.pass(.read)
        return try wrappedReader.count(in: keyspace)
    }

    func count(of range: KeyRange, in keyspace: Keyspace) throws -> Int {
        try gate.pass(.read)
        return try wrappedReader.count(of: range, in: keyspace)
    }
}
