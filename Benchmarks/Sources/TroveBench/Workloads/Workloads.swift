/// Every workload, in the order in which they are run on a store. Those that change it come last.
enum Workloads {
    static let all: [any Workload] = songs + tracks + titles + items + graphs

    /// Some of each kind, for a first impression.
    static var quick: [any Workload] {
        let names: Set = [
            "bulk-insert", "scan", "get", "get-each", "fetch-all", "write-1", "write-64", "indexed-insert", "filter-count", "index-equality",
            "index-range", "text-insert", "text-word", "edit-insert", "update-third", "delete-half", "mixed-a", "mixed-c",
            "document-insert-100", "playlist-insert", "playlist-first-song", "tree-insert", "cascade-delete", "catalogue-import",
        ]
        return all.filter { names.contains($0.name) }
    }

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
        PlaylistInsert(), PlaylistFirstSong(), PlaylistReopen(), TreeInsert(), CascadeDelete(), CatalogueImport(),
    ]

    static func named(_ name: String) throws -> any Workload {
        guard let workload = all.first(where: { $0.name == name }) else {
            throw BenchmarkError("no workload '\(name)'; there are \(all.map(\.name).joined(separator: ", "))")
        }
        return workload
    }
}
