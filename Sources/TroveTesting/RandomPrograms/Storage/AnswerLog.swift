/// The answers of one run of a program, compared with those of another run while they come.
final class AnswerLog {
    /// An answer that is not the other run's.
    struct Mismatch: Error, CustomStringConvertible {
        let place: String
        let difference: String
        var description: String { "\(place): \(difference)" }
    }

    private let expected: [StorageAnswer]?
    private(set) var answers: [StorageAnswer] = []

    /// A log whose answers have to be `expected`, or any when it is nil.
    init(expected: [StorageAnswer]? = nil) { self.expected = expected }

    /// Takes down an answer.
    ///
    /// - Throws: ``Mismatch`` when it is not the expected one.
    func record(_ answer: StorageAnswer, at place: String) throws {
        if let expected {
            guard answers.count < expected.count else {
                throw Mismatch(place: place, difference: "found \(answer), expected nothing more")
            }
            let wanted = expected[answers.count]
            if wanted != answer { throw Mismatch(place: place, difference: wanted.difference(to: answer)) }
        }
        answers.append(answer)
    }

    /// Forgets the answers after the first `count`: a body is run again.
    func rewind(to count: Int) { answers.removeLast(answers.count - count) }

    /// - Throws: ``Mismatch`` when answers are missing.
    func finish() throws {
        guard let expected, answers.count < expected.count else { return }
        throw Mismatch(place: "the end", difference: "found nothing more, expected \(expected[answers.count])")
    }
}
