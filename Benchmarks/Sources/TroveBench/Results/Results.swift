import Foundation

/// All that a run found.
struct Results: Sendable {
    let plan: RunPlan
    let environment: RunEnvironment
    let summaries: [Summary]
    let measurements: [Measurement]
    /// What did not come about.
    let failures: [Failure]
    /// The failures, and which contestants found other objects than were stored, in words.
    let problems: [String]
    /// What was done how often.
    let stages: [StageRecord]
    /// The names of the workloads that the run had no time for.
    let leftOut: [String]

    /// - Parameters:
    ///   - earlier: The run that is continued, if one is. What it has measured counts as its own, and so does what it found wrong.
    ///   - isChecked: Whether what contestants found is held against what was stored, which takes some seconds.
    init(plan: RunPlan, environment: RunEnvironment, outcomes: [Outcome], schedule: Schedule, earlier: ResultsFile?, isChecked: Bool) {
        let plan = earlier.map(plan.adding) ?? plan
        self.plan = plan
        self.environment = environment
        let records = schedule.records
        stages = records + (earlier?.stages ?? []).filter { record in !records.contains { $0.name == record.name } }
        let measurements = (earlier?.measurements ?? []) + outcomes.compactMap(\.measurement)
        let failures = (earlier?.failures ?? []) + outcomes.compactMap(\.failure)
        self.measurements = measurements
        self.failures = failures
        let tried = Set(measurements.map(\.workload) + failures.map(\.workload))
        let wanting = Set(schedule.leftOut.flatMap { $0.asked.map(\.name) } + (earlier?.leftOut ?? [])).subtracting(tried)
        leftOut = Workloads.all.map(\.name).filter(wanting.contains)
        var summaries: [Summary] = []
        var problems = (earlier?.problems ?? []) + failures.map(\.description)
        for workload in plan.workloads {
            let ofWorkload = measurements.filter { $0.workload == workload.name }
            if isChecked { problems += Self.wrongTallies(ofWorkload, workload, plan) }
            for contestant in plan.contestants {
                let own = ofWorkload.filter { $0.contestant == contestant.name }
                if let summary = Summary(contestant: contestant.name, workload: workload.name, own) { summaries.append(summary) }
            }
        }
        self.summaries = summaries
        // What an earlier run found wrong is found once more among its measurements.
        var told: Set<String> = []
        self.problems = problems.filter { told.insert($0).inserted }
    }

    /// Who found something else than was stored, or, where that is not known, that not all found the same.
    private static func wrongTallies(_ measurements: [Measurement], _ workload: any Workload, _ plan: RunPlan) -> [String] {
        guard let scale = workload.scale(plan.scale) else { return [] }
        var problems: [String] = []
        for round in Set(measurements.map(\.round)).sorted() {
            let ofRound = measurements.filter { $0.round == round }
            guard let expected = workload.expected(scale, seed: round) else {
                if let difference = difference(ofRound) { problems.append("\(workload.name), repeat \(round + 1): \(difference)") }
                continue
            }
            for measurement in ofRound where measurement.tally != expected {
                problems.append("\(measurement.contestant), \(workload.name), repeat \(round + 1): found \(measurement.tally) instead of \(expected)")
            }
        }
        return problems
    }

    /// How the findings of contestants differ, nobody knowing which are right; nil when they do not.
    private static func difference(_ measurements: [Measurement]) -> String? {
        let findings = Dictionary(grouping: measurements, by: \.tally).map { tally, measurements in
            "\(measurements.map(\.contestant).joined(separator: ", ")) found \(tally)"
        }
        return findings.count < 2 ? nil : "contestants differ: \(findings.sorted().joined(separator: "; "))"
    }

    /// Whether a contestant was asked for a workload in vain.
    func didFail(_ contestant: String, _ workload: String) -> Bool {
        failures.contains { $0.contestant == contestant && $0.workload == workload }
    }

    func summary(_ contestant: String, _ workload: String) -> Summary? {
        summaries.first { $0.contestant == contestant && $0.workload == workload }
    }

    /// How often workloads were measured: the fewest and the most repeats.
    func repeats(of workloads: [any Workload]) -> ClosedRange<Int>? {
        Measurement.repeats(measurements, of: workloads)
    }

    /// The median time of one operation, in seconds.
    func secondsEach(_ contestant: String, _ workload: String) -> Double? {
        summary(contestant, workload)?.secondsEach.median
    }

    /// The C program on a contestant's engine that a workload compares it with: for Trove the one on keys and values, for others the
    /// one on columns, or the one there is.
    func floor(of contestant: any Contestant, _ workload: any Workload) -> (any Contestant)? {
        if contestant.kind == .raw { return nil }
        let measured = plan.contestants.filter {
            $0.kind == .raw && $0.engine == contestant.engine && secondsEach($0.name, workload.name) != nil
        }
        return measured.first { ($0 is ColumnsContestant) == (contestant.kind == .peer) } ?? measured.first
    }
}
