/// How a workload's result is given.
enum ResultUnit: String, Codable, Sendable {
    /// The time of one operation: less is better.
    case time
    /// Operations a second: more is better.
    case rate
}
