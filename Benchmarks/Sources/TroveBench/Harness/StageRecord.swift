/// How often a stage was measured, and how long it took.
struct StageRecord: Codable, Sendable {
    /// The name of the workload that fills the store.
    let name: String
    let repeats: Int
    /// The time of the last repeat with all its preparations, in seconds.
    let seconds: Double
}
