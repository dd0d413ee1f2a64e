/// Writing objects one at a time, by many tasks.
struct ConcurrentWrites: SongWorkload {
    let name = "write-64"
    let title = "Single writes, 64 tasks"
    let explanation = """
        The same by 64 tasks at once: each saves a song, waits until it is committed, and goes on with the next. Trove \
        commits the waiting ones together.
        """
    let unit = ResultUnit.rate
    let order = 91

    func operations(_ scale: Scale) -> Int { scale.concurrentWrites }

    func expected(_ scale: Scale, seed: Int) -> Tally? { .ofSongs(scale.writtenByMany) }

    func run(on store: any SongStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let before = try store.count()
        let latencies = try await gauge.measure {
            try await withThrowingTaskGroup(of: [UInt64].self) { group in
                for task in 0..<scale.tasks {
                    group.addTask {
                        var latencies: [UInt64] = []
                        // Ids of all tasks ascend together, as those of new objects do.
                        for number in stride(from: scale.writtenByMany.lowerBound + task, to: scale.writtenByMany.upperBound, by: scale.tasks) {
                            let start = Gauge.now()
                            try await store.save(number)
                            latencies.append(Gauge.now() - start)
                        }
                        return latencies
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
        gauge.add(latencies: latencies)
        return try readBack(scale.writtenByMany, from: store, before: before)
    }
}
