/// What the pending objects of one class have in its unique indexes, beside what is stored.
///
/// So a new object is compared with those that are not saved without writing these first. An object that no other change has touched since it was looked at is
/// not looked at again.
struct UniqueClaims {
    let indexes: [IndexBinding]
    /// The objects that have a value, the last one last. Two have it when a save would be refused.
    private var claimants: [UniqueValue: [ObjectKey]] = [:]
    /// What each object has that is looked at; a deleted one has nothing.
    private var values: [ObjectKey: (object: ObjectIdentifier, values: [UniqueValue])] = [:]
    /// The `changeCount` of each pending object when it was looked at, those of other classes among them, by its place among the pending ones.
    private var seen: [UInt64] = []

    init(_ indexes: [IndexBinding]) { self.indexes = indexes }

    /// What the records of a transaction tell that shows these pending objects: only what changes from now on counts beside them.
    init(_ indexes: [IndexBinding], shown pending: [PendingObject]) {
        self.indexes = indexes
        seen = pending.map(\.changeCount)
    }

    /// The object that has a value.
    ///
    /// - Parameters:
    ///   - stored: the one whose record has it.
    ///   - other: one that does not count.
    func owner(of value: UniqueValue, stored: ObjectKey?, otherThan other: ObjectKey) -> ObjectKey? {
        if let last = claimants[value]?.last(where: { $0 != other }) { return last }
        guard let stored, stored != other, values[stored] == nil else { return nil }
        return stored
    }

    /// Looks at the pending objects that have changed since it looked last.
    ///
    /// - Parameters:
    ///   - onlyNew: whether those are left out at which it has looked.
    ///   - tell: what one has in the indexes; nil for one that is as its record, or in no context any more.
    mutating func update<Object: LiveModel>(
        _ type: Object.Type, _ pending: [PendingObject], onlyNew: Bool = false, _ tell: (Object) throws -> [UniqueValue]?
    ) rethrows {
        for place in (onlyNew ? min(seen.count, pending.count) : 0)..<pending.count {
            let changeCount = pending[place].changeCount
            if place < seen.count, seen[place] == changeCount { continue }
            if let object = pending[place].object as? Object, Swift.type(of: object) == type {
                set(object.contextKey, of: ObjectIdentifier(object), try tell(object))
            }
            if place < seen.count { seen[place] = changeCount } else { seen.append(changeCount) }
        }
    }

    /// Looks at one object again.
    mutating func update(_ object: some LiveModel, _ values: [UniqueValue]?) { set(object.contextKey, of: ObjectIdentifier(object), values) }

    private mutating func set(_ key: ObjectKey, of object: ObjectIdentifier, _ new: [UniqueValue]?) {
        // Another one may have come with the id of one that has left, and that changes still.
        if new == nil, let known = values[key], known.object != object { return }
        for value in values[key]?.values ?? [] {
            claimants[value]?.removeAll { $0 == key }
            if claimants[value]?.isEmpty ?? false { claimants[value] = nil }
        }
        values[key] = new.map { (object, $0) }
        for value in new ?? [] { claimants[value, default: []].append(key) }
    }
}
