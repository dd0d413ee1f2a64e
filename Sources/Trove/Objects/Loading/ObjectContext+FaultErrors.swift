extension ObjectContext {
    /// How many errors of getters are kept.
    private static let maxFaultErrors = 100

    /// The errors that getters of relationships could not throw, oldest first: references to objects that are not stored
    /// (``TroveError/danglingReference(model:id:)``), for which they give nil or leave them out, and errors of the engine. So are those of objects that could
    /// not be made of their records after a save or a merge, which does not fail for them.
    ///
    /// The last 100 are kept until ``forgetFaultErrors()``. ``ContextOptions/onError`` is told of each. ``load(_:of:)`` and `resolve` throw instead.
    public var faultErrors: [any Error] {
        domain.withLock { state.faultErrors }
    }

    /// Empties ``faultErrors``.
    public func forgetFaultErrors() {
        domain.withLock { state.faultErrors = [] }
    }

    /// Notes an error that nobody is there to be thrown to; the lock of the domain is held.
    func noteFault(_ error: any Error) {
        if state.faultErrors.count == Self.maxFaultErrors { state.faultErrors.removeFirst() }
        state.faultErrors.append(error)
        report(error)
    }

    /// Tells the application of an error that nobody waits for.
    func report(_ error: any Error) {
        guard let onError = options.onError else { return }
        queue.async { onError(error) }
    }
}
