import Foundation
import Trove
import TroveStoreTools

/// A line on the terminal that tells how far long work is and how fast it goes; nothing where standard error is no terminal.
final class ProgressLine {
    private static let interval = Duration.milliseconds(100)

    private let label: String
    private let errors = Output(descriptor: STDERR_FILENO)
    private let start = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?

    private init(_ label: String) { self.label = label }

    /// Calls `body` with a line, which is taken off the terminal before anything else is written there.
    static func during<Result>(_ label: String, _ body: (ProgressLine) throws -> Result) rethrows -> Result {
        let line = ProgressLine(label)
        defer { line.clear() }
        return try body(line)
    }

    private func clear() {
        if lastDrawn != nil { draw("") }
    }

    func update(_ progress: StoreProgress) throws { try update(progress.completed, of: progress.total) }

    /// Shows how much is done.
    ///
    /// - Parameter total: nil when nobody knows it.
    /// - Throws: `CancellationError` when the work is to stop.
    func update(_ completed: Int, of total: Int?) throws {
        try Interruption.check()
        guard errors.terminal.isTerminal else { return }
        let now = ContinuousClock.now
        if let lastDrawn, now - lastDrawn < Self.interval { return }
        lastDrawn = now
        draw(Self.text(label, completed, of: total, after: now - start))
    }

    /// `Copying: 450,000 of 1,000,000 (45 %), 120,000/s`.
    static func text(_ label: String, _ completed: Int, of total: Int?, after elapsed: Duration) -> String {
        let seconds = elapsed / .seconds(1)
        let rate = seconds > 0 ? ", \(Int(Double(completed) / seconds).grouped)/s" : ""
        guard let total, total > 0 else { return "\(label): \(completed.grouped)\(rate)" }
        return "\(label): \(completed.grouped) of \(total.grouped) (\(completed * 100 / total) %)\(rate)"
    }

    /// Shows what is done now that everything was taken in, of which nobody can tell how far it is.
    func show(_ text: String) {
        guard errors.terminal.isTerminal else { return }
        lastDrawn = ContinuousClock.now
        draw(text)
    }

    private func draw(_ text: String) { errors.tryToWrite("\r\u{1B}[K" + text.prefix((errors.terminal.width ?? 80) - 1)) }
}
