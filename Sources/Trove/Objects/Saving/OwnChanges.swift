import Synchronization

/// What a save has inserted and marked as deleted for itself. It is taken back when the save fails, so that it is not in the way of those to come.
final class OwnChanges: Sendable {
    /// What an insertion made of an object that the context had, which is at the other side of a relationship: its record before and after.
    struct Linked {
        let object: any LiveModel
        let before: [UInt8]
        let after: [UInt8]
    }

    struct Content {
        var inserted: [any LiveModel] = []
        var linked: [Linked] = []
        var deleted: [any LiveModel] = []
        /// Members of a bag that is saved with them, which the context has deleted.
        var lostMembers: Set<AnyReference> = []
    }

    let content = Mutex(Content())

    var lostMembers: Set<AnyReference> { content.withLock { $0.lostMembers } }
}
