/// A figure that Trove has to reach.
struct Target: Sendable {
    enum Bound: Sendable {
        case atMost(Double)
        case atLeast(Double)
        /// No target, but told all the same.
        case told
    }

    let title: String
    let bound: Bound
    /// What follows the figure.
    let unit: String
    /// The figure; nil when a run did not measure it.
    let figure: @Sendable (Results) -> Double?

    /// How many times as long `contestant` takes as `other`.
    static func ratio(_ title: String, _ workload: String, _ contestant: String, to other: String, _ bound: Bound) -> Target {
        Target(title: title, bound: bound, unit: "×") { results in
            guard let own = results.secondsEach(contestant, workload), let others = results.secondsEach(other, workload) else { return nil }
            return own / others
        }
    }

    /// How many times as fast `contestant` is as `other`.
    static func speedup(_ title: String, _ workload: String, _ contestant: String, over other: String, _ bound: Bound) -> Target {
        Target(title: title, bound: bound, unit: "×") { results in
            guard let own = results.secondsEach(contestant, workload), let others = results.secondsEach(other, workload) else { return nil }
            return others / own
        }
    }
}
