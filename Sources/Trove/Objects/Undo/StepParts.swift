/// What a step has changed, in the parts into which saves divide it while its group is open.
struct StepParts {
    private var entries: [UndoEntry] = []
    /// Where an object is among the entries, and in which parts it was changed first and last.
    private var places: [ObjectIdentifier: (entry: Int, first: Int, last: Int)] = [:]
    /// What saves did beside the parts before them, each with the number of these.
    private var effects: [(effect: SideEffect, part: Int)] = []
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

    /// Notes what the save after the last part did beside it.
    mutating func note(_ effect: SideEffect) { effects.append((effect, count)) }

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
            // What the save did lies before what was changed later, and behind what was changed sooner. Of several saves the first came upon the record as it was.
            if place.first >= part, isRestored.insert(object).inserted { step.entries[place.entry].before = effect.before }
            if place.last < part { step.entries[place.entry].after = effect.after }
        }
        step.entries.removeAll { $0.before == $0.after }
        return step
    }
}
