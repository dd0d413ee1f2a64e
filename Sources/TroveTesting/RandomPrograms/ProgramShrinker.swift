import TroveBackendKit

/// Makes a failing program short: leaves out halves, quarters and single steps as long as what is left fails
/// (delta debugging: Zeller and Hildebrandt 2002), then puts simpler forms in place of the steps that are left.
struct ProgramShrinker<Step: ProgramStep> {
    /// The shortest program that failed so far.
    private(set) var steps: [Step]
    /// What its run threw.
    private(set) var failure: any Error
    /// How often a program was run.
    private(set) var runs = 0

    private let maxRuns: Int
    private let end: ContinuousClock.Instant
    private let run: ([Step]) throws -> Void

    /// Takes a program that failed. `run` throws when a program fails.
    init(_ steps: [Step], failure: any Error, maxRuns: Int, maxTime: Duration, run: @escaping ([Step]) throws -> Void) {
        self.steps = steps
        self.failure = failure
        self.maxRuns = maxRuns
        end = .now + maxTime.withinACentury
        self.run = run
    }

    /// Makes the program short, until nothing simpler fails, or the runs or the time are at their end.
    mutating func shrink() {
        repeat {
            removeSteps()
        } while simplifySteps() && mayRun
    }

    private mutating func removeSteps() {
        var size = max(1, steps.count / 2)
        while true {
            var start = 0
            var hasRemoved = false
            while start < steps.count {
                let shorter = Array(steps[..<start] + steps[min(start + size, steps.count)...])
                if fails(shorter) { hasRemoved = true } else { start += size }
            }
            if size > 1 { size /= 2 } else if !hasRemoved { return }
        }
    }

    /// Returns whether a step became simpler.
    private mutating func simplifySteps() -> Bool {
        var hasChanged = false
        var position = 0
        while position < steps.count {
            let (before, after) = (steps[..<position], steps[(position + 1)...])
            if steps[position].simplerForms.contains(where: { fails(Array(before + $0 + after)) }) {
                hasChanged = true
            } else {
                position += 1
            }
        }
        return hasChanged
    }

    private var mayRun: Bool { runs < maxRuns && .now < end }

    private mutating func fails(_ candidate: [Step]) -> Bool {
        guard mayRun else { return false }
        runs += 1
        do {
            try run(candidate)
            return false
        } catch {
            (steps, failure) = (candidate, error)
            return true
        }
    }
}
