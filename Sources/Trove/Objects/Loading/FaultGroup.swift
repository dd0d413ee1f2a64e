import Synchronization

/// Objects that were loaded together: what one of them points at is likely to be asked of the others too.
final class FaultGroup: Sendable {
    /// How many objects a group takes.
    static let maxCount = 256

    private struct State {
        /// The places of the members in the identity map. Others may have come to places of members that have ended.
        var members: [UInt32] = []
        /// The collections of which one was loaded.
        var collections = _FieldSet()
        /// By field, how many of the members have been looked at for what they point at.
        var visited: [Int: Int] = [:]
    }

    private let state = Mutex(State())

    /// Adds an object that has the group and this place in the identity map; false when the group is full now.
    func add(_ place: UInt32) -> Bool {
        state.withLock { state in
            state.members.append(place)
            return state.members.count < Self.maxCount
        }
    }

    /// The next of the objects that was not given for this field before; nil after the last.
    ///
    /// Each is given once: what it points at may be forgotten before it is asked for, and would be loaded ahead again and again.
    func nextUnvisited(_ field: Int, in map: IdentityMap) -> (any LiveModel)? {
        while true {
            let next = state.withLock { state -> UInt32? in
                let visited = state.visited[field, default: 0]
                guard visited < state.members.count else { return nil }
                state.visited[field] = visited + 1
                return state.members[visited]
            }
            guard let next else { return nil }
            if let object = map.object(at: next), object._$live.group === self { return object }
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
