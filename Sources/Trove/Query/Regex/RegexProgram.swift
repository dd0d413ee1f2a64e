/// A regular expression as steps, in the manner of Thompson: what is carried out for a scalar depends on the steps reached so far alone, so that a
/// text takes time in proportion to its length, whatever the expression.
struct RegexProgram: Sendable {
    enum Step: Sendable {
        /// Takes a scalar that is in the set with this number.
        case scalar(Int)
        /// Goes on at both places.
        case split(Int, Int)
        case jump(Int)
        /// Goes on at the next step if the place in the text is so.
        case assertion(RegexAssertion)
        case match
    }

    /// A set with its answers for ASCII worked out.
    struct CompiledSet: Sendable {
        let low, high: UInt64
        private let set: ScalarSet

        init(_ set: ScalarSet) {
            self.set = set
            func bits(_ range: Range<UInt8>) -> UInt64 {
                range.reduce(0) { set.contains(Unicode.Scalar($1)) ? $0 | 1 << UInt64($1 & 63) : $0 }
            }
            (low, high) = (bits(0..<64), bits(64..<128))
        }

        @inline(__always)
        func contains(_ scalar: UInt32) -> Bool {
            if scalar < 64 { return low >> UInt64(scalar) & 1 == 1 }
            if scalar < 128 { return high >> UInt64(scalar & 63) & 1 == 1 }
            return Unicode.Scalar(scalar).map { set.contains($0) } ?? false
        }
    }

    /// How many steps an expression may have: each of them may have to be looked at for each scalar of a text.
    private static let maxSteps = 10_000

    /// How many comparisons one look at each of its classes may take: so much may each scalar of a text cost that is not ASCII.
    private static let maxClassCost = 100_000.0

    private(set) var steps: [Step] = []
    private(set) var sets: [CompiledSet] = []
    /// How much may still be worked out: what is repeated may have no steps.
    private var budget = 4 * maxSteps
    private var classBudget = maxClassCost
    /// Whether it can match at the beginning of a text alone.
    private(set) var isAnchored = false
    /// The ASCII scalars that a match can begin with; nil when it may be empty.
    private(set) var first: (low: UInt64, high: UInt64)?

    /// - Throws: ``RegexMistake`` when it takes too many steps.
    init(_ syntax: RegexSyntax) throws {
        try add(syntax)
        steps.append(.match)
        if case .assertion(.textStart) = steps[0] { isAnchored = true }
        first = firstScalars()
    }

    private mutating func emit(_ step: Step) throws {
        guard steps.count < Self.maxSteps else { throw Self.tooLong }
        steps.append(step)
    }

    private static var tooLong: RegexMistake {
        RegexMistake(reason: "it takes more than \(maxSteps) steps, because {…} writes out its repetitions; use smaller numbers")
    }

    private mutating func add(_ syntax: RegexSyntax) throws {
        budget -= 1
        guard budget > 0 else { throw Self.tooLong }
        switch syntax {
        case .empty: return
        case .scalar(let set):
            classBudget -= set.cost
            guard classBudget > 0 else {
                throw RegexMistake(reason: "its classes are too large, or repeated too often; write smaller ones")
            }
            sets.append(CompiledSet(set))
            try emit(.scalar(sets.count - 1))
        case .assertion(let assertion): try emit(.assertion(assertion))
        case .sequence(let parts): for part in parts { try add(part) }
        case .choice(let branches): try addChoice(branches)
        case .repetition(let part, let least, let most):
            for _ in 0..<least { try add(part) }
            if let most { try addOptional(part, count: most - least) } else { try addLoop(part) }
        }
    }

    private mutating func addChoice(_ branches: [RegexSyntax]) throws {
        var jumps: [Int] = []
        for (number, branch) in branches.enumerated() {
            let split = steps.count
            let isLast = number == branches.count - 1
            if !isLast { try emit(.split(split + 1, 0)) }
            try add(branch)
            guard !isLast else { continue }
            jumps.append(steps.count)
            try emit(.jump(0))
            steps[split] = .split(split + 1, steps.count)
        }
        for jump in jumps { steps[jump] = .jump(steps.count) }
    }

    private mutating func addOptional(_ part: RegexSyntax, count: Int) throws {
        var splits: [Int] = []
        for _ in 0..<count {
            splits.append(steps.count)
            try emit(.split(0, 0))
            try add(part)
        }
        for split in splits { steps[split] = .split(split + 1, steps.count) }
    }

    private mutating func addLoop(_ part: RegexSyntax) throws {
        let split = steps.count
        try emit(.split(0, 0))
        try add(part)
        try emit(.jump(split))
        steps[split] = .split(split + 1, steps.count)
    }

    /// What a match can begin with, whatever the conditions on places say.
    private func firstScalars() -> (low: UInt64, high: UInt64)? {
        var (low, high): (UInt64, UInt64) = (0, 0)
        var seen = [Bool](repeating: false, count: steps.count)
        var waiting = [0]
        while let place = waiting.popLast() {
            if seen[place] { continue }
            seen[place] = true
            switch steps[place] {
            case .scalar(let set):
                low |= sets[set].low
                high |= sets[set].high
            case .split(let left, let right): waiting += [left, right]
            case .jump(let next): waiting.append(next)
            case .assertion: waiting.append(place + 1)
            case .match: return nil
            }
        }
        return (low, high)
    }
}
