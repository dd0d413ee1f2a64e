/// Every workload, in the order in which they are run on a store. Those that change it come last.
enum Workloads {
    static let all: [any Workload] = songs + tracks + titles + items + graphs

    private static let songs: [any Workload] = [
        BulkInsert(), Scan(), PointGet(), PointGetEach(), FetchAll(), Stream(), SingleWrites(), ConcurrentWrites(),
    ]
    private static let tracks: [any Workload] = [
        IndexedInsert(), FilterCount(), GroupScan(), IndexEquality(), IndexRange(), IndexBuild(), GroupCount(),
    ]
    private static let titles: [any Workload] = [TextInsert(), TextWord(), TextRanked()]
    private static let items: [any Workload] =
        [
            ItemInsert.all, ItemFetch.warm, ItemOpen.warm, ItemFetch.cold, ItemOpen.cold, ItemReadCold(),
            ItemInsert.edited, UpdateThird(), ItemDeletion.half,
            ItemInsert.small, ItemFetch.small, ItemDeletion.small,
        ] + MixedWork.allCases.map(MixedWorkload.init) + GrowthRead.powers.flatMap { [GrowthInsert(power: $0), GrowthRead(power: $0)] as [any Workload] }
        + DocumentInsert.batches.map(DocumentInsert.init)
    private static let graphs: [any Workload] = [
        PlaylistInsert(), PlaylistFirstSong(), PlaylistReopen(), TreeInsert(), CascadeDelete(),
    ]

    static func named(_ name: String) throws -> any Workload {
        guard let workload = all.first(where: { $0.name == name }) else {
            throw BenchmarkError("no workload '\(name)'; there are \(all.map(\.name).joined(separator: ", "))")
        }
        return workload
    }
}
