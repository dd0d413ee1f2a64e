/// The steps of a context that can be undone and redone.
///
/// It is `@unchecked Sendable` because every method is called with the lock of the context's domain held.
final class UndoHistory: @unchecked Sendable {
    unowned let context: ObjectContext
    private let limit: Int
    var done: [UndoStep] = []
    /// The steps that were undone, as they would be redone, the next one last.
    var undone: [UndoStep] = []
    var open: OpenUndoStep?
    /// The steps that were done when everything was saved last; nil when what was done then cannot be come back to.
    var savedCount: Int? = 0
    /// The objects that closed steps since the last cut have touched, as they left them.
    var lastImages: [ObjectKey: [UInt8]?] = [:]
    /// What the last save has stored of the step that grew then.
    var savedPart: UndoStep?
    /// What the last cut has of the steps, until its save has ended. One that failed leaves it to the next.
    var saving: CutSteps?
    /// The objects whose changes are being discarded, with the number of steps that were done then.
    var discarded: [ObjectIdentifier: Int] = [:]
    /// Whether a step is being undone or redone, whose changes are no new ones.
    var isApplying = false
    /// What rules and inverses have changed since others' changes met the step that is being undone or redone.
    var settled: OpenUndoStep?

    init(_ context: ObjectContext, limit: Int) {
        self.context = context
        self.limit = limit
    }

    /// Whether a step that ends becomes a part of the one before it, where no save has stored that.
    var joinsLast = false

    var isInGroup: Bool { open.map { $0.depth > 0 } ?? false }

    /// Whether the step that grows has touched something.
    var hasOpenChanges: Bool { open.map { !$0.touched.isEmpty || !$0.parts.isEmpty } ?? false }

    var openName: String? { open?.name }

    /// The position of the first step since the last save.
    var firstUnsaved: Int { min(savedCount ?? 0, done.count) }

    /// An object's record before the step that grows has touched it, when rules and inverses had nothing more to do with it then; nil when it has not been
    /// touched, or was not there.
    func settledImage(of object: any LiveModel) -> [UInt8]? {
        guard let entry = open?.entry(object), entry.wasPending, entry.wasRestored else { return nil }
        return entry.before
    }

    /// An object's record before the step that grows; nil when the step has not touched it, or it was not there.
    func imageBeforeOpenStep(of object: any LiveModel) -> [UInt8]? { open?.entry(object)?.before }

    /// Whether an object of the context was there before the step that grows.
    func wasThereBeforeOpenStep(_ object: any LiveModel) -> Bool { open?.entry(object).map { $0.before != nil } ?? true }

    func isTouchedByOpenStep(_ object: any LiveModel) -> Bool { open?.knows(object) ?? false }

    /// The objects of all steps, by their keys.
    var objects: [ObjectKey: any LiveModel] {
        Dictionary(
            (done + undone).flatMap(\.entries).map { ($0.object.contextKey, $0.object) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether there is something to undo, a step that still grows included.
    var canUndo: Bool { !done.isEmpty || hasOpenChanges }

    // MARK: Steps

    /// Whether a property is being changed in place, so that its object has no record that could be kept: the step that grows goes on.
    private var isChangeUnderWay: Bool { context.domain.changesUnderWay > 0 }

    /// Begins a group, or one inside another that counts as a part of it; inside of a change in place, a part of the step that grows.
    func beginGroup(_ name: String?) {
        if open != nil, isInGroup || isChangeUnderWay { open?.depth += 1 } else { begin(OpenUndoStep(depth: 1, name: name)) }
    }

    /// Notes how objects are stored that were loaded when the step that grows had changed them already.
    func noteDerived(_ object: any LiveModel, from image: [UInt8]) { open?.note(object, loadedFrom: image) }

    /// Ends the group that was begun last.
    func endGroup() {
        guard let depth = open?.depth, depth > 0 else { return }
        open?.depth -= 1
        guard depth == 1 else { return }
        // The step of a change in place goes on, and what comes then is not the group's.
        if isChangeUnderWay { open?.name = nil } else { close() }
    }

    /// Lets a change that belongs to no group grow a step of its own.
    func touch(_ object: any LiveModel, before: () -> [UInt8]?) {
        if isApplying {
            if let settled, !settled.knows(object) { self.settled?.add(object, before: before()) }
            return
        }
        if open == nil { begin(OpenUndoStep(depth: 0, name: nil)) }
        if open?.knows(object) ?? true { return }
        open?.add(object, before: before())
        object.live.isRestored = false
    }

    private func begin(_ step: OpenUndoStep) {
        close()
        open = step
        watchAll()
    }

    /// Lets the context, and with it the history, be told of the next change of each object.
    func watchAll() { context.domain.beginEpoch() }

    /// Ends the step that grows, if there is one and no change in place is under way.
    func close() {
        guard open != nil, !isChangeUnderWay else { return }
        let entries = settledEntries()
        guard var last = open else { return }
        open = nil
        watchAll()
        note(entries)
        last.endPart(entries)
        let isKept = keep(last.step)
        if saving?.group?.isOpen ?? false { saving?.group?.end(entries, isKept: isKept, isIncomplete: last.isIncomplete) }
    }

    /// Adds a step that can be undone, unless it changes nothing; the oldest goes when there are too many. Those that were undone cannot be redone any more.
    ///
    /// - Parameter isSaved: whether everything is saved once it is done.
    /// - Returns: whether it was added.
    @discardableResult
    func keep(_ step: UndoStep, isSaved: Bool = false) -> Bool {
        if step.isEmpty { return false }
        if let savedCount, savedCount > done.count { self.savedCount = nil }
        undone.removeAll()
        if joinsLast, let joined = joinedToLast(step) {
            done.removeLast()
            if !joined.isEmpty { done.append(joined) }
            return true
        }
        done.append(step)
        if isSaved { savedCount = done.count }
        dropOldest()
        return true
    }

    /// Ends the step that grows, unless it is a group.
    func endStepOutsideGroup() { if !isInGroup { close() } }

    /// The last step with another one behind it; nil where a save has stored the last one, or there is none.
    private func joinedToLast(_ step: UndoStep) -> UndoStep? {
        guard done.count > firstUnsaved, let last = done.last, !last.isSaved else { return nil }
        var parts = StepParts()
        parts.append(last.entries)
        parts.append(step.entries)
        var joined = parts.step(last.name)
        joined.isIncomplete = last.isIncomplete || step.isIncomplete
        return joined
    }

    /// Forgets the oldest steps when there are too many.
    func dropOldest() {
        let excess = done.count - limit
        guard excess > 0 else { return }
        done.removeFirst(excess)
        savedCount = savedCount.flatMap { $0 < excess ? nil : $0 - excess }
        saving?.dropOldest(excess)
        discarded = discarded.mapValues { $0 - excess }
    }

    /// What the step that grows has changed since it was saved last, with what rules and inverses make of it.
    func settledEntries() -> [UndoEntry] {
        context.settle()
        var entries: [UndoEntry] = []
        for var entry in open?.touched ?? [] {
            entry.after = image(entry.object)
            entry.isRestored = entry.object.live.isRestored
            if entry.before == entry.after {
                entry.object.live.isRestored = entry.wasRestored
            } else {
                entries.append(entry)
            }
        }
        return entries
    }

    /// Forgets all steps; inside of a change in place but the one that grows, which has what the changed object was.
    func removeAll() {
        if !isChangeUnderWay {
            open = nil
            watchAll()
        }
        savedPart = nil
        done = []
        undone = []
        savedCount = nil
        lastImages = [:]
        saving?.forget()
    }

    /// Notes how a step left its objects.
    func note(_ entries: [UndoEntry]) {
        for entry in entries { lastImages[key(of: entry.object)] = .some(entry.after) }
    }

    /// The key of an object's record, whatever its id has become. One that has left may be another context's, whose place means nothing here.
    func key(of object: any LiveModel) -> ObjectKey {
        object.live.domain === context.domain ? context.key(of: object) : object.contextKey
    }

    /// The object's record as it is now; nil when it is not there.
    func image(_ object: any LiveModel) -> [UInt8]? {
        guard object.live.domain === context.domain, [.inserted, .clean, .changed].contains(object.live.status) else { return nil }
        do {
            return try context.encoded(object)
        } catch {
            // What cannot be encoded cannot be saved; the step is undone without it.
            context.report(error)
            return nil
        }
    }
}
