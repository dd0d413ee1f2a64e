/// Writing objects one at a time, by many tasks.
struct ConcurrentWrites: SongWorkload {
    let name = "write-64"
    let title = "Single writes, 64 tasks"
    let explanation = """
        The same by 64 tasks at once: each saves a song, waits until it is committed, and goes on with the next. Trove \
        commits the waiting ones together.
        """
    let unit = ResultUnit.rate

    func operations(_ scale: Scale) -> Int { scale.concurrentWrites }

    func expected(_ scale: Scale, seed: Int) -> Tally? { Tally(count: scale.concurrentWrites) }

    func run(on store: any SongStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let before = try store.count()
        try await gauge.measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<scale.tasks {
                    group.addTask {
                        // Ids of all tasks ascend together, as those of new objects do.
                        for number in stride(from: scale.writtenByMany.lowerBound + task, to: scale.writtenByMany.upperBound, by: scale.tasks) {
                            try await store.save(number)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        return Tally(count: try store.count() - before)
    }
}
