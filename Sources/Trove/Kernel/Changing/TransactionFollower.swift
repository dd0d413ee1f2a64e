/// What a layer above the kernel does in a write transaction because of what changed in it, as relationships bring inverses in step.
protocol TransactionFollower: AnyObject {
    /// Whether something was noted that ``endBatch()`` has to deal with.
    var hasUnfinishedWork: Bool { get }

    /// Does what follows from a change that stands for itself, of one record or of many.
    func endBatch() throws

    /// Begins a savepoint, after what follows from earlier changes has been done.
    func beginSavepoint() throws -> any FollowerMark

    /// Forgets what was noted since a mark, nil for the start, after the engine has rolled back to it.
    func rollBack(to mark: (any FollowerMark)?)

    /// Does all that is left to do of what was noted since a mark, nil for the start.
    func settle(since mark: (any FollowerMark)?) throws
}

/// How far a follower's notes had come when a savepoint began.
protocol FollowerMark {}

/// Tells an open store's transactions what follows their changes.
protocol ChangeFollowing: Sendable {
    /// What has to be told the changes of a model's records; nil when nothing follows from them.
    func listener(for model: ModelBinding, in transaction: WriteTransaction) throws -> (any ChangeListener)?

    /// Whether a model has a function of its own that is asked when one of its objects is deleted.
    func asksObjects(of model: any Model.Type) -> Bool
}
