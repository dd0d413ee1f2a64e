import Foundation

/// All that a run found.
struct Results: Sendable {
    let plan: RunPlan
    let environment: RunEnvironment
    let summaries: [Summary]
    let measurements: [Measurement]
    /// Contestants that failed, or found other objects than were stored, in words.
    let problems: [String]
    /// What was done how often.
    let stages: [StageRecord]
    /// The names of the workloads that the run had no time for.
    let leftOut: [String]

    /// - Parameters:
    ///   - earlier: What a run that is continued has done.
    ///   - isChecked: Whether what contestants found is held against what was stored, which takes some seconds.
    init(plan: RunPlan, environment: RunEnvironment, outcomes: [Outcome], schedule: Schedule, earlier: [StageRecord], isChecked: Bool) {
        self.plan = plan
        self.environment = environment
        let records = schedule.records
        stages = records + earlier.filter { record in !records.contains { $0.name == record.name } }
        leftOut = schedule.leftOut.flatMap { $0.workloads.map(\.workload.name) }.filter { name in plan.workloads.contains { $0.name == name } }
        measurements = outcomes.compactMap(\.measurement)
        var summaries: [Summary] = []
        var problems = outcomes.compactMap { outcome in
            outcome.failure.map { "\(outcome.contestant), \(outcome.workload): \($0)" }
        }
        for workload in plan.workloads {
            let ofWorkload = measurements.filter { $0.workload == workload.name }
            if isChecked { problems += Self.wrongTallies(ofWorkload, workload, plan) }
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
        for round in Set(measurements.map(\.round)).sorted() {
            let ofRound = measurements.filter { $0.round == round }
            guard let expected = workload.expected(scale, seed: round) ?? ofRound.first?.tally else { continue }
            for measurement in ofRound where measurement.tally != expected {
                problems.append("\(measurement.contestant), \(workload.name): found \(measurement.tally) instead of \(expected)")
            }
        }
        return problems
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
