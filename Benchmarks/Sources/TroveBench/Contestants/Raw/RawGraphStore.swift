import RawEngines

/// An open store of a graph of a C program.
///
/// `@unchecked Sendable`: the engine's handle has no lock, and a workload calls it from one task at a time.
final class RawGraphStore: PlaylistStore, TreeStore, @unchecked Sendable {
    private let engine: raw_graph_engine
    private let store: OpaquePointer
    private let data: GraphData

    init(_ engine: raw_graph_engine, path: String, _ place: StorePlace, _ data: GraphData) throws {
        self.engine = engine
        self.data = data
        var store: OpaquePointer?
        try RawError.check(engine.message, engine.open(path, raw_durability(UInt32(place.durability.rawValue)), &store))
        guard let store else { throw BenchmarkError("the engine gave no handle") }
        self.store = store
    }

    func insertion() throws -> () throws -> Void {
        let texts = TextArena()
        let ids = (0..<data.count + data.listCount).flatMap { data.id($0).keyBytes }
        let titles = (0..<data.count).map { raw_title(title: texts.add(data.title($0)), seconds: Int64(data.seconds($0))) }
        let names = (0..<data.listCount).map { texts.add(data.listName($0)) }
        let members = (0..<data.listCount).flatMap { data.members(of: $0).map(UInt32.init) }
        return {
            try withExtendedLifetime(texts) {
                try ids.withUnsafeBufferPointer { ids in
                    try titles.withUnsafeBufferPointer { titles in
                        try names.withUnsafeBufferPointer { names in
                            try members.withUnsafeBufferPointer { members in
                                var graph = raw_graph(
                                    ids: ids.baseAddress, members: titles.baseAddress, member_count: titles.count, names: names.baseAddress,
                                    list_count: names.count, places: members.baseAddress, list_length: self.data.listLength)
                                try RawError.check(self.engine.message, self.engine.insert(self.store, &graph))
                            }
                        }
                    }
                }
            }
        }
    }

    func readingFirstSongs() throws -> () throws -> Tally {
        {
            var tally = raw_tally()
            try RawError.check(self.engine.message, self.engine.read_first(self.store, &tally))
            return Tally(tally)
        }
    }

    func deletion() throws -> () throws -> Void {
        let id = data.listID(0).keyBytes
        return { try RawError.check(self.engine.message, self.engine.delete_list(self.store, id, 1)) }
    }

    func count() throws -> Int {
        var count: Int64 = 0
        try RawError.check(engine.message, engine.count(store, !data.ownsMembers, &count))
        return Int(count)
    }

    func close() throws { try RawError.check(engine.message, engine.close(store)) }
}
