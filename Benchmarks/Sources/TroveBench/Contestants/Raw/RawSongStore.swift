import RawEngines

/// An open store of a C program. Songs are identified by their place in the file of records.
///
/// `@unchecked Sendable`: the engine's handle has no lock, and a workload calls it from one task at a time.
final class RawSongStore: SongStore, @unchecked Sendable {
    private let engine: raw_engine
    private let store: OpaquePointer
    private let file: RecordFile

    init(_ engine: raw_engine, path: String, _ place: StorePlace) throws {
        self.engine = engine
        file = try RecordFile(path: place.recordFile)
        var shape = RecordShape.song.raw
        var store: OpaquePointer?
        try RawError.check(engine.message, engine.open(path, raw_durability(UInt32(place.durability.rawValue)), place.isBulkLoad, &shape, &store))
        guard let store else { throw BenchmarkError("the engine gave no handle") }
        self.store = store
    }

    /// Runs a call of the engine with the ready-made records.
    private func call(_ body: (UnsafePointer<raw_records>) -> Int32) throws {
        let code = withUnsafePointer(to: file.records, body)
        try RawError.check(engine.message, code)
    }

    private func tally(_ body: (UnsafePointer<raw_records>, inout raw_tally) -> Int32) throws -> Tally {
        var tally = raw_tally()
        try call { body($0, &tally) }
        return Tally(tally)
    }

    func insertion(of numbers: Range<Int>) throws -> () throws -> Void {
        { try self.call { self.engine.insert(self.store, $0, numbers.lowerBound, numbers.count) } }
    }

    func scan() throws -> () throws -> Tally {
        { try self.tally { self.engine.scan(self.store, &$1) } }
    }

    func reading(_ numbers: [Int], oneSnapshotEach: Bool) throws -> () throws -> Tally {
        let positions = numbers.map(UInt32.init)
        return {
            try self.tally { self.engine.get(self.store, $0, positions, positions.count, oneSnapshotEach, &$1) }
        }
    }

    func fetchAll() throws -> () -> Tally {
        throw BenchmarkError("a C program makes no objects")
    }

    func stream() async throws -> Tally {
        throw BenchmarkError("a C program makes no objects")
    }

    func save(_ number: Int) async throws {
        try call { engine.insert_each(store, $0, number, 1) }
    }

    func count() throws -> Int {
        var count: Int64 = 0
        try RawError.check(engine.message, engine.count(store, &count))
        return Int(count)
    }

    func close() throws {
        try RawError.check(engine.message, engine.close(store))
    }
}
