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

    /// The number of operations that the measured time is divided by.
    func operations(_ scale: Scale) -> Int

    /// What every contestant has to find; nil when it is not read back.
    func expected(_ scale: Scale, seed: Int) -> Tally?

    /// Does the work on an open store, measured by `gauge`, and returns what was found.
    func run(on store: any SongStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally
}
