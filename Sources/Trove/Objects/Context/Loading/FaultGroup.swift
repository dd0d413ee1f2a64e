import Synchronization

/// Objects that were loaded together: what one of them points at is likely to be asked of the others too.
final class FaultGroup: Sendable {
    /// How many objects a group takes.
    static let maxCount = 256

    private struct Member {
        weak var object: (any LiveModel)?
    }

    private let members = Mutex<[Member]>([])

    /// Adds an object; false when the group is full.
    func add(_ object: any LiveModel) -> Bool {
        members.withLock { members in
            guard members.count < Self.maxCount else { return false }
            members.append(Member(object: object))
            return true
        }
    }

    /// The objects that are still in memory.
    var objects: [any LiveModel] {
        members.withLock { $0.compactMap(\.object) }
    }
}
