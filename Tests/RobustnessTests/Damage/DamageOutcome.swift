import ProbeKit

/// What came of opening, reading and changing a damaged store.
enum DamageOutcome: CustomStringConvertible {
    /// Opening threw.
    case refused(ProbeFault)
    /// Some way of reading threw or reported the damage; all others were right.
    case noticed([ProbeCheck])
    /// Everything is as it was written.
    case correct
    /// Some way of reading did not find something, as happens when a key is damaged; another one noticed the damage.
    case partlyMissing([ProbeCheck])
    /// Something is missing, and nothing noticed the damage.
    case silentlyMissing([ProbeCheck])
    /// Some way of reading gave a wrong answer; another one noticed the damage.
    case partlyWrong([ProbeCheck])
    /// Some way of reading gave a wrong answer, and nothing noticed the damage.
    case wrong([ProbeCheck])
    /// The process crashed or hung.
    case ended(ProbeEnd)

    init(_ reply: ProbeReply) {
        if let fault = reply.fault {
            self = .refused(fault)
            return
        }
        let checks = (reply.checks ?? []).filter { !$0.isRight }
        // Nothing but a complete reading can tell that something is missing, so that one must.
        let isNoticed = checks.contains { $0.name == "verify" && $0.fault != nil }
        if checks.isEmpty {
            self = .correct
        } else if checks.contains(where: \.isWrong) {
            self = isNoticed ? .partlyWrong(checks) : .wrong(checks)
        } else if checks.contains(where: \.isMissing) {
            self = isNoticed ? .partlyMissing(checks) : .silentlyMissing(checks)
        } else {
            self = .noticed(checks)
        }
    }

    /// The faults that were met.
    var faults: [ProbeFault] {
        switch self {
        case .refused(let fault): [fault]
        case .noticed(let checks), .partlyMissing(let checks), .silentlyMissing(let checks), .partlyWrong(let checks), .wrong(let checks): checks.compactMap(\.fault)
        case .correct, .ended: []
        }
    }

    /// One word for it.
    var kind: String {
        switch self {
        case .refused: "refused"
        case .noticed: "noticed"
        case .correct: "correct"
        case .partlyMissing: "partly missing"
        case .silentlyMissing: "silently missing"
        case .partlyWrong: "partly wrong"
        case .wrong: "wrong"
        case .ended: "ended"
        }
    }

    var description: String {
        switch self {
        case .refused(let fault): "refused, \(fault)"
        case .correct: "correct"
        case .noticed(let checks), .partlyMissing(let checks), .silentlyMissing(let checks), .partlyWrong(let checks), .wrong(let checks):
            "\(kind): " + checks.map(\.description).joined(separator: "; ")
        case .ended(let end): "\(end)"
        }
    }
}
