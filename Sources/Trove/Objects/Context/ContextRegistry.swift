import Synchronization

/// The contexts of an open store, which tell each other what they save.
final class ContextRegistry: Sendable {
    private struct Member {
        weak var context: ObjectContext?
    }

    private let members = Mutex<[Member]>([])

    func add(_ context: ObjectContext) {
        members.withLock { members in
            members.removeAll { $0.context == nil }
            members.append(Member(context: context))
        }
    }

    /// The contexts but this one.
    func others(than context: ObjectContext) -> [ObjectContext] {
        members.withLock { members in members.compactMap(\.context) }.filter { $0 !== context }
    }
}
