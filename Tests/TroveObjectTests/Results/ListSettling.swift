import Foundation
import TestSupport

@testable import Trove

extension ObjectContext {
    /// Returns when its live lists show all that was changed until now. Those that were made with a queue may still wait for that to show it.
    func settleLists() {
        // Merges that are done by themselves.
        queue.sync {}
        while let lists = domain.withLock({ state.lists }) {
            lists.queue.sync {}
            if lists.areSettled { return }
            // A reading waits for the end of a pause, or for the queue of its list.
            Thread.sleep(forTimeInterval: 0.000_2)
        }
    }
}
