import Dispatch
import Observation
import Synchronization

/// A list of a context's objects that stays as a fetch of the context would find them: the objects that pass the filter, in the query's order.
///
/// ```swift
/// let songs = try context.fetch(Song.self).where { $0.year > 1950 }.sorted(by: \.title).results()
/// for song in songs { print(song.title) }
///
/// for await changes in songs.changes {
///     table.delete(changes.removed.map(\.position))
///     …
/// }
/// ```
///
/// **What it follows.** Insertions, changes and deletions of the context, saved or not; its roll-backs, undo, merges and refreshes; commits of this process
/// that concern the query, by other contexts and other stores on the same file; commits of other processes, of whatever model, in a store that was opened with
/// ``OtherProcessObservation/every(_:)`` or is told by ``ObjectStore/notifyChangesOfOtherProcesses()``. In others these come with the next reading, which
/// ``refresh()`` begins. The objects are the context's own: one that another context has changed has its new place at once, and its new values
/// when the context merges, see ``ContextOptions/mergesChangesAutomatically``.
///
/// **When it changes.** A change only marks the list, and never waits. A thread of the context then reads it again: once for all changes until then. With
/// unsaved changes the reading waits for its turn among the writers, as a fetch of the context does. Behind a reading the list pauses as long as that took, for
/// a second at most. The list changes on that thread, or on the queue that it was made with. ``refresh()`` reads at once.
///
/// **Threads.** It may be used from any thread. Each access is of one state of the list: a loop, `map`, `filter` and `Array(songs)` see one state. Between two
/// accesses it may change, so a position may be beyond its end; take ``objects`` once where several accesses belong together, or use the list on the
/// serial queue that it was made with.
///
/// **Observation.** Reading the list is noted, and a change of it told, after it was made, on the thread that made it. A view that shows ``objects`` is drawn
/// again when objects come, go, move or are changed.
///
/// **Errors.** When a reading fails, the list stays as it was, and ``error`` says why until a reading succeeds.
///
/// The list has its objects, but not its context: when the context is gone, the list stays as it is.
public final class LiveResults<Object: LiveModel>: Observable, Sendable {
    let draft: QueryDraft
    let context: WeakContext
    /// Where the list changes; nil for the thread that read it.
    let queue: DispatchQueue?
    let shown: ShownResults<Object>
    let registrar = ObservationRegistrar()
    let trigger: RefetchTrigger
    /// Tells of commits, by this context or otherwise.
    private let commits: ObserverRegistration

    /// A list that is empty until it is read for the first time.
    ///
    /// - Throws: what is wrong with the query.
    init(_ fetch: Fetch<Object, ObjectContext>, _ queue: DispatchQueue?) throws {
        let (source, core, draft) = (fetch.source, fetch.source.core, fetch.draft)
        let query = try draft.checkedQuery()
        let filters = try core.observedFilters(of: query, core.binding(for: Object.self))
        let classes = try ConcerningClasses(draft, core, source.classes)
        (self.draft, context, self.queue) = (draft, WeakContext(source), queue)
        let shown = ShownResults<Object>()
        self.shown = shown
        let trigger = RefetchTrigger(on: queue) { shown.end() }
        self.trigger = trigger
        commits = ObserverRegistration(Observer(filters: filters) { trigger.note() }, core.observers)
        // From here on no change is missed, so the first reading may follow at any time.
        trigger.begin(on: source.follow(trigger, of: classes)) { [weak self] in self?.refetch() }
    }

    deinit { trigger.end() }

    /// The objects as the list has them now. An array does not change: take it once where several accesses belong together.
    ///
    /// - Complexity: O(1).
    public var objects: [Object] { snapshot.objects }

    /// The error of the last reading, when that failed and the list is older than it should be; nil otherwise.
    ///
    /// Such are what a save of the unsaved changes would throw, as ``TroveError/uniqueViolation(model:index:values:id:otherID:)``, what the engine
    /// throws, and ``StorageError/closed(_:)`` for a store that is closed. The next change of what the list shows begins another reading.
    public var error: (any Error)? {
        registrar.access(self, keyPath: \.error)
        return shown.error
    }

    /// The state of the list, whose reading is noted.
    var snapshot: ResultSnapshot<Object> {
        registrar.access(self, keyPath: \.objects)
        return shown.snapshot
    }
}

/// A reference to a context that does not keep it.
final class WeakContext: Sendable {
    private struct Reference {
        weak var context: ObjectContext?
    }

    private let reference: Mutex<Reference>

    init(_ context: ObjectContext) { reference = Mutex(Reference(context: context)) }

    /// The context.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` when it is gone.
    func get() throws -> ObjectContext {
        guard let context = reference.withLock({ $0.context }) else {
            throw TroveError.contextMisuse(reason: "the ObjectContext of a live list is gone; keep the context as long as the list is used")
        }
        return context
    }
}
