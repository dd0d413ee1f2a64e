/// Writing objects one at a time, by one task.
struct SingleWrites: SongWorkload {
    let name = "write-1"
    let title = "Single writes, 1 task"
    let explanation = """
        One task saves new songs in the filled store, each in a transaction of its own, and waits until each is committed \
        with the durability asked for.
        """
    let unit = ResultUnit.rate
    let order = 90

    func operations(_ scale: Scale) -> Int { scale.singleWrites }

    func expected(_ scale: Scale, seed: Int) -> Tally? { .ofSongs(scale.writtenBySingle) }

    func run(on store: any SongStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let before = try store.count()
        let latencies = try await gauge.measure {
            var latencies: [UInt64] = []
            for number in scale.writtenBySingle {
                let start = Gauge.now()
                try await store.save(number)
                latencies.append(Gauge.now() - start)
            }
            return latencies
        }
        gauge.add(latencies: latencies)
        return try readBack(scale.writtenBySingle, from: store, before: before)
    }
}
