import Foundation
import Trove

/// What control-C does while something can be stopped: the work ends with `CancellationError` where it is safe, and not the program.
enum InterruptSignal {
    /// Raised by the signals. It is made before they are caught, since a handler may make nothing.
    static let interruption = Interruption()

    /// Calls `body`, whose reads and long work the signals stop.
    ///
    /// - Parameter numbers: the signals; what they did before they do again afterwards.
    static func stopping<Result>(_ numbers: [Int32] = [SIGINT], _ body: () throws -> Result) rethrows -> Result {
        let interruption = interruption
        _ = interruption.lower()
        let before = numbers.map { catching($0) }
        defer { for (number, action) in zip(numbers, before) { restore(number, action) } }
        return try Interruption.$current.withValue(interruption) { try body() }
    }

    /// Lets a signal raise the interruption; returns what it did before. A call that waits for input ends.
    private static func catching(_ number: Int32) -> sigaction {
        var (action, before) = (sigaction(), sigaction())
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = { _ in InterruptSignal.interruption.raise() }
        #else
            action.__sigaction_handler.sa_handler = { _ in InterruptSignal.interruption.raise() }
        #endif
        sigemptyset(&action.sa_mask)
        sigaction(number, &action, &before)
        return before
    }

    private static func restore(_ number: Int32, _ action: sigaction) {
        var action = action
        sigaction(number, &action, nil)
    }
}
