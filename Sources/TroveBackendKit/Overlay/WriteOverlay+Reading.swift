import TroveStorage

extension WriteOverlay {
    /// Announces keys; see ``StorageReader/prefetch(_:in:)``.
    public func prefetch(_ keys: [[UInt8]], in keyspace: Keyspace) {
        let changed = changes[keyspace]
        announced.announce(changed.map { changed in keys.filter { changed[$0] == nil } } ?? keys, in: keyspace)
    }

    /// Calls `body` with the value of `key`; returns whether there is one.
    public func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        let copy = [UInt8](copying: key)
        if let change = changes[keyspace]?[copy] { return try give(change.value, body) }
        switch try announced.answer(copy, in: keyspace) {
        case .value(let value): return try give(value, body)
        case .unknown: return try base.get(key, in: keyspace, body)
        }
    }

    private func give(_ value: [UInt8]?, _ body: (RawSpan) throws -> Void) throws -> Bool {
        guard let value else { return false }
        try body(value.span.bytes)
        return true
    }

    /// Looks up many keys, with one fetch for those that are not known; see ``StorageReader/getMany(_:in:_:)``.
    public func getMany(
        _ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep
    ) throws {
        let changed = changes[keyspace]
        let keys = (0..<keys.count).map { keys[$0] }
        let unchanged = changed.map { changed in keys.filter { changed[$0] == nil } } ?? keys
        let values = unchanged.isEmpty ? [] : try announced.answers(unchanged, in: keyspace)
        var next = 0
        for (position, key) in keys.enumerated() {
            var value: [UInt8]?
            if let change = changed?[key] {
                value = change.value
            } else {
                value = values[next]
                next += 1
            }
            let step = if let value { try body(position, value.span.bytes) } else { try body(position, nil) }
            if step == .stop { return }
        }
    }

    /// Calls `body` with each entry of `range`; see ``StorageReader/scan(_:in:order:expecting:_:)``. The store is asked for pages.
    public func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int? = nil,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        let walk = OverlayWalk(self, range, in: keyspace, order: order, expecting: count)
        while try walk.next() {
            let (key, value) = (walk.key, walk.value)
            if try body(key.span.bytes, value.span.bytes) == .stop { return }
            try check(keyspace)
        }
    }

    /// Calls `body` with each key of `range`; see ``StorageReader/scanKeys(_:in:order:expecting:_:)``.
    public func scanKeys(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int? = nil, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws {
        let walk = OverlayWalk(self, range, in: keyspace, order: order, expecting: count, isForKeys: true)
        while try walk.next() {
            let key = walk.key
            if try body(key.span.bytes) == .stop { return }
            try check(keyspace)
        }
    }

    /// A cursor that sees the changes.
    public func cursor(in keyspace: Keyspace) -> any StorageCursor { OverlayCursor(self, keyspace) }

    /// The number of entries in `range`. Where keys were put or removed unseen, asks in one fetch whether the store has them.
    public func count(of range: KeyRange = .all, in keyspace: Keyspace) throws -> Int {
        if range.isEmpty { return 0 }
        try learnPresence(range, in: keyspace)
        var count = range == .all ? try base.count(in: keyspace) : try base.count(of: range, in: keyspace)
        changes[keyspace]?.forEach(in: range) { change in
            switch (change.value != nil, change.inBase == .present) {
            case (true, false): count += 1
            case (false, true): count -= 1
            default: break
            }
        }
        return count
    }

    /// Finds out of each changed key of a range whether the store has it.
    func learnPresence(_ range: KeyRange, in keyspace: Keyspace) throws {
        var unknown: [OrderedChanges.Change] = []
        changes[keyspace]?.forEach(in: range) { if $0.inBase == .unknown { unknown.append($0) } }
        if unknown.isEmpty { return }
        try base.getMany(unknown.map(\.key), in: keyspace) { position, value in
            unknown[position].inBase = value == nil ? .absent : .present
        }
        for change in unknown { changes[keyspace]?.set(change) }
    }
}
