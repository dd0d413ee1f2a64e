import Dispatch
import Foundation
import Synchronization

/// Builds indexes on a thread of its own while the store is in use.
final class BackgroundIndexing: Sendable {
    private let isStopped = Mutex(false)
    private let failure = Mutex<(any Error)?>(nil)
    private let queue = DispatchQueue(label: "trove.indexing", qos: .utility)

    /// Why the last building stopped before its end; nil when it did not.
    var error: (any Error)? { failure.withLock { $0 } }

    func start(_ core: StoreCore, _ durability: Durability) {
        let builder = IndexBuilder(core: core, durability: durability, batchSize: IndexBuilder.backgroundBatchSize) {
            self.isStopped.withLock { $0 }
        }
        queue.async { self.run(builder) }
    }

    /// Ends the building after the batch that runs.
    func stop() { isStopped.withLock { $0 = true } }

    private func run(_ builder: IndexBuilder) {
        while true {
            do {
                try builder.run { _ in }
                return
            } catch StorageError.closed {
                return
            } catch is CancellationError {
                return
            } catch let error as StorageError where error.isRetryable {
                // Another writer held the store for long.
                Thread.sleep(forTimeInterval: 0.1)
            } catch {
                failure.withLock { $0 = error }
                return
            }
        }
    }
}
