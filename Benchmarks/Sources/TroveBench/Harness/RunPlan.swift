import Trove

/// What a run measures.
struct RunPlan: Sendable {
    let contestants: [any Contestant]
    let workloads: [any Workload]
    let scale: Scale
    /// How often everything is measured; fewer when ``minutes`` end before.
    var repeats: Int
    /// No repeat is begun that would probably end after so many minutes.
    let minutes: Double
    let durability: DurabilityName
    /// The file of packages.
    let catalogue: String
    /// Where stores are made; removed at the end.
    let directory: String
}
