/// Every workload, in the order in which they are run on a store. Those that change it come last.
enum Workloads {
    static let all: [any Workload] = [
        BulkInsert(), Scan(), PointGet(), PointGetEach(), FetchAll(), Stream(), SingleWrites(), ConcurrentWrites(),
        IndexedInsert(), FilterCount(), GroupScan(), IndexEquality(), IndexRange(), IndexBuild(), GroupCount(),
        TextInsert(), TextWord(), TextRanked(),
        PlaylistInsert(), PlaylistFirstSong(), PlaylistReopen(), TreeInsert(), CascadeDelete(),
    ]

    static func named(_ name: String) throws -> any Workload {
        guard let workload = all.first(where: { $0.name == name }) else {
            throw BenchmarkError("no workload '\(name)'; there are \(all.map(\.name).joined(separator: ", "))")
        }
        return workload
    }
}
