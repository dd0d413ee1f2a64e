import Foundation

/// All that a run found.
struct Results: Sendable {
    let plan: RunPlan
    let environment: RunEnvironment
    let summaries: [Summary]
    let measurements: [Measurement]
    /// Contestants that failed, or found other objects than were stored, in words.
    let problems: [String]

    init(plan: RunPlan, environment: RunEnvironment, outcomes: [Outcome]) {
        self.plan = plan
        self.environment = environment
        measurements = outcomes.compactMap(\.measurement)
        var summaries: [Summary] = []
        var problems = outcomes.compactMap { outcome in
            outcome.failure.map { "\(outcome.contestant), \(outcome.workload): \($0)" }
        }
        for workload in plan.workloads {
            let ofWorkload = measurements.filter { $0.workload == workload.name }
            problems += Self.wrongTallies(ofWorkload, workload, plan)
            for contestant in plan.contestants {
                let own = ofWorkload.filter { $0.contestant == contestant.name }
                if let summary = Summary(contestant: contestant.name, workload: workload.name, own) { summaries.append(summary) }
            }
        }
        self.summaries = summaries
        self.problems = problems
    }

    /// Who found something else than was stored, or, where that is not known, than the first contestant found.
    private static func wrongTallies(_ measurements: [Measurement], _ workload: any Workload, _ plan: RunPlan) -> [String] {
        guard let scale = workload.scale(plan.scale) else { return [] }
        var problems: [String] = []
        for round in 0..<plan.repeats {
            let ofRound = measurements.filter { $0.round == round }
            guard let expected = ofRound.isEmpty ? nil : workload.expected(scale, seed: round) ?? ofRound.first?.tally else { continue }
            for measurement in ofRound where measurement.tally != expected {
                problems.append("\(measurement.contestant), \(workload.name): found \(measurement.tally) instead of \(expected)")
            }
        }
        return problems
    }

    func summary(_ contestant: String, _ workload: String) -> Summary? {
        summaries.first { $0.contestant == contestant && $0.workload == workload }
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
