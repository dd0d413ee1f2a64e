/// Whether the observers and contexts of an open store hear of commits of other processes.
///
/// ```swift
/// // An app and its extension share a file; the app shows what the extension stores.
/// let store = try ObjectStore(SQLiteBackend(path: path), observesOtherProcesses: .every(.milliseconds(100)), models: Note.self)
/// for try await notes in store.observe(store.fetch(Note.self)) { show(notes) }
/// ```
///
/// A look finds that somebody else has committed, not what. So every ``ObjectStore/observe(_:)`` of the store reads again, and gives a result when it is another one
/// than before; contexts with ``ContextOptions/mergesChangesAutomatically`` compare the objects that they have with the store's records. Commits of this process are
/// heard of as ever, by what they change, and are not taken for those of others.
public struct OtherProcessObservation: Sendable, Hashable {
    /// The time between two looks; nil for no looks.
    let interval: Duration?

    /// What other processes commit is heard of with the next commit of this process, or after ``ObjectStore/notifyChangesOfOtherProcesses()``.
    public static let never = OtherProcessObservation(interval: nil)

    /// Looks for commits of other processes again and again, as long as somebody observes the store or a context of it merges changes automatically.
    ///
    /// A look that finds nothing costs two questions to the file system, and a short read of the engine in the tenth of a second after a commit. Engines whose stores
    /// one process has alone are not looked at. What another store on the same file commits in this process is merged by contexts within the interval, on all engines.
    ///
    /// - Parameter interval: less than a millisecond counts as one.
    public static func every(_ interval: Duration) -> OtherProcessObservation { OtherProcessObservation(interval: interval) }
}

extension ObjectStore {
    /// Tells observers and contexts that another process has changed the store, for programs that get word of it by other means, such as a notification of the
    /// system.
    ///
    /// ```swift
    /// // The extension posts a Darwin notification after each save.
    /// onNotification("com.example.notes.saved") { store.notifyChangesOfOtherProcesses() }
    /// ```
    ///
    /// Every observation reads again, and gives a result when it is another one than before; one of ``observe(_:)`` may give the same result once, at the first such
    /// call of a store that was opened without ``OtherProcessObservation/every(_:)``. Contexts compare all objects that they have with the store's records, those
    /// with ``ContextOptions/mergesChangesAutomatically`` soon, others when ``ObjectContext/mergeChanges()-swift.method`` is called.
    ///
    /// It returns at once, may be called anywhere, also in a transaction, and reads nothing itself. Calls that come while a reading is due are one.
    public func notifyChangesOfOtherProcesses() { core.otherProcesses.tell() }
}

extension ObjectStore {
    /// What finds out whether the store was committed to, by any process.
    package func commitLook() -> CommitLook { CommitLook(core.backend) }
}
