/// Filling a store.
struct BulkInsert: SongWorkload {
    let name = "bulk-insert"
    let title = "Bulk insert"
    let explanation = """
        All songs, ready in memory, are stored in one transaction in a new store, ids ascending. The time runs until they \
        have the durability asked for; opening and closing the store is outside.
        """
    let unit = ResultUnit.time
    var preparation: [String] { [] }

    func operations(_ scale: Scale) -> Int { scale.count }

    func expected(_ scale: Scale, seed: Int) -> Tally? { Tally(count: scale.count) }

    func run(on store: any SongStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let insert = try store.insertion(of: scale.stored)
        try gauge.measure(insert)
        return Tally(count: try store.count())
    }
}
