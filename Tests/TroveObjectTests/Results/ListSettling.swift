import Foundation
import Synchronization
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

extension ResultChanges where Object: LiveModel {
    /// The list that the changes make of another.
    func applied(to old: [Object]) -> [Object] {
        var result = old
        for position in (removed.map(\.position) + moved.map(\.oldPosition)).sorted(by: >) { result.remove(at: position) }
        let arriving = inserted.map { ($0.position, $0.object) } + moved.map { ($0.position, $0.object) }
        for (position, object) in arriving.sorted(by: { $0.0 < $1.0 }) { result.insert(object, at: position) }
        for placed in updated { result[placed.position] = placed.object }
        return result
    }
}

/// Counts what is told.
final class NoticeCounter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .sequentiallyConsistent) }

    func add() { value.add(1, ordering: .sequentiallyConsistent) }
}
