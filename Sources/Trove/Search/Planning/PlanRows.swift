/// The numbers of rows that the steps of a plan met in a run.
struct PlanRows: Sendable {
    private var steps: [Int]
    /// The records that were read for keys found.
    var fetched = 0
    /// The records that passed what was left to check.
    var matches = 0
    /// The results that were kept to be sorted.
    var sorted = 0

    init(_ plan: Plan) {
        steps = Array(repeating: 0, count: plan.stepCount)
    }

    /// The rows of the step with this number.
    subscript(step: Int) -> Int {
        get { steps[step] }
        set { steps[step] = newValue }
    }
}
