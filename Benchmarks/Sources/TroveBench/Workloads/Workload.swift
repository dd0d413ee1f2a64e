/// One piece of work, the same for every contestant.
protocol Workload: Sendable {
    /// The name on the command line, such as `bulk-insert`.
    var name: String { get }
    /// The name in tables and charts.
    var title: String { get }
    /// What is done and what is measured, in a few sentences.
    var explanation: String { get }
    /// How its result is given.
    var unit: ResultUnit { get }
    /// The store it works on.
    var family: StoreFamily { get }
    /// The names of the workloads that make the store as this one has to find it; empty when it makes a new one.
    var preparation: [String] { get }
    /// Where it runs and stands among the workloads of its family: after those with a lower number. Those that change a store have 90 and more.
    var order: Int { get }
    /// Whether all that is stored is measured, as one load that is durable at its end.
    var isBulkLoad: Bool { get }
    /// Whether the store's files are dropped from the system's cache before it begins.
    var isCold: Bool { get }

    /// The scale it is run at when a run is asked for one; nil when it is left out.
    func scale(_ asked: Scale) -> Scale?

    /// The number of operations that the measured time is divided by.
    func operations(_ scale: Scale) -> Int

    /// What every contestant has to find; nil when only they have to agree.
    func expected(_ scale: Scale, seed: Int) -> Tally?

    /// Opens the contestant's store, does the work, measured by `gauge`, closes the store and returns what was found.
    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally
}

extension Workload {
    /// Whether it makes a new store.
    var fillsStore: Bool { preparation.isEmpty }
    var order: Int { fillsStore ? 0 : 50 }
    var isBulkLoad: Bool { fillsStore }
    var isCold: Bool { false }

    func scale(_ asked: Scale) -> Scale? {
        Scale(count: min(asked.count, family.countLimit, asked.isUsual == true ? family.usualCount : .max))
    }
}
