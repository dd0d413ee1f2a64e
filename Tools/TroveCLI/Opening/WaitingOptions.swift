import ArgumentParser
import Foundation
import Trove

/// How long a command waits for a store that another program has for itself.
struct WaitingOptions: ParsableArguments {
    /// Between two attempts; a number by chance, so that several that wait do not meet again and again.
    private static let interval = 0.01...0.05
    private static let most = 86_400.0

    @Option(parsing: .unconditional, help: "How many seconds to wait for a store that another program has for itself, as engines of one process do.")
    var wait = 2.0

    func validate() throws {
        guard wait >= 0, wait <= Self.most else { throw ValidationError("--wait is from 0 to \(Int(Self.most)) seconds, not \(wait)") }
    }

    /// Opens the engine on a store that there is, again and again while another program has it for itself.
    ///
    /// - Throws: ``StorageError/locked(_:)`` when the time is over; what opening throws.
    func open(_ engine: StoreEngine, _ path: String) throws -> any StorageBackend {
        let end = ContinuousClock.now + .seconds(wait)
        while true {
            do {
                return try engine.open(path, createsStore: false)
            } catch StorageError.locked where ContinuousClock.now < end {
                Thread.sleep(forTimeInterval: .random(in: Self.interval))
            }
        }
    }
}
