import Synchronization

/// What a save has inserted, marked as deleted and settled for itself. It is taken back when the save fails, so that it is not in the way of those to come.
final class OwnChanges: Sendable {
    /// What it made of an object that the context had, as of one at the other side of an insertion's relationship: its record before and after.
    struct Linked {
        let object: any LiveModel
        let before: [UInt8]
        let after: [UInt8]
        /// What has the lazy values that only the record before has, as far as they are in memory: the next try's cut forgets them.
        let annexes: [AnnexOffer]
    }

    struct Content {
        var inserted: [any LiveModel] = []
        var linked: [Linked] = []
        var deleted: [any LiveModel] = []
        /// New objects that have left the context as they became stored ones.
        var replaced: [any LiveModel] = []
        /// The live members of a bag that is saved with them which were new when the save began.
        var newMembers: Set<AnyReference> = []
        /// The stored objects that new ones have become, by what referred to these.
        var moves: [AnyReference: AnyReference] = [:]
        /// How many new objects the context had when the first try of the save failed.
        var newCount = 0
    }

    let content = Mutex(Content())

    var newCount: Int { content.withLock { $0.newCount } }
}
