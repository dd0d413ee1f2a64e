import TroveStorage

/// The order of ids that are too long to be whole keys.
///
/// The key of such an id has its first bytes and a hash, so that records whose ids begin alike stand in no order. They are gathered as far as
/// they begin alike, and put into the order of their whole ids. Whole keys of nearly that length may stand among them.
extension ReadTransaction {
    /// Calls `body` with each record of a range, in the order of the ids, that is behind a place, until it returns ``ScanStep/stop``.
    ///
    /// - Parameter watch: asked while ids that begin alike are put into order; `body` asks it before each record.
    /// - Complexity: O(*n*); of ids that begin alike, all keys are in memory.
    func scanInIDOrder(
        _ range: KeyRange, of model: OpenModel, _ order: ScanOrder, behind start: ArraySlice<UInt8>?, _ watch: ReadWatch,
        _ body: (_ key: RawSpan, _ record: RawSpan) throws -> ScanStep
    ) throws {
        guard let keyspace = model.keyspace else { return }
        guard model.binding.hasLongIDs else { return try reader.scan(range.rest(order, afterID: start), in: keyspace, order: order, body) }
        try scanInIDOrder(range, in: keyspace, order, behind: start, watch, body)
    }

    /// As above for the records of a model that the program need not have.
    func scanInIDOrder(
        _ range: KeyRange, in keyspace: Keyspace, _ order: ScanOrder, behind start: ArraySlice<UInt8>?, _ watch: ReadWatch,
        _ body: (_ key: RawSpan, _ record: RawSpan) throws -> ScanStep
    ) throws {
        let range = range.rest(order, afterID: start)
        var group = KeyList()
        var step = ScanStep.next
        try reader.scan(range, in: keyspace, order: order) { key, record in
            if !group.isEmpty, !key.hasKeptBytes(of: group[0]) {
                step = try hand(group, in: keyspace, order, behind: start, watch, body)
                group.removeAll()
                if step == .stop { return .stop }
            }
            if key.byteCount >= RecordKey.keptSize {
                group.append(key)
                return .next
            }
            step = try body(key, record)
            return step
        }
        if step == .next, !group.isEmpty { _ = try hand(group, in: keyspace, order, behind: start, watch, body) }
    }

    private func hand(
        _ group: KeyList, in keyspace: Keyspace, _ order: ScanOrder, behind start: ArraySlice<UInt8>?, _ watch: ReadWatch,
        _ body: (_ key: RawSpan, _ record: RawSpan) throws -> ScanStep
    ) throws -> ScanStep {
        try sortedByID(group, in: keyspace, order, behind: start, watch).forEach { key in
            var step = ScanStep.next
            _ = try reader.get(key, in: keyspace) { step = try body(key, $0) }
            return step
        }
    }

    /// Keys, ascending as the engine has them, in the order of their ids; those alone that are behind a place.
    func sortedByID(_ keys: KeyList, of model: OpenModel, _ order: ScanOrder, behind start: ArraySlice<UInt8>?, _ watch: ReadWatch) throws -> KeyList {
        guard let keyspace = model.keyspace else { return KeyList() }
        return try sortedByID(keys, in: keyspace, order, behind: start, watch)
    }

    private func sortedByID(
        _ keys: KeyList, in keyspace: Keyspace, _ order: ScanOrder, behind start: ArraySlice<UInt8>?, _ watch: ReadWatch
    ) throws -> KeyList {
        var watch = watch
        var sorted = KeyList()
        var position = 0
        while position < keys.count {
            let end = keys.endOfGroup(from: position)
            if end - position == 1, keys.range(position).count <= RecordKey.maxWholeSize {
                if let start, keys[position][...].isUp(to: start, order) { position = end; continue }
                keys[position].withUnsafeBytes { sorted.append($0) }
            } else {
                var ids: [(id: [UInt8], key: [UInt8])] = []
                for key in position..<end {
                    try watch.step()
                    ids.append((try wholeKey(keys[key].span.bytes, in: keyspace), keys[key]))
                }
                if let start { ids.removeAll { $0.id[...].isUp(to: start, order) } }
                for (_, key) in ids.sorted(by: { $0.id.lexicographicallyPrecedes($1.id) }) { key.withUnsafeBytes { sorted.append($0) } }
            }
            position = end
        }
        if order == .descending { sorted.reverse() }
        return sorted
    }
}

extension ReadTransaction {
    /// Calls `body` with each record of a type, in the order of their keys ``StoredRecord/key``, until it sets `stop`.
    ///
    /// - Throws: ``TroveError/unknownType(_:known:)``; ``TroveError/corruptRecord(model:id:reason:)``; `CancellationError` when the task is cancelled.
    public func forEachStoredRecord(of modelName: String, _ body: (StoredRecord, _ stop: inout Bool) throws -> Void) throws {
        let reader = try reader
        guard !Catalogue.isReserved(modelName), let keyspace = try reader.keyspace(named: modelName) else {
            throw try unknownType(modelName)
        }
        var watch = watch
        try scanInIDOrder(.all, in: keyspace, .ascending, behind: nil, watch) { key, record in
            try watch.step()
            var stop = false
            try body(storedRecord(record, key: key), &stop)
            return stop ? .stop : .next
        }
    }
}

extension RecordKey {
    /// The engine's key of an id that was told by its bytes.
    static func key(ofID bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        bytes.count > maxWholeSize ? RecordKey([UInt8](bytes)).bytes : nil
    }
}

extension KeyRange {
    /// The part of the range in which the ids behind a place are; those that begin as the place's id does, in as many bytes as keys have, are in it too.
    fileprivate func rest(_ order: ScanOrder, afterID id: ArraySlice<UInt8>?) -> KeyRange {
        guard let id, id.count >= RecordKey.keptSize else { return rest(order, after: id) }
        let group = KeyRange.prefix(Array(id.prefix(RecordKey.keptSize)))
        switch order {
        case .ascending: return lower.lexicographicallyPrecedes(group.lower) ? KeyRange(from: group.lower, upTo: upper) : self
        case .descending:
            guard let end = group.upper, upper.map({ end.lexicographicallyPrecedes($0) }) ?? true else { return self }
            return KeyRange(from: lower, upTo: end)
        }
    }
}

extension KeyList {
    /// The position behind the keys that begin as the one at `start` does, in as many bytes as keys of long ids have of them.
    fileprivate func endOfGroup(from start: Int) -> Int {
        buffer.withUnsafeBytes { buffer in
            let first = buffer[range(start)]
            guard first.count >= RecordKey.keptSize else { return start + 1 }
            let kept = first.prefix(RecordKey.keptSize)
            var end = start + 1
            while end < count, buffer[range(end)].starts(with: kept) { end += 1 }
            return end
        }
    }
}

extension RawSpan {
    fileprivate func hasKeptBytes(of key: [UInt8]) -> Bool {
        withUnsafeBytes { $0.starts(with: key.prefix(RecordKey.keptSize)) }
    }
}

extension ArraySlice<UInt8> {
    /// Whether an id is that of a place, or before it in the order.
    fileprivate func isUp(to place: ArraySlice<UInt8>, _ order: ScanOrder) -> Bool {
        order == .ascending ? !place.lexicographicallyPrecedes(self) : !lexicographicallyPrecedes(place)
    }
}
