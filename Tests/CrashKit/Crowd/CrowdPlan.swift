import TestSupport

/// What the processes of one round do, and which of them are killed.
struct CrowdPlan: Sendable, CustomStringConvertible {
    struct Member: Sendable {
        let window: CrowdWindow
        /// Microseconds after the beginning of the round; nil for one that goes on to the end.
        let killedAfter: Int?
    }

    static let maxCount = 4

    let members: [Member]

    /// A plan drawn at random: two to four processes, of which one is killed, or all at their own moments.
    init(of windows: [CrowdWindow], using generator: inout SeededGenerator) {
        let count = Int.random(in: 2...Self.maxCount, using: &generator)
        let victim = Int.random(in: 0..<count, using: &generator)
        let killsAll = Int.random(in: 0..<4, using: &generator) == 0
        members = (0..<count).map { number in
            // Short times are worth as many rounds as long ones: a process opens the store in the first milliseconds.
            let delay = Int.random(in: 0...(1 << Int.random(in: 10...17, using: &generator)), using: &generator)
            return Member(
                window: windows[Int.random(in: 0..<windows.count, using: &generator)],
                killedAfter: killsAll || number == victim ? delay : nil)
        }
    }

    var description: String {
        members.map { member in
            member.killedAfter.map { "\(member.window) killed after \($0) µs" } ?? "\(member.window)"
        }.joined(separator: ", ")
    }
}
