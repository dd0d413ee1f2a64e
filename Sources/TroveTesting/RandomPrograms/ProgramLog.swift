/// The answers of one run of a program, compared with those of another run as they come.
///
/// A program runs on a model first, whose log has the expected answers, then on what is tested. A log is used by one thread.
public final class ProgramLog<Answer: Equatable> {
    private let expected: [Answer]?
    private let difference: (Answer, Answer) -> String
    /// The answers so far.
    public private(set) var answers: [Answer] = []

    /// A log whose answers have to be `expected`; any answers when it is nil.
    ///
    /// - Parameter difference: tells in words where an expected answer and the one that was found differ.
    public init(expected: [Answer]? = nil, difference: @escaping (_ expected: Answer, _ found: Answer) -> String) {
        self.expected = expected
        self.difference = difference
    }

    /// Records an answer.
    ///
    /// - Throws: ``ProgramMismatch`` when it is not the expected one.
    public func record(_ answer: Answer, at place: String) throws {
        if let expected {
            guard answers.count < expected.count else {
                throw ProgramMismatch(place: place, difference: "found \(answer), expected nothing more")
            }
            let wanted = expected[answers.count]
            if wanted != answer { throw ProgramMismatch(place: place, difference: difference(wanted, answer)) }
        }
        answers.append(answer)
    }

    /// Forgets the answers after the first `count`: a body is run again.
    public func rewind(to count: Int) { answers.removeLast(answers.count - count) }

    /// Ends the run.
    ///
    /// - Throws: ``ProgramMismatch`` when answers are missing.
    public func finish() throws {
        guard let expected, answers.count < expected.count else { return }
        throw ProgramMismatch(place: "the end", difference: "found nothing more, expected \(expected[answers.count])")
    }
}
