import Synchronization

/// A regular expression, compiled once, that tells in one pass over a text whether a part of it matches.
final class RegularExpression: Sendable {
    /// One thread at a time carries it out.
    private let machine: Mutex<RegexMachine>

    /// - Throws: ``TroveError/invalidRegularExpression(pattern:reason:)``.
    init(_ pattern: String, ignoringCase: Bool) throws {
        do {
            var parser = RegexParser(pattern, ignoringCase: ignoringCase)
            machine = Mutex(RegexMachine(try RegexProgram(parser.whole())))
        } catch let mistake as RegexMistake {
            throw TroveError.invalidRegularExpression(pattern: pattern, reason: mistake.reason)
        }
    }

    /// Whether a part of the text, which is UTF-8, matches. `check` is called now and then, to throw when nobody waits for the answer.
    ///
    /// - Complexity: O(*n*) in the bytes of the text.
    func matches(_ text: UnsafeRawBufferPointer, check: () throws -> Void = {}) throws -> Bool {
        try machine.withLock { try $0.matches(text.assumingMemoryBound(to: UInt8.self), check) }
    }
}

/// Carries a ``RegexProgram`` out: keeps the steps that the text read so far can have led to, each once.
struct RegexMachine {
    private let program: RegexProgram
    /// The steps to go on from at the present place.
    private var pending: [Int] = []
    /// The steps that take a scalar at the present place.
    private var takers: [Int] = []
    /// The place at which a step was reached last, to reach it once only.
    private var marks: [Int]
    /// Counts places, over all texts.
    private var turn = 0
    /// How many steps may be followed before the next look at whether somebody waits, over all texts: many short ones take as long as one.
    private var rest = Self.workBetweenChecks

    init(_ program: RegexProgram) {
        self.program = program
        marks = Array(repeating: -1, count: program.steps.count)
    }

    /// Whether a part of the text matches. `check` is called now and then, to throw when nobody waits for the answer.
    ///
    /// - Complexity: O(*n*) in the bytes of the text, for each step of the program.
    mutating func matches(_ text: UnsafeBufferPointer<UInt8>, _ check: () throws -> Void) throws -> Bool {
        pending.removeAll(keepingCapacity: true)
        var place = 0
        var before: UInt32?
        while true {
            if pending.isEmpty {
                if program.isAnchored, place > 0 { return false }
                if !program.isAnchored { skip(text, &place, &before) }
            }
            let after = place < text.count ? UTF8Scalar(text, at: place) : nil
            if reach(text, place, before, after) { return true }
            guard let after else { return false }
            pending.removeAll(keepingCapacity: true)
            for step in takers {
                if case .scalar(let set) = program.steps[step], program.sets[set].contains(after.value) { pending.append(step + 1) }
            }
            rest -= 1
            if rest < 0 {
                rest = Self.workBetweenChecks
                try check()
            }
            before = after.value
            place += after.length
        }
    }

    private static let workBetweenChecks = 100_000

    /// Passes over ASCII that no match begins with.
    private func skip(_ text: UnsafeBufferPointer<UInt8>, _ place: inout Int, _ before: inout UInt32?) {
        guard let first = program.first else { return }
        let start = place
        while place < text.count {
            let byte = text[place]
            if byte >= 128 || (byte < 64 ? first.low >> UInt64(byte) : first.high >> UInt64(byte & 63)) & 1 == 1 { break }
            place += 1
        }
        if place > start { before = UInt32(text[place - 1]) }
    }

    /// Follows all ways from the pending steps, and from the beginning; true when one leads to the end.
    private mutating func reach(_ text: UnsafeBufferPointer<UInt8>, _ place: Int, _ before: UInt32?, _ after: UTF8Scalar?) -> Bool {
        turn += 1
        takers.removeAll(keepingCapacity: true)
        if !program.isAnchored || place == 0 { pending.append(0) }
        while let step = pending.popLast() {
            if marks[step] == turn { continue }
            marks[step] = turn
            rest -= 1
            switch program.steps[step] {
            case .scalar: takers.append(step)
            case .split(let left, let right):
                pending.append(left)
                pending.append(right)
            case .jump(let next): pending.append(next)
            case .assertion(let assertion):
                if Self.holds(assertion, text, place, before, after) { pending.append(step + 1) }
            case .match: return true
            }
        }
        return false
    }

    private static func holds(
        _ assertion: RegexAssertion, _ text: UnsafeBufferPointer<UInt8>, _ place: Int, _ before: UInt32?, _ after: UTF8Scalar?
    ) -> Bool {
        switch assertion {
        case .textStart: place == 0
        case .textEnd: after == nil
        case .lastLineEnd: after.map { isNewline($0.value) && isLast(text, place, $0) } ?? true
        case .lineStart: before.map { isNewline($0) && !($0 == 13 && after?.value == 10) } ?? true
        case .lineEnd: after.map { isNewline($0.value) && !($0.value == 10 && before == 13) } ?? true
        case .wordBoundary: isWord(before) != isWord(after?.value)
        case .noWordBoundary: isWord(before) == isWord(after?.value)
        }
    }

    /// Whether the newline at a place is the end of the text: \r\n is one.
    private static func isLast(_ text: UnsafeBufferPointer<UInt8>, _ place: Int, _ newline: UTF8Scalar) -> Bool {
        let rest = text.count - place - newline.length
        return rest == 0 || rest == 1 && newline.value == 13 && text[text.count - 1] == 10
    }

    private static func isNewline(_ scalar: UInt32) -> Bool { Unicode.Scalar(scalar)?.isNewline ?? false }

    private static func isWord(_ scalar: UInt32?) -> Bool {
        scalar.flatMap { Unicode.Scalar($0) }?.isWordScalar ?? false
    }
}
