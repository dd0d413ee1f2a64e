/// Finds out in a save's transaction which objects somebody else changed, and what to do about them.
struct ConflictSettler {
    private static let batchSize = 1_024

    let cut: ChangeCut
    let policy: MergePolicy
    let transaction: WriteTransaction
    /// Whether somebody wants to know what was deleted.
    let keepsDeleted: Bool

    /// What is done otherwise than the cut says, and what is stored under the keys of its changes and deletions.
    ///
    /// - Throws: ``TroveError/conflict(model:id:object:stored:)``.
    func decisions() throws -> SaveDecisions {
        var decisions = SaveDecisions(cut)
        for positions in storedPositions() {
            for start in stride(from: 0, to: positions.count, by: Self.batchSize) {
                try decide(positions[start..<min(positions.count, start + Self.batchSize)], &decisions)
            }
        }
        return decisions
    }

    /// The positions of the entries whose objects have a record, those of each class together.
    private func storedPositions() -> [[Int]] {
        var positions: [[Int]] = []
        var places: [ObjectIdentifier: Int] = [:]
        // Mostly an object is of the class of the one before.
        var last: (type: ObjectIdentifier, place: Int)?
        for position in cut.entries.indices where cut.entries[position].kind == .change || cut.entries[position].kind == .deletion {
            let type = ObjectIdentifier(cut.entries[position].type)
            if last?.type != type {
                let place = places[type] ?? positions.count
                if place == positions.count { positions.append([]) }
                places[type] = place
                last = (type, place)
            }
            if let last { positions[last.place].append(position) }
        }
        return positions
    }

    /// Decides about objects of one class.
    private func decide(_ batch: ArraySlice<Int>, _ decisions: inout SaveDecisions) throws {
        let model = try transaction.open(cut.entries[batch[batch.startIndex]].type)
        var others: [(position: Int, stored: StoredVersion?)] = []
        if let keyspace = model.keyspace {
            var watch = transaction.watch
            try transaction.reader.getMany(cut.keys(of: batch), in: keyspace) { number, record in
                try watch.step()
                let position = batch[batch.startIndex + number]
                guard let record else {
                    others.append((position, nil))
                    return .next
                }
                if isKnown(record, at: position, model) {
                    note(record, at: position, &decisions)
                    return .next
                }
                others.append((position, try transaction.storedVersion(record, id: cut.wholeKey(of: cut.entries[position]), model)))
                return .next
            }
        } else {
            others = batch.map { ($0, nil) }
        }
        for (position, stored) in others {
            let entry = cut.entries[position]
            decisions.note(try settlement(entry, stored), stored?.storedBytes, image: entry.image, at: position)
        }
    }

    /// Whether a record is as the context read or saved it, as nearly all are, and nothing of it has to be kept. A shortened key may be another id's.
    private func isKnown(_ record: RawSpan, at position: Int, _ model: OpenModel) -> Bool {
        // An entry is looked at where it is: a copy of it is half a dozen reference counts for every object.
        !model.binding.keepsStoredValues && cut.entries[position].longKey == nil && RecordVersion.of(record) == cut.entries[position].version
    }

    /// Takes down a record that is as the context knows it.
    private func note(_ record: RawSpan, at position: Int, _ decisions: inout SaveDecisions) {
        if cut.entries[position].kind == .deletion, !keepsDeleted {
            decisions.noteUnread(at: position)
        } else if let image = cut.entries[position].image, record.compare(to: image.span.bytes) == 0 {
            decisions.noteStored(image, at: position)
        } else {
            decisions.noteStored([UInt8](copying: record), at: position)
        }
    }

    /// What is done about an object that is inserted and whose id is taken; nil to store it all the same.
    ///
    /// - Throws: ``TroveError/alreadyExists(model:id:)``.
    func settleInsertion(_ entry: ChangeCut.Entry) throws -> SettledInsertion? {
        if case .error = policy { throw entry.object.existsAlready }
        guard let stored = try transaction.storedVersions(of: [cut.wholeKey(of: entry)], entry.type)[0] else {
            throw TroveError.keyCollision(model: entry.type.schema.name, id: entry.object.shownID)
        }
        return SettledInsertion(settlement: try resolve(entry, stored), stored: stored.storedBytes)
    }

    private func settlement(_ entry: ChangeCut.Entry, _ stored: StoredVersion?) throws -> Settlement? {
        // What is deleted on both sides is no conflict.
        if stored == nil, entry.kind == .deletion { return nil }
        let isOther = stored?.version != entry.version
        if isOther, try !isRewritten(stored, entry) { return try resolve(entry, stored) }
        guard entry.kind == .change, let stored else { return nil }
        // Where a program in which a lazy property is plain has stored it anew, the value lies in that record alone.
        let own = try isOther ? mended(entry, stored) : nil
        return try kept(own ?? cut.record(of: entry), entry, stored)
    }

    /// Whether a record is stored anew with the values that the object's changes are changes of: in the present layout, by an upgrade after the cut or by
    /// another program.
    private func isRewritten(_ stored: StoredVersion?, _ entry: ChangeCut.Entry) throws -> Bool {
        guard let stored, let image = entry.image else { return false }
        if stored.bytes == image { return true }
        // A lazy value may be whole in one of them and apart in the other.
        guard try !transaction.open(entry.type).binding.layout.lazyFields.isEmpty else { return false }
        let (now, before) = (try record(stored.bytes, entry), try record(image, entry))
        return !now.fieldNames.contains { now.differs(from: before, in: $0) }
    }

    private func resolve(_ entry: ChangeCut.Entry, _ stored: StoredVersion?) throws -> Settlement {
        let conflict = try conflict(entry, stored)
        let resolution: MergeResolution =
            switch policy {
            case .error: .fail
            case .storeWins: .storeWins
            case .objectWins: .objectWins
            case .byProperty: .byProperty
            case .custom(let resolve): try resolve(conflict)
            }
        switch resolution {
        case .fail:
            // Who is told of it looks at the object when the transaction is over.
            let object = try conflict.object?.holding { cut.annexes[$0] }
            throw TroveError.conflict(model: conflict.model, id: conflict.id, object: object, stored: conflict.stored)
        case .storeWins: return .keep(stored)
        case .delete: return .delete
        case .objectWins: return entry.kind == .deletion ? .delete : try objectWins(entry, stored)
        case .use(let record): return try writing(image(record, entry), entry, stored)
        case .byProperty:
            guard entry.kind != .deletion else { return .keep(stored) }
            guard let base = conflict.base, let object = conflict.object, let theirs = conflict.stored else { return try writing(nil, entry, stored) }
            return try writing(image(theirs.merging(changesFrom: base, to: object, of: entry.type), entry), entry, stored)
        }
    }

    /// Stores the object as a whole over the stored one, with what that keeps by its fields' options.
    func objectWins(_ entry: ChangeCut.Entry, _ stored: StoredVersion?) throws -> Settlement { try writing(mended(entry, stored), entry, stored) }

    /// Stores a record, or the cut's own, over the stored one with what that keeps by its fields' options.
    private func writing(_ image: [UInt8]?, _ entry: ChangeCut.Entry, _ stored: StoredVersion?) throws -> Settlement {
        guard let stored else { return .write(image) }
        return try kept(image ?? cut.record(of: entry), entry, stored) ?? .write(nil)
    }

    private func conflict(_ entry: ChangeCut.Entry, _ stored: StoredVersion?) throws -> SaveConflict {
        var base = try entry.kind == .change ? entry.image.map { try record($0, entry) } : nil
        var object = try entry.kind == .deletion ? nil : record(cut.record(of: entry), entry)
        let theirs = try stored.map { try record($0.bytes, entry) }
        if let theirs {
            // A lazy value that the context has not read and somebody else has replaced is nowhere any more; so it is no difference.
            for field in try lostLazyFields(entry) {
                object?.copy(field, from: theirs)
                base?.copy(field, from: theirs)
            }
        }
        return SaveConflict(model: entry.type.schema.name, id: entry.object.shownID, base: base, object: object, stored: theirs)
    }

    /// The fields of an object whose lazy values nobody has any more.
    private func lostLazyFields(_ entry: ChangeCut.Entry) throws -> [String] {
        if entry.kind == .deletion { return [] }
        let model = try transaction.open(entry.type)
        return try cut.record(of: entry).withUnsafeBytes { try transaction.lostLazyFields(of: $0, key: RecordKey(cut.wholeKey(of: entry)).bytes, model) }
    }

    /// The object's record with the lazy values of the stored one where it has lost its own; nil when it has them all.
    private func mended(_ entry: ChangeCut.Entry, _ stored: StoredVersion?) throws -> [UInt8]? {
        guard let stored else { return nil }
        let model = try transaction.open(entry.type)
        return try cut.record(of: entry).withUnsafeBytes {
            try transaction.takingOver(stored.bytes, in: $0, key: RecordKey(cut.wholeKey(of: entry)).bytes, model)
        }
    }

    /// A record with what the stored one keeps by its fields' options, or the stored one when nothing else is left of it
    /// but dates; nil when it is the cut's own.
    private func kept(_ image: [UInt8], _ entry: ChangeCut.Entry, _ stored: StoredVersion) throws -> Settlement? {
        let binding = try transaction.core.binding(for: entry.type)
        guard binding.keepsStoredValues else { return cut.isRecord(of: entry, image) ? nil : .write(image) }
        let old = try record(stored.bytes, entry)
        var new = try record(image, entry)
        try binding.keepStoredValues(of: old, stored.layout, in: &new)
        // What is settled has to be written for what comes after it.
        if !cut.isSettled, try !binding.differ(new, old) { return .keep(stored) }
        let merged = try self.image(new, entry)
        return cut.isRecord(of: entry, merged) ? nil : .write(merged)
    }

    private func record(_ image: [UInt8], _ entry: ChangeCut.Entry) throws -> StoredRecord {
        let key = RecordKey(cut.wholeKey(of: entry))
        return try transaction.storedRecord(image.span.bytes, key: key.bytes.span.bytes)
    }

    /// - Throws: ``TroveError/contextMisuse(reason:)`` when the record is another object's.
    private func image(_ record: StoredRecord, _ entry: ChangeCut.Entry) throws -> [UInt8] {
        let binding = try transaction.core.binding(for: entry.type)
        guard record.key == cut.wholeKey(of: entry), record.hasLayout(binding.layout) else {
            throw TroveError.contextMisuse(
                reason: "a merge policy gave a record of another object for the \(binding.schema.name) \(entry.object.shownID); change one of the conflict's own records")
        }
        var buffer = RecordBuffer()
        try buffer.encode(record, binding.layout)
        transaction.offers.keep(buffer.record.annexes)
        return buffer.withBytes { _, bytes in [UInt8](copying: bytes) }
    }
}

extension LiveModel {
    /// The id as messages show it.
    var shownID: String { id.shownInErrors }
}
