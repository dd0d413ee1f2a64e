import Synchronization

/// A bar that grows on the terminal while something runs, and is gone afterwards; nothing where there is no terminal.
///
/// It may be updated from any thread.
final class ProgressBar: Sendable {
    /// How often the bar is drawn again at most, so that drawing costs nothing.
    private static let interval = Duration.milliseconds(50)

    private let console: Console
    private let label: String
    private let lastDrawn = Mutex<ContinuousClock.Instant?>(nil)

    init(_ label: String, on console: Console) {
        self.label = label
        self.console = console
    }

    func update(_ completed: Int, of total: Int) throws {
        guard console.isTerminal else { return }
        try lastDrawn.withLock { lastDrawn in
            let now = ContinuousClock.now
            if let last = lastDrawn, now - last < Self.interval { return }
            try console.write("\r" + line(completed, total))
            lastDrawn = now
        }
    }

    /// Takes the bar off the terminal.
    func clear() throws {
        try lastDrawn.withLock { lastDrawn in
            if lastDrawn != nil { try console.write("\r\u{1B}[K") }
            lastDrawn = nil
        }
    }

    private func line(_ completed: Int, _ total: Int) -> String {
        let fraction = total == 0 ? 1 : min(1, Double(completed) / Double(total))
        let (front, back) = ("  \(label) ", " \(Int(fraction * 100)) % of \(total.grouped)")
        // One column stays free: some terminals wrap a line that is full.
        let length = max(0, min(40, console.width - front.count - back.count - 1))
        let filled = Int(fraction * Double(length))
        return front + String(repeating: "█", count: filled) + String(repeating: "░", count: length - filled) + back
    }
}
