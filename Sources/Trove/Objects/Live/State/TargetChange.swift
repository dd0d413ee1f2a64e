/// What a relationship points at after a change and not before, and the other way round; each object once.
@usableFromInline struct TargetChange<Target: LiveModel> {
    @usableFromInline var removed: [Reference<Target>] = []
    @usableFromInline var added: [Reference<Target>] = []

    @inlinable init(from old: [Reference<Target>], to new: [Reference<Target>]) {
        if old.count <= 1, new.count <= 1 {
            if old != new { (removed, added) = (old, new) }
            return
        }
        // Most changes of long lists are in one place: what is the same before and behind it need not be looked at further.
        let shorter = min(old.count, new.count)
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = zip(old.reversed(), new.reversed()).prefix(shorter - start).prefix { $0 == $1 }.count
        let gone = old[start..<(old.count - end)]
        let come = new[start..<(new.count - end)]
        let known = Set(come)
        // An object may be there several times, and elsewhere still.
        let isElsewhere = { (reference: Reference<Target>) in
            new[..<start].contains(reference) || new[(new.count - end)...].contains(reference)
        }
        if gone.count * (start + end) < 1_000 {
            removed = Self.once(gone) { !known.contains($0) && !isElsewhere($0) }
        } else {
            let all = Set(new)
            removed = Self.once(gone) { !all.contains($0) }
        }
        let former = Set(gone)
        added = Self.once(come) { !former.contains($0) }
    }

    @inlinable static func once(_ references: ArraySlice<Reference<Target>>, _ isIncluded: (Reference<Target>) -> Bool) -> [Reference<Target>] {
        var seen: Set<Reference<Target>> = []
        return references.filter { isIncluded($0) && seen.insert($0).inserted }
    }
}
