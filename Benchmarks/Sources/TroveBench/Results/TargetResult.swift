/// How a target was met.
struct TargetResult: Codable, Sendable {
    let title: String
    /// What is asked for, such as `≤ 2×`; empty when nothing is.
    let bound: String
    let figure: Double
    let unit: String
    /// nil when nothing is asked for.
    let isMet: Bool?
}
