import Trove

/// What a run measures.
struct RunPlan: Sendable {
    var contestants: [any Contestant]
    var workloads: [any Workload]
    let scale: Scale
    /// How often everything is measured; fewer when ``minutes`` end before.
    let repeats: Int
    /// Nothing is begun that would probably end after so many minutes.
    let minutes: Double
    let durability: DurabilityName
    /// The file of packages.
    let catalogue: String
    /// Where stores are made: ``directoryPrefix`` and the number of the process. Removed at the end, or by the next run when this one is killed.
    let directory: String

    static let directoryPrefix = "trove-bench-"

    /// What is measured, in the order of importance.
    var stages: [Stage] { Stage.all(of: workloads, scale, contestants) }

    /// A schedule of them.
    ///
    /// - Parameter earlier: What a run that is continued has done.
    func schedule(after earlier: ResultsFile?) -> Schedule {
        Schedule(stages, repeats: repeats, limit: minutes * 60, earlier: earlier)
    }
}
