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
        /// By field, how many of the members have been looked at for what they point at.
        var visited: [Int: Int] = [:]
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

    /// The next of the objects that was not given for this field before; nil after the last.
    ///
    /// Each is given once: what it points at may be forgotten before it is asked for, and would be loaded ahead again and again.
    func nextUnvisited(_ field: Int) -> (any LiveModel)? {
        state.withLock { state in
            var place = state.visited[field] ?? 0
            defer { state.visited[field] = place }
            while place < state.members.count {
                defer { place += 1 }
                if let object = state.members[place].object { return object }
            }
            return nil
        }
    }

    /// Notes that a collection of one of the objects is loaded, and returns whether another was before: then somebody walks over all.
    func noteCollection(_ field: Int) -> Bool {
        state.withLock { state in
            defer { state.collections.insert(field) }
            return state.collections.contains(field)
        }
    }
}
