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

    /// Those under the name of a model or a collection, in their order.
    func elements(under name: String) -> [AnyReference] {
        slots.compactMap { slot in slot.flatMap { $0.modelName.hasBytes(of: name) ? $0 : nil } }
    }

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

    /// Puts others in the place of some members; one that is there twice then stays where it comes first.
    mutating func replace(_ moves: [AnyReference: AnyReference]) {
        if moves.keys.contains(where: contains) { self = MemberList(elements.map { moves[$0] ?? $0 }) }
    }
}

extension MemberList: Equatable {
    static func == (left: MemberList, right: MemberList) -> Bool {
        left.count == right.count && left.elements == right.elements
    }
}

extension MemberList {
    /// What becomes of a list that was changed in two places at once, as ``ListMerge`` tells.
    ///
    /// - Parameters:
    ///   - base: the list both began with.
    ///   - other: the other list.
    func merged(from base: MemberList, with other: MemberList) -> MemberList {
        MemberList(ListMerge(own: elements, base: base.elements, other: other.elements).merged())
    }
}
