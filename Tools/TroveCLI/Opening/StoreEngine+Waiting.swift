import Foundation
import Trove

extension StoreEngine {
    /// Between two attempts; a number by chance, so that several that wait do not meet again and again.
    private static let interval = 0.01...0.05

    /// Opens the engine on a store that there is, again and again while another program has it for itself.
    ///
    /// - Parameter longest: how long to wait.
    /// - Throws: ``StorageError/locked(_:)`` when the time is over; what opening throws.
    func open(_ path: String, waiting longest: Duration) throws -> any StorageBackend {
        let end = ContinuousClock.now + longest
        while true {
            do {
                return try open(path, createsStore: false)
            } catch StorageError.locked where ContinuousClock.now < end {
                Thread.sleep(forTimeInterval: .random(in: Self.interval))
            }
        }
    }
}
