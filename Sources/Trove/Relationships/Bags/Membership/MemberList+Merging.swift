extension MemberList {
    /// What becomes of a list that was changed in two places at once.
    ///
    /// It has what both have, what either added, and what neither removed. The order is that of the other list, or, when this one has put members that
    /// were there in another order, that of this one. What the one of them added whose order it is not stands before the member that it stood before, or
    /// at the end.
    ///
    /// - Parameters:
    ///   - base: the list both began with.
    ///   - other: the other list.
    ///   - readded: members of `base` that were added to this list once more; they count as added.
    func merged(from base: MemberList, with other: MemberList, readded: (AnyReference) -> Bool = { _ in false }) -> MemberList {
        if other == base { return self }
        let own = elements
        let others = other.elements
        let isReordered = own.filter(base.contains) != base.elements.filter(contains)
        func isAdded(_ member: AnyReference) -> Bool { !base.contains(member) || readded(member) }
        if isReordered {
            let kept = own.filter { other.contains($0) || isAdded($0) }
            return Self.inserting(others, into: kept) { !base.contains($0) }
        }
        let kept = others.filter { !base.contains($0) || contains($0) }
        return Self.inserting(own, into: kept, isAdded)
    }

    /// The list `kept` with those of `candidates` that it lacks and that are added, each before what it stood before.
    private static func inserting(
        _ candidates: [AnyReference], into kept: [AnyReference], _ isAdded: (AnyReference) -> Bool
    ) -> MemberList {
        let present = MemberList(kept)
        var waiting: [AnyReference] = []
        var before: [AnyReference: [AnyReference]] = [:]
        for candidate in candidates {
            if present.contains(candidate) {
                if !waiting.isEmpty { before[candidate] = waiting }
                waiting = []
            } else if isAdded(candidate) {
                waiting.append(candidate)
            }
        }
        var merged = MemberList()
        for member in kept {
            for added in before[member] ?? [] { merged.append(added) }
            merged.append(member)
        }
        for added in waiting { merged.append(added) }
        return merged
    }
}
