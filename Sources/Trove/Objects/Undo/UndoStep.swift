/// A step that still grows.
struct OpenUndoStep {
    /// The groups that are open, one inside the other; none in a step that nobody opened, which ends with the next one.
    var depth: Int
    let name: String?
    /// What was changed since the last save.
    private(set) var touched: [UndoEntry] = []
    /// What saves have stored of the step.
    var parts = StepParts()
    private var places: [ObjectIdentifier: Int] = [:]

    init(depth: Int, name: String?) {
        self.depth = depth
        self.name = name
    }

    func knows(_ object: any LiveModel) -> Bool { places[ObjectIdentifier(object)] != nil }

    /// What is noted of an object.
    func entry(_ object: any LiveModel) -> UndoEntry? { places[ObjectIdentifier(object)].map { touched[$0] } }

    /// Notes an object as it was before the step.
    mutating func add(_ object: any LiveModel, before: [UInt8]?) {
        places[ObjectIdentifier(object)] = touched.count
        let live = object._$live
        let isAsStored = live.status == .clean || before == nil
        touched.append(UndoEntry(object: object, before: before, after: nil, wasRestored: live.isRestored || isAsStored, wasPending: !isAsStored))
    }

    /// Ends what has grown since the last save, with these entries.
    mutating func endPart(_ entries: [UndoEntry]) {
        parts.append(entries)
        (touched, places) = ([], [:])
    }

    /// Notes how an object was before the step that was loaded when the step had changed it already.
    mutating func note(_ object: any LiveModel, loadedFrom image: [UInt8]) {
        if let place = places[ObjectIdentifier(object)] {
            touched[place].before = image
            touched[place].wasPending = false
        } else {
            places[ObjectIdentifier(object)] = touched.count
            touched.append(UndoEntry(object: object, before: image, after: nil, wasRestored: true))
        }
    }
}

/// What one step did to one object: its record before and after, in the current layout of its model; nil where the object was not there.
struct UndoEntry {
    let object: any LiveModel
    var before: [UInt8]?
    var after: [UInt8]?
    /// The object's ``_LiveObjectState/isRestored`` before and after.
    var wasRestored = false
    var isRestored = false
    /// Whether it was to be saved before the step already.
    var wasPending = false

    /// The way back.
    var reversed: UndoEntry {
        UndoEntry(object: object, before: after, after: before, wasRestored: isRestored, isRestored: wasRestored)
    }
}

/// Changes that are undone and redone together.
struct UndoStep {
    let name: String?
    /// The objects that were changed, each once, in the order in which they were first.
    var entries: [UndoEntry]
    /// What the save after the step did beside them.
    var sideEffects: [SideEffect] = []
    /// Whether a save has stored the step, and so has done what rules and inverses ask: the entries and side effects are all that changed.
    var isSaved = false

    /// Whether nothing is otherwise than before the step.
    var isEmpty: Bool { entries.isEmpty && sideEffects.isEmpty }

    var reversed: UndoStep { UndoStep(name: name, entries: entries.reversed().map(\.reversed), isSaved: isSaved) }
}
