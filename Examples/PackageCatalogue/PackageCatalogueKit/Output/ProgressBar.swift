import Synchronization

/// A bar that grows on the terminal while something runs, and is gone afterwards; nothing where there is no terminal.
///
/// ```swift
/// try await ProgressBar.show("Copying", on: console) { bar in
///     try await store.copy(to: backend) { try bar.update($0.completed, of: $0.total) }
/// }
/// ```
///
/// It may be updated from any thread.
final class ProgressBar: Sendable {
    /// How often the bar is drawn again at most, so that drawing costs nothing.
    private static let interval = Duration.milliseconds(50)

    private let console: Console
    private let label: String
    private let lastDrawn = Mutex<ContinuousClock.Instant?>(nil)

    private init(_ label: String, on console: Console) {
        self.label = label
        self.console = console
    }

    /// Runs `body` with a bar, and takes the bar off the terminal whatever happens.
    static func show<Result>(
        _ label: String, on console: Console, _ body: (ProgressBar) async throws -> Result
    ) async throws -> Result {
        let bar = ProgressBar(label, on: console)
        do {
            let result = try await body(bar)
            try bar.clear()
            return result
        } catch {
            try bar.clear()
            throw error
        }
    }

    /// - Parameter total: nil when nobody knows it yet; then there is a number and no bar.
    func update(_ completed: Int, of total: Int?) throws {
        guard console.isTerminal else { return }
        try lastDrawn.withLock { lastDrawn in
            let now = ContinuousClock.now
            if let last = lastDrawn, now - last < Self.interval { return }
            try console.write("\r" + (total.map { line(completed, $0) } ?? "  \(label) \(completed.grouped)"))
            lastDrawn = now
        }
    }

    private func clear() throws {
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
