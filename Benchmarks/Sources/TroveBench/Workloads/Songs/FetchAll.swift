/// Reading all objects at once.
struct FetchAll: SongWorkload {
    let name = "fetch-all"
    let title = "Fetch all into an array"
    let explanation = """
        All songs are read into an array of structs, every property decoded. Measured after a scan that is not, so that the \
        engine's cache is warm; the memory for the objects is new to the process.
        """
    let unit = ResultUnit.time
    let order = 40

    func operations(_ scale: Scale) -> Int { scale.count }

    func expected(_ scale: Scale, seed: Int) -> Tally? { .ofSongs(scale.stored) }

    func run(on store: any SongStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        _ = try store.scan()()
        let tally = try gauge.measure(store.fetchAll)
        return tally()
    }
}
