/// What one way of reading a store found.
package struct ProbeCheck: Codable, Sendable, CustomStringConvertible {
    package enum Verdict: Codable, Sendable {
        /// Everything is as it was written.
        case right
        /// An error was met.
        case noticed(ProbeFault)
        /// Something that was written is not found, and this way of reading does not say why.
        case missing(String)
        /// Something is given that was not written so.
        case wrong(String)
    }

    /// The way of reading.
    package let name: String
    package let verdict: Verdict

    /// Runs `body`, which throws a ``Difference`` for a wrong answer.
    init(_ name: String, _ body: () throws -> Void) {
        self.name = name
        do {
            try body()
            verdict = .right
        } catch let difference as Difference {
            verdict = difference.isMissing ? .missing(difference.description) : .wrong(difference.description)
        } catch {
            verdict = .noticed(ProbeFault(error))
        }
    }

    package var isRight: Bool { if case .right = verdict { true } else { false } }
    package var isWrong: Bool { if case .wrong = verdict { true } else { false } }
    package var isMissing: Bool { if case .missing = verdict { true } else { false } }

    /// The error that was met.
    package var fault: ProbeFault? { if case .noticed(let fault) = verdict { fault } else { nil } }

    package var description: String {
        switch verdict {
        case .right: "\(name): right"
        case .noticed(let fault): "\(name): noticed, \(fault)"
        case .missing(let what): "\(name): MISSING, \(what)"
        case .wrong(let what): "\(name): WRONG, \(what)"
        }
    }
}
