/// The members of a bag in their order, each once.
///
/// Adding at the end, removing and asking for a member take constant time on average.
struct MemberList: Sendable {
    /// The members in order; nil where one was removed.
    private var slots: [AnyReference?] = []
    /// Where in the slots each member is.
    private var places: [AnyReference: Int] = [:]

    init() {}

    /// The elements in their order, of which each counts where it comes first.
    init(_ elements: some Sequence<AnyReference>) {
        for element in elements { append(element) }
    }

    var count: Int { places.count }

    var elements: [AnyReference] { slots.compactMap(\.self) }

    func contains(_ member: AnyReference) -> Bool { places[member] != nil }

    /// Adds a member at the end, unless it is there already; returns whether it was new.
    @discardableResult
    mutating func append(_ member: AnyReference) -> Bool {
        guard places[member] == nil else { return false }
        places[member] = slots.count
        slots.append(member)
        return true
    }

    /// Puts a member, which may be there already, at a position of the list without it; one behind the end is the end.
    mutating func place(_ member: AnyReference, at position: Int) {
        remove(member)
        var elements = elements
        elements.insert(member, at: min(max(position, 0), elements.count))
        self = MemberList(elements)
    }

    /// Removes a member; returns whether it was there.
    @discardableResult
    mutating func remove(_ member: AnyReference) -> Bool {
        guard let place = places.removeValue(forKey: member) else { return false }
        slots[place] = nil
        if slots.count > 2 * places.count + 16 { self = MemberList(elements) }
        return true
    }
}

extension MemberList: Equatable {
    static func == (left: MemberList, right: MemberList) -> Bool {
        left.count == right.count && left.elements == right.elements
    }
}

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
