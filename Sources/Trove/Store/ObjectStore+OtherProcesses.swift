/// Whether the observers, live lists and contexts of an open store hear of commits of other processes.
///
/// ```swift
/// // An app and its extension share a file; the app shows what the extension stores.
/// let store = try ObjectStore(SQLiteBackend(path: path), observesOtherProcesses: .every(.milliseconds(100)), models: Note.self)
/// for try await notes in store.observe(store.fetch(Note.self)) { show(notes) }
/// ```
///
/// A look finds that somebody else has committed, not what. So every observation of the store reads again, and gives a result when it is another one than
/// before; every live list reads again, with unsaved changes in a write transaction that is taken back; contexts with
/// ``ContextOptions/mergesChangesAutomatically`` take over the records that are others than they have. Commits of this process are heard of as ever, by what
/// they change, and are not taken for those of others. `docs/concurrency.md` tells more.
public struct OtherProcessObservation: Sendable, Hashable {
    /// The time between two looks; nil for no looks.
    let interval: Duration?

    /// What other processes commit is heard of with the next commit of this process, or after ``ObjectStore/notifyChangesOfOtherProcesses()``.
    public static let never = OtherProcessObservation(interval: nil)

    /// Looks for commits of other processes again and again, as long as somebody observes the store or has a live list, or a context of it merges
    /// changes automatically.
    ///
    /// A look asks the file system about two files, and reads the engine's stamp when these have changed since the look before, or so shortly before it
    /// that another change might have the same time. Engines whose stores one process has alone are not looked at. What another store on the same file
    /// commits in this process, contexts take over within the interval, on every engine.
    ///
    /// - Parameter interval: the time between two looks; less than a millisecond counts as one.
    public static func every(_ interval: Duration) -> OtherProcessObservation { OtherProcessObservation(interval: interval) }
}

extension ObjectStore {
    /// Tells observers, live lists and contexts that another process has changed the store: for programs that get word of it by other means, such as a
    /// notification of the system.
    ///
    /// ```swift
    /// // The extension posts a Darwin notification after each save.
    /// onNotification("com.example.notes.saved") { store.notifyChangesOfOtherProcesses() }
    /// ```
    ///
    /// Every observation and live list reads again, and an observation gives a result when it is another one than before. Contexts take over the records
    /// that are others than they have, those with ``ContextOptions/mergesChangesAutomatically`` soon, others when
    /// ``ObjectContext/mergeChanges()`` is called. After the first call, in a store that was opened without ``OtherProcessObservation/every(_:)``,
    /// ``observe(_:)`` may give the result once more that it gave before.
    ///
    /// It reads nothing itself and returns at once, in a transaction too. Calls that come while a reading is due are one.
    public func notifyChangesOfOtherProcesses() { core.otherProcesses.tell() }
}

extension ObjectStore {
    /// What finds out whether the store was committed to, by any process.
    package func commitLook() -> CommitLook { CommitLook(core.backend) }
}
