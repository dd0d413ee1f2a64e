/// What one way of reading a store found.
package struct ProbeCheck: Codable, Sendable, CustomStringConvertible {
    package enum Verdict: Codable, Sendable {
        /// Everything is as it was written.
        case right
        /// Something is not, and an error says so.
        case noticed(ProbeFault)
        /// Something is not, and no error says so.
        case wrong(String)
    }

    /// The way of reading.
    package let name: String
    package let verdict: Verdict

    /// Runs `body`, which returns what is wrong, nil for nothing.
    init(_ name: String, _ body: () throws -> String?) {
        self.name = name
        do {
            verdict = try body().map(Verdict.wrong) ?? .right
        } catch {
            verdict = .noticed(ProbeFault(error))
        }
    }

    package var isRight: Bool { if case .right = verdict { true } else { false } }
    package var isWrong: Bool { if case .wrong = verdict { true } else { false } }

    /// The error that was met.
    package var fault: ProbeFault? { if case .noticed(let fault) = verdict { fault } else { nil } }

    package var description: String {
        switch verdict {
        case .right: "\(name): right"
        case .noticed(let fault): "\(name): noticed, \(fault)"
        case .wrong(let what): "\(name): WRONG, \(what)"
        }
    }
}
