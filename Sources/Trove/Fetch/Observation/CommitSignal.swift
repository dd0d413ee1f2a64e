/// Tells of commits of this process that change a model's objects, of a model that the program need not have.
///
/// It keeps no commits, only whether there was one since it was last asked.
package struct CommitSignal: Sendable {
    private let registration: ObserverRegistration

    fileprivate init(_ registration: ObserverRegistration) { self.registration = registration }

    /// Returns at once the first time, then when there was a commit since the last time.
    ///
    /// - Throws: `CancellationError`.
    package func next() async throws { try await registration.observer.wait() }

    /// Whether there was a commit since this was asked last; true the first time.
    package func take() -> Bool { registration.observer.wakeUp.take() }
}

extension ObjectStore {
    /// What tells of commits that change objects of the model, until it is let go.
    ///
    /// - Throws: ``TroveError/unknownType(_:)``.
    package func commitSignal(of modelName: String) throws -> CommitSignal {
        let filter = try read { try CompiledFilter(.constant(true), in: $0.openStored(named: modelName).binding) }
        return CommitSignal(ObserverRegistration(Observer(filters: [modelName: filter]), core.observers))
    }
}
