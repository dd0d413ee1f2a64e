import Trove

/// What a run measures.
struct RunPlan: Sendable {
    let contestants: [any Contestant]
    let workloads: [any Workload]
    let scale: Scale
    let repeats: Int
    let durability: DurabilityName
    /// The file of packages.
    let catalogue: String
    /// Where stores are made; removed at the end.
    let directory: String
}
