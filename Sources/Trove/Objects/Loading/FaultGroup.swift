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

    /// The domain of its objects, which need not count it one by one.
    let domain: ObjectDomain
    private let state = Mutex(State())

    init(_ domain: ObjectDomain) { self.domain = domain }

    /// The number of objects that it knows.
    var count: Int { state.withLock { $0.members.count } }

    /// Adds objects that have the group and these places in the identity map.
    func add(_ places: [UInt32]) {
        // Mostly they are the first, whose array it takes over.
        state.withLock { state in if state.members.isEmpty { state.members = places } else { state.members += places } }
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
            if let object = map.object(at: next), object.live.group === self { return object }
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
