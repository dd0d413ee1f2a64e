/// A workload on songs.
protocol SongWorkload: Workload {
    func run(on store: any SongStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally
}

extension SongWorkload {
    var family: StoreFamily { .songs }
    var preparation: [String] { ["bulk-insert"] }

    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let store = try contestant.openSongs(place)
        if !contestant.isPersistent && !fillsStore { try store.insertion(of: scale.stored)() }
        let tally = try await run(on: store, scale, seed: seed, &gauge)
        try store.close()
        return tally
    }

    /// What was written by single saves, read by the ids and added up.
    ///
    /// - Parameter before: The number of songs before.
    /// - Throws: ``BenchmarkError`` when the store has not so many more.
    func readBack(_ numbers: Range<Int>, from store: any SongStore, before: Int) throws -> Tally {
        let added = try store.count() - before
        guard added == numbers.count else { throw BenchmarkError("the store has \(added) songs more instead of \(numbers.count)") }
        return try store.reading(Array(numbers), oneSnapshotEach: false)()
    }
}
