/// A piece of work on documents without a type.
protocol NoteWorkload: Workload {
    /// Does the work, measured by `gauge`, and returns what was found.
    func run(on store: any NoteStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally
}

extension NoteWorkload {
    var family: StoreFamily { .notes }

    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let store = try contestant.openNotes(place)
        if !contestant.isPersistent && !fillsStore { try store.insertion(of: NoteData(count: scale.count), batch: scale.count)() }
        let tally = try run(on: store, scale, seed: seed, &gauge)
        try store.close()
        return tally
    }
}
