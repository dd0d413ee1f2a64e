import Dispatch
import Foundation
import Synchronization

/// Builds indexes on a thread of its own while the store is in use, when the store was opened so.
final class BackgroundIndexing: Sendable {
    /// With which durability it builds; nil while it must not.
    private let durability = Mutex<Durability?>(nil)
    private let failure = Mutex<(any Error)?>(nil)
    let queue = DispatchQueue(label: "trove.indexing", qos: .utility)

    /// Why the last building stopped before its end; nil when it did not.
    var error: (any Error)? { failure.withLock { $0 } }

    /// Lets it build from now on.
    func allow(_ durability: Durability) { self.durability.withLock { $0 = durability } }

    /// Builds what is not ready, where that is allowed: at opening, and when indexes are to be built from the start, after the transaction
    /// that says so.
    func start(_ core: StoreCore) {
        guard let durability = durability.withLock({ $0 }) else { return }
        let builder = IndexBuilder(core: core, durability: durability, batches: .besideOthers) {
            self.durability.withLock { $0 == nil }
        }
        queue.async { self.run(builder) }
    }

    /// Ends the building after the batch that runs. Returns the durability, with which it may be allowed to go on.
    @discardableResult
    func stop() -> Durability? { durability.withLock { $0.take() } }

    private func run(_ builder: IndexBuilder) {
        failure.withLock { $0 = nil }
        while true {
            do {
                try builder.run { _ in }
                return
            } catch StorageError.closed {
                return
            } catch is CancellationError {
                return
            } catch let error as StorageError where error.isRetryable {
                // Another writer held the store for long. What was stopped does not try again: an engine may be out of reach for ever.
                guard durability.withLock({ $0 != nil }) else { return }
                Thread.sleep(forTimeInterval: 0.1)
            } catch {
                failure.withLock { $0 = error }
                return
            }
        }
    }
}
