/// An object that stays, and because of which another cannot be deleted: see ``TroveError/deletionDenied(model:id:blockers:)``.
public struct DeletionBlocker: Sendable, Hashable {
    /// The model of the object that stays.
    public let model: String
    /// Its id, as messages show it.
    public let id: String
    /// The relationship between them whose rule denies the deletion: `Song.album`.
    public let relationship: String

    /// Names an object that stays, and the relationship.
    public init(model: String, id: String, relationship: String) {
        self.model = model
        self.id = id
        self.relationship = relationship
    }
}

extension DeletionBlocker: CustomStringConvertible {
    public var description: String { "\(model) \(id) (\(relationship))" }
}
