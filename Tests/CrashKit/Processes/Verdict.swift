/// What a checking process has found.
enum Verdict: Equatable {
    /// Some number of whole transactions.
    ///
    /// - Parameters:
    ///   - dropped: acknowledged transactions that are gone.
    ///   - lost: those of them that had to be there.
    case sound(count: Int, dropped: Int, lost: Int)
    /// Opening threw an error.
    case refused(String)
    /// The store is open and not what it should be.
    case damaged(String)

    /// The verdict in one line.
    var line: String {
        switch self {
        case .sound(let count, let dropped, let lost): "sound \(count) \(dropped) \(lost)"
        case .refused(let error): "refused " + error.split(separator: "\n").joined(separator: " ")
        case .damaged(let error): "damaged " + error.split(separator: "\n").joined(separator: " ")
        }
    }

    init?(line: some StringProtocol) {
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return nil }
        switch words[0] {
        case "sound":
            let numbers = words[1].split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            self = .sound(count: numbers[0], dropped: numbers[1], lost: numbers[2])
        case "refused": self = .refused(String(words[1]))
        case "damaged": self = .damaged(String(words[1]))
        default: return nil
        }
    }
}
