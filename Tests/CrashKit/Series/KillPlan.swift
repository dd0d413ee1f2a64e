import SyncRecorder
import TestSupport

/// How one process of a series ends.
struct KillPlan: Sendable, CustomStringConvertible {
    var window: KillWindow
    /// The number of the call or operation, from 1; microseconds for a moment.
    var target: Int
    /// Whether the process ends before the call, after it or inside it.
    var mode: UInt32
    /// The calls at which the processes end that recover from this crash, one after the other.
    var recoveryTargets: [Int] = []

    init(_ window: KillWindow, target: Int, mode: UInt32 = UInt32(RecorderKillsBefore)) {
        self.window = window
        self.target = target
        self.mode = mode
    }

    /// A plan drawn at random.
    init(using generator: inout SeededGenerator) {
        let windows: [KillWindow] = [
            .moment, .moment, .moment, .moment, .call, .call, .call, .call, .call, .operation, .operation, .operation, .operation,
            .opening, .compaction, .backup, .copy, .synchronization, .closing,
        ]
        let window = windows[Int.random(in: 0..<windows.count, using: &generator)]
        // Small numbers are worth as many rounds as large ones.
        let limit = 1 << Int.random(in: 2...(window == .call || window == .operation ? 9 : 6), using: &generator)
        let target = window == .moment ? Int.random(in: 0...8_000, using: &generator) : Int.random(in: 1...limit, using: &generator)
        self.init(window, target: target, mode: UInt32.random(in: 0...2, using: &generator))
        if Int.random(in: 0..<4, using: &generator) == 0 {
            recoveryTargets = (0..<Int.random(in: 1...3, using: &generator)).map { _ in Int.random(in: 1...24, using: &generator) }
        }
    }

    var description: String {
        let place = ["before", "after", "inside"][Int(mode)]
        let how = window == .moment ? "\(target) µs after beginning to write" : "\(place) \(window) \(target)"
        return recoveryTargets.isEmpty ? how : "\(how), then in recovering at calls \(recoveryTargets)"
    }
}
