/// What the cut of a save has of the steps to undo: those that end while the save is under way are not in it.
struct CutSteps {
    /// The positions of the steps that were done and that no save had stored. Steps that were dropped since as the oldest have positions below zero.
    private(set) var steps: Range<Int>
    /// The group that was open; its step comes behind these.
    var group: CutGroup?
    /// The objects that steps had touched since the last save, as these had left them.
    private(set) var images: [ObjectKey: [UInt8]?]

    init(steps: Range<Int>, group: CutGroup?, images: [ObjectKey: [UInt8]?]) {
        (self.steps, self.group, self.images) = (steps, group, images)
    }

    /// The positions of the steps that are still there.
    var positions: Range<Int> { max(0, steps.lowerBound)..<max(0, steps.upperBound) }

    /// The position of the last step; nil when there is none.
    var last: Int? {
        if let group, !group.parts.isEmpty { return steps.upperBound }
        return steps.isEmpty ? nil : steps.upperBound - 1
    }

    /// Whether there is a group that still goes on.
    var isGroupOpen: Bool { group?.isOpen ?? false }

    /// Whether something is noted of an object.
    func concerns(_ object: any LiveModel, _ key: ObjectKey) -> Bool { images[key] != nil || group?.parts.concerns(object, key) ?? false }

    /// Changes how steps have left an object.
    mutating func mapImages(of object: any LiveModel, _ key: ObjectKey, _ body: ([UInt8]?) throws -> [UInt8]?) rethrows {
        if let image = images[key] { images[key] = .some(try body(image)) }
        try group?.parts.mapImages(of: object, key, body)
    }

    /// Forgets what the saves of the group did to a record that others have deleted.
    mutating func dropEffects(on key: ObjectKey) { group?.parts.dropEffects(on: key) }

    /// The oldest steps are no longer there.
    mutating func dropOldest(_ count: Int) { steps = steps.lowerBound - count..<steps.upperBound - count }

    /// All steps are forgotten.
    mutating func forget() { self = CutSteps(steps: 0..<0, group: nil, images: [:]) }
}

/// A group of which a save has stored what it had changed so far.
struct CutGroup {
    let name: String?
    /// What it had changed, with what the save did beside it.
    var parts: StepParts
    private(set) var isOpen = true
    /// Whether its step was kept when it ended.
    private(set) var isKept = false
    /// What it has changed since the cut.
    private var rest: [UndoEntry] = []
    /// See ``UndoStep/isIncomplete``.
    private var isIncomplete = false

    init(name: String?, parts: StepParts) { (self.name, self.parts) = (name, parts) }

    mutating func end(_ rest: [UndoEntry], isKept: Bool, isIncomplete: Bool) {
        (isOpen, self.isKept, self.rest, self.isIncomplete) = (false, isKept, rest, isIncomplete)
    }

    /// Its step, once it has ended.
    var step: UndoStep {
        var parts = parts
        parts.append(rest)
        var step = parts.step(name)
        step.isIncomplete = isIncomplete
        return step
    }
}
