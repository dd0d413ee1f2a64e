/// What the probe answers: one line of JSON on its standard output.
package struct ProbeReply: Codable, Sendable {
    /// What the request failed with; nil when it was carried out.
    package var fault: ProbeFault?
    /// The number that was asked for.
    package var number: Int?
    /// The names that were asked for.
    package var names: [String]?
    /// What the ways of reading a store found.
    package var checks: [ProbeCheck]?

    package init(fault: ProbeFault? = nil, number: Int? = nil, names: [String]? = nil, checks: [ProbeCheck]? = nil) {
        self.fault = fault
        self.number = number
        self.names = names
        self.checks = checks
    }
}
