import TroveStorage

extension WriteOverlay {
    /// Stores an entry and replaces the one there.
    public func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) {
        let key = [UInt8](copying: key)
        set(key, [UInt8](copying: value), in: keyspace, inBase: changes[keyspace]?[key]?.inBase ?? .unknown)
    }

    /// Stores an entry unless the key is there; returns whether it was stored. Asks the store when the key is not known.
    public func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let key = [UInt8](copying: key)
        if let change = changes[keyspace]?[key] {
            if change.value != nil { return false }
            set(key, [UInt8](copying: value), in: keyspace, inBase: change.inBase)
            return true
        }
        if try isInBase(key, in: keyspace) { return false }
        set(key, [UInt8](copying: value), in: keyspace, inBase: .absent)
        return true
    }

    /// Removes an entry; returns whether there was one. Asks the store when the key is not known.
    public func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let key = [UInt8](copying: key)
        if let change = changes[keyspace]?[key] {
            setRemoved(key, in: keyspace, inBase: change.inBase)
            return change.value != nil
        }
        guard try isInBase(key, in: keyspace) else { return false }
        setRemoved(key, in: keyspace, inBase: .present)
        return true
    }

    /// Removes an entry, if there is one. Never asks the store.
    public func remove(_ key: RawSpan, in keyspace: Keyspace) {
        let key = [UInt8](copying: key)
        setRemoved(key, in: keyspace, inBase: changes[keyspace]?[key]?.inBase ?? .unknown)
    }

    /// Removes the entries of a range; returns how many there were.
    ///
    /// It asks for the keys of the range and remembers each of them. An engine that can delete a range itself does better with
    /// ``deleteRangeInBase(_:in:_:)``; what it deletes past the overlay would still be read here.
    public func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        if range.isEmpty { return 0 }
        var keys: [[UInt8]] = []
        try base.scanKeys(range, in: keyspace, order: .ascending, expecting: nil) { key in
            keys.append([UInt8](copying: key))
            return .next
        }
        var count = keys.count
        var changed: [OrderedChanges.Change] = []
        changes[keyspace]?.forEach(in: range) { changed.append($0) }
        let inBase = changed.isEmpty ? [] : Set(keys)
        for change in changed {
            switch (change.value != nil, inBase.contains(change.key)) {
            case (true, false): count += 1
            case (false, true): count -= 1
            default: break
            }
            changes[keyspace]?.remove(change.key)
        }
        for key in keys { setRemoved(key, in: keyspace, inBase: .present) }
        return count
    }

    private func set(_ key: [UInt8], _ value: [UInt8], in keyspace: Keyspace, inBase: OrderedChanges.Presence) {
        changes[keyspace, default: OrderedChanges()].set(.init(key: key, value: value, inBase: inBase))
    }

    /// What the store does not have need not be removed there.
    private func setRemoved(_ key: [UInt8], in keyspace: Keyspace, inBase: OrderedChanges.Presence) {
        if inBase == .absent {
            changes[keyspace]?.remove(key)
        } else {
            changes[keyspace, default: OrderedChanges()].set(.init(key: key, value: nil, inBase: inBase))
        }
    }

    /// Whether the store has an entry with a key that was not changed.
    private func isInBase(_ key: [UInt8], in keyspace: Keyspace) throws -> Bool {
        switch try announced.answer(key, in: keyspace) {
        case .value(let value): value != nil
        case .unknown: try base.contains(key, in: keyspace)
        }
    }
}
