/// Filling a store that has indexes.
struct IndexedInsert: TrackWorkload {
    let name = "indexed-insert"
    let title = "Bulk insert, two indexes"
    let explanation = """
        All tracks, ready in memory, are stored in one transaction in a new store, ids ascending; their artists (a text, each \
        in 100 tracks) and their plays (an integer) are indexed and look random. The C programs on keys and values make \
        the entries, sort them and then write them; SQLite's own indexes are kept row by row.
        """
    let unit = ResultUnit.time
    var preparation: [String] { [] }

    func operations(_ scale: Scale) -> Int { scale.count }

    func expected(_ scale: Scale, seed: Int) -> Tally? { Tally(count: scale.count) }

    func run(on store: any TrackStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let insert = try store.insertion()
        try gauge.measure(insert)
        return Tally(count: try store.count())
    }
}
