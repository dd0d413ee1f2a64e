/// A step that still grows.
struct OpenUndoStep {
    /// The groups that are open, one inside the other; none in a step that nobody opened, which ends with the next one.
    var depth: Int
    var name: String?
    /// What was changed since the last save.
    private(set) var touched: [UndoEntry] = []
    /// What saves have stored of the step.
    var parts = StepParts()
    /// See ``UndoStep/isIncomplete``.
    private(set) var isIncomplete = false
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
        let live = object.live
        let isAsStored = live.status == .clean || before == nil
        touched.append(UndoEntry(object: object, before: before, after: nil, wasRestored: live.isRestored || isAsStored, wasPending: !isAsStored))
    }

    /// The step, once it has ended.
    var step: UndoStep {
        var step = parts.step(name)
        step.isIncomplete = isIncomplete
        return step
    }

    /// Notes anew how an object was before the step, whose changes were taken back.
    mutating func restart(_ object: any LiveModel, from image: [UInt8]?) {
        guard let place = places[ObjectIdentifier(object)] else { return }
        touched[place] = UndoEntry(object: object, before: image, after: nil, wasRestored: true)
    }

    /// Lets rules and inverses look at its objects again, as what they made of them was taken back in part.
    mutating func unsettle() {
        isIncomplete = true
        for place in touched.indices where touched[place].wasPending { touched[place].wasRestored = false }
    }

    /// Changes what is noted of how objects were before the step.
    mutating func mapBefore(_ body: (UndoEntry) throws -> [UInt8]?) rethrows {
        for place in touched.indices { touched[place].before = try body(touched[place]) }
    }

    /// Changes what is noted of how an object was before the step.
    mutating func mapBefore(of object: any LiveModel, _ body: ([UInt8]?) throws -> [UInt8]?) rethrows {
        guard let place = places[ObjectIdentifier(object)] else { return }
        touched[place].before = try body(touched[place].before)
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
    /// Whether changes of objects were taken back that belonged to it or to steps beside it: it may lack one side of a link, and rules and inverses have the
    /// last word when it is undone or redone.
    var isIncomplete = false

    /// Whether nothing is otherwise than before the step.
    var isEmpty: Bool { entries.isEmpty && sideEffects.isEmpty }

    var reversed: UndoStep { UndoStep(name: name, entries: entries.reversed().map(\.reversed), isSaved: isSaved, isIncomplete: isIncomplete) }
}

/// What a step has changed, in the parts into which saves divide it while its group is open.
struct StepParts {
    private var entries: [UndoEntry] = []
    /// Where an object is among the entries, and in which parts it was changed first and last.
    private var places: [ObjectIdentifier: (entry: Int, first: Int, last: Int)] = [:]
    /// What saves did beside the parts before them, each with the number of these.
    private var effects: [(effect: SideEffect, part: Int)] = []
    /// The records of these, as there may be many, and each object that is read again is looked for.
    private var affected: Set<ObjectKey> = []
    private var count = 0

    var isEmpty: Bool { entries.isEmpty && effects.isEmpty }

    /// The objects that were changed.
    var objects: some Sequence<any LiveModel> { entries.lazy.map(\.object) }

    mutating func append(_ part: [UndoEntry]) {
        for entry in part {
            let object = ObjectIdentifier(entry.object)
            if let known = places[object] {
                entries[known.entry].after = entry.after
                entries[known.entry].isRestored = entry.isRestored
                places[object]?.last = count
            } else {
                places[object] = (entries.count, count, count)
                entries.append(entry)
            }
        }
        count += 1
    }

    /// Whether something is noted of an object.
    func concerns(_ object: any LiveModel, _ key: ObjectKey) -> Bool {
        places[ObjectIdentifier(object)] != nil || affected.contains(key)
    }

    /// Changes how an object was before and after the parts, and what saves did to it.
    mutating func mapImages(of object: any LiveModel, _ key: ObjectKey, _ body: ([UInt8]?) throws -> [UInt8]?) rethrows {
        if let place = places[ObjectIdentifier(object)]?.entry {
            entries[place].before = try body(entries[place].before)
            entries[place].after = try body(entries[place].after)
        }
        guard affected.contains(key) else { return }
        for place in effects.indices where effects[place].effect.key == key {
            effects[place].effect.before = try body(effects[place].effect.before) ?? effects[place].effect.before
            effects[place].effect.after = try body(effects[place].effect.after)
        }
    }

    /// Forgets what saves did to a record that others have deleted since: bringing back what it was would bring it back.
    mutating func dropEffects(on key: ObjectKey) {
        guard affected.remove(key) != nil else { return }
        effects.removeAll { $0.effect.key == key }
    }

    /// Notes what the save after the last part did beside it.
    mutating func note(_ effect: SideEffect) {
        effects.append((effect, count))
        affected.insert(effect.key)
    }

    /// All parts as one step, of which what is as it was is left out.
    func step(_ name: String?, isSaved: Bool = false) -> UndoStep {
        var step = UndoStep(name: name, entries: entries, isSaved: isSaved)
        let known = Dictionary(entries.map { ($0.object.contextKey, ObjectIdentifier($0.object)) }, uniquingKeysWith: { first, _ in first })
        var isRestored: Set<ObjectIdentifier> = []
        for (effect, part) in effects {
            guard let object = known[effect.key], let place = places[object] else {
                step.sideEffects.append(effect)
                continue
            }
            // What the save did lies before what was changed later, and behind what was changed sooner. Of several saves
            // the first came upon the record as it was.
            if place.first >= part, isRestored.insert(object).inserted { step.entries[place.entry].before = effect.before }
            if place.last < part { step.entries[place.entry].after = effect.after }
        }
        step.entries.removeAll { $0.before == $0.after }
        return step
    }
}

/// What a save did to a record beside the objects that were changed, by a delete rule or an inverse.
struct SideEffect {
    let key: ObjectKey
    let type: any LiveModel.Type
    /// The record before, in the current layout.
    var before: [UInt8]
    /// The record after; nil when it was deleted.
    var after: [UInt8]?
    /// What refers to the record.
    let reference: AnyReference
}

/// Finds what the side effects of a save follow from, as was noted when each came about.
struct SideEffectCauses {
    private let causes: [AnyReference: AnyReference]

    init(_ changes: [RecordChange]) {
        causes = Dictionary(changes.compactMap { change in change.cause.map { (change.reference, $0) } }, uniquingKeysWith: { first, _ in first })
    }

    /// The nearest record of those that are meant from which rules and inverses came to this one; nil when there is none.
    func cause(of reference: AnyReference, where isMeant: (AnyReference) -> Bool) -> AnyReference? {
        var met: Set<AnyReference> = []
        var next = causes[reference]
        while let cause = next, met.insert(cause).inserted {
            if isMeant(cause) { return cause }
            next = causes[cause]
        }
        return nil
    }
}
