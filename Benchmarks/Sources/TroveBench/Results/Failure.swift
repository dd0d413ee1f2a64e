/// A measurement that did not come about.
struct Failure: Codable, Hashable, Sendable {
    let contestant: String
    let workload: String
    /// Which repeat, from 0.
    let round: Int
    let reason: String
}

extension Failure: CustomStringConvertible {
    var description: String { "\(contestant), \(workload), repeat \(round + 1): \(reason)" }
}
