/// What becomes of a list that was changed in two places at once.
///
/// It has what both have and what either added: what either removed is out, wherever the other moved it. The order is that of the other list, or, when this one
/// has put elements that were there in another order, that of this one. What the one of them added whose order it is not stands before the element that it
/// stood before, or at the end.
struct ListMerge<Element: Hashable> {
    /// Each element is in a list once.
    let own: [Element]
    let base: [Element]
    let other: [Element]

    func merged() -> [Element] {
        if other == base { return own }
        let (ownSet, baseSet, otherSet) = (Set(own), Set(base), Set(other))
        func isAdded(_ element: Element) -> Bool { !baseSet.contains(element) }
        let isReordered = own.filter(baseSet.contains) != base.filter(ownSet.contains)
        if isReordered {
            let kept = own.filter { otherSet.contains($0) || isAdded($0) }
            return Self.inserting(other, into: kept, isAdded)
        }
        let kept = other.filter { isAdded($0) || ownSet.contains($0) }
        return Self.inserting(own, into: kept, isAdded)
    }

    /// The list `kept` with those of `candidates` that it lacks and that are added, each before what it stood before.
    private static func inserting(_ candidates: [Element], into kept: [Element], _ isAdded: (Element) -> Bool) -> [Element] {
        let present = Set(kept)
        var waiting: [Element] = []
        var before: [Element: [Element]] = [:]
        for candidate in candidates {
            if present.contains(candidate) {
                if !waiting.isEmpty { before[candidate] = waiting }
                waiting = []
            } else if isAdded(candidate) {
                waiting.append(candidate)
            }
        }
        return kept.flatMap { (before[$0] ?? []) + [$0] } + waiting
    }
}

extension ListMerge {
    /// The same of lists that have elements several times: the first, second … of equal ones are told apart.
    static func merged(_ own: [Element], from base: [Element], with other: [Element]) -> [Element] {
        func occurrences(_ list: [Element]) -> [Occurrence] {
            var counts: [Element: Int] = [:]
            return list.map { element in
                counts[element, default: 0] += 1
                return Occurrence(element: element, number: counts[element] ?? 1)
            }
        }
        return ListMerge<Occurrence>(own: occurrences(own), base: occurrences(base), other: occurrences(other)).merged().map(\.element)
    }

    private struct Occurrence: Hashable {
        let element: Element
        let number: Int
    }
}
