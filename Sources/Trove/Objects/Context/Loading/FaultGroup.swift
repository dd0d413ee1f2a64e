import Synchronization

/// Objects that were loaded together: what one of them points at is likely to be asked of the others too.
final class FaultGroup: Sendable {
    /// How many objects a group takes.
    static let maxCount = 256

    private struct Member {
        weak var object: (any LiveModel)?
    }

    private struct State {
        var members: [Member] = []
        /// The collections of which one was loaded.
        var collections = FieldSet()
    }

    private let state = Mutex(State())

    /// Adds an object; false when the group is full.
    func add(_ object: any LiveModel) -> Bool {
        state.withLock { state in
            guard state.members.count < Self.maxCount else { return false }
            state.members.append(Member(object: object))
            return true
        }
    }

    /// The objects that are still in memory.
    var objects: [any LiveModel] {
        state.withLock { $0.members.compactMap(\.object) }
    }

    /// Notes that a collection of one of the objects is loaded, and returns whether another was before: then somebody walks over all.
    func noteCollection(_ field: Int) -> Bool {
        state.withLock { state in
            defer { state.collections.insert(field) }
            return state.collections.contains(field)
        }
    }
}
