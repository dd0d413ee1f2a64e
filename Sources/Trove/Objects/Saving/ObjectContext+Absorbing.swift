/// What other contexts have saved since a context looked last.
struct ContextInbox {
    /// How many keys are kept; of more changes it is only known that there were some.
    private static let maxCount = 100_000

    /// The objects concerned; nil when there were too many to tell.
    private var keys: Set<ObjectKey>? = []
    /// Those that could not be made of their records, which was told, and that no other context has saved since. Each merge tries them again.
    private(set) var unreadable: Set<ObjectKey> = []
    /// Whether a merge is about to run by itself.
    var isQueued = false

    var isEmpty: Bool { keys?.isEmpty ?? false }

    mutating func add(_ new: some Sequence<ObjectKey>) {
        if !unreadable.isEmpty { unreadable.subtract(new) }
        keys?.formUnion(new)
        if let keys, keys.count > Self.maxCount { self.keys = nil }
    }

    /// Everything in it, which leaves it empty.
    mutating func take() -> Set<ObjectKey>? {
        defer { keys = [] }
        return keys
    }

    /// Puts back what could not be dealt with.
    mutating func putBack(_ old: Set<ObjectKey>?) {
        if let old { add(old) } else { keys = nil }
    }

    /// Notes what a merge could not read. What was saved since waits for the next one like others.
    mutating func noteUnreadable(_ failed: [ObjectKey]) {
        unreadable = keys.map { Set(failed).subtracting($0) } ?? []
    }
}

/// Objects that could not be brought up to their records.
struct OutdatedObjects: Sendable {
    /// Those whose own changes are in the way.
    var blocked: [any LiveModel] = []
    /// Those that could not be made of their records.
    var failures: [(object: any LiveModel, error: any Error)] = []

    mutating func append(_ other: OutdatedObjects) {
        blocked += other.blocked
        failures += other.failures
    }

    /// - Throws: the first of the errors.
    func check() throws { if let failure = failures.first { throw failure.error } }
}

extension TroveError {
    /// Whether it is of a record that cannot be read, while others can.
    fileprivate var isOfOneRecord: Bool {
        switch self {
        case .corruptRecord, .decodingFailed, .upgradeFailed, .newerRecord, .encryptedRecord: true
        default: false
        }
    }
}

extension ObjectContext {
    private static let batchSize = 1_024

    /// Reads the records of objects and brings the objects up to them, unless their own changes are in the way.
    ///
    /// - Throws: what the engine throws; when all others are done, the error of the first object that could not be made of its record.
    func bringUpToDate(_ objects: [any LiveModel], keepingChanges: Bool) throws {
        try update(objects, keepingChanges: keepingChanges).check()
    }

    /// Reads the records of objects and brings the objects up to them. Returns those that could not be.
    ///
    /// The store is read without the lock, so it is done again when something was saved or taken back meanwhile.
    func update(_ objects: [any LiveModel], keepingChanges: Bool) throws -> OutdatedObjects {
        defer {
            domain.withLock {
                dropClean()
                if !keepingChanges { state.recorder?.didEndDiscarding() }
            }
        }
        var left = OutdatedObjects()
        for batch in Self.batches(of: objects) {
            var isDone = false
            while !isDone {
                let epoch = epoch
                let stored = try storedVersions(of: batch)
                isDone = try domain.withLock {
                    guard epoch == self.epoch else { return false }
                    let discarded = keepingChanges ? [] : batch.filter { $0.live.status == .changed || $0.live.status == .deleted }
                    // Others may have been loaded as these changes leave them.
                    if !discarded.isEmpty { try forgetDerived() }
                    for (object, stored) in zip(batch, stored) {
                        do {
                            if try !absorb(stored.get(), into: object, keepingChanges: keepingChanges, afterOwnSave: false) { left.blocked.append(object) }
                        } catch {
                            left.failures.append((object, error))
                        }
                    }
                    if !discarded.isEmpty { state.recorder?.didDiscard(discarded.filter { !$0.live.status.isPending }) }
                    return true
                }
            }
        }
        return left
    }

    /// Objects of one class each, at most so many that one read of them is short.
    private static func batches(of objects: [any LiveModel]) -> [[any LiveModel]] {
        Dictionary(grouping: objects) { ObjectIdentifier(type(of: $0)) }.values.flatMap { objects in
            stride(from: 0, to: objects.count, by: batchSize).map { Array(objects[$0..<min(objects.count, $0 + batchSize)]) }
        }
    }

    /// Those of the objects whose records are others than the context read or saved, by their versions alone.
    func outdated(_ objects: [any LiveModel]) throws -> [any LiveModel] {
        var outdated: [any LiveModel] = []
        for batch in Self.batches(of: objects) {
            let versions = try core.read { try $0.versions(of: batch.map { key(of: $0).bytes }, type(of: batch[0])) }
            domain.withLock {
                for (object, version) in zip(batch, versions) where object.live.status.hasRecord && object.live.version != version { outdated.append(object) }
            }
        }
        return outdated
    }

    /// The stored records of objects of one class, nil where there is none, or why one cannot be read.
    private func storedVersions(of objects: [any LiveModel]) throws -> [Result<StoredVersion?, any Error>] {
        let (keys, type) = (objects.map { key(of: $0).bytes }, type(of: objects[0]))
        do {
            return try core.read { try $0.storedVersions(of: keys, type) }.map { .success($0) }
        } catch let error as TroveError where error.isOfOneRecord {
            return try core.read { transaction in
                try keys.map { key in
                    do {
                        return .success(try transaction.storedVersions(of: [key], type)[0])
                    } catch let error as TroveError where error.isOfOneRecord {
                        return .failure(error)
                    }
                }
            }
        }
    }

    /// Brings an object up to its record as it is stored, nil when there is none; the lock is held. Returns whether it is now, or has nothing to do with it.
    ///
    /// - Parameters:
    ///   - keepingChanges: whether its unsaved changes stay. Those of properties that changed in the store too are left for the next save to judge.
    ///   - afterOwnSave: whether it was a save of this context that changed the record; then there is nothing to judge.
    @discardableResult
    func absorb(_ stored: StoredVersion?, into object: any LiveModel, keepingChanges: Bool, afterOwnSave: Bool) throws -> Bool {
        let live = object.live
        // One that was changed and changed back has nothing to keep.
        if live.status == .changed, let image = live.image, try encoded(object) == image { live.becomeClean(version: live.version) }
        switch live.status {
        case .detached, .inserted, .gone: return true
        case .clean: break
        case .changed where keepingChanges:
            if let stored { return try merge(stored, into: object, mayOverwrite: afterOwnSave) }
            if !afterOwnSave { return false }
        case .deleted where keepingChanges:
            if let stored, afterOwnSave, live.version != stored.version { try takeOver(stored, intoDeleted: object) }
            // What is deleted on both sides has nothing to wait for.
            if stored != nil || !afterOwnSave { return stored == nil || stored?.version == live.version }
        case .changed, .deleted: break
        }
        guard let stored else {
            if !afterOwnSave { try state.history?.takeOver(nil, insteadOf: [], of: object) }
            becomeGone(object)
            return true
        }
        if live.status != .clean || live.version != stored.version {
            if !afterOwnSave { try state.history?.takeOver(stored.bytes, insteadOf: live.image ?? encoded(object), of: object) }
            try assign(stored.bytes, to: object)
        }
        live.becomeClean(version: stored.version)
        return true
    }

    /// Lets an object that is marked as deleted be as its record again when the deletion is taken back.
    private func takeOver(_ stored: StoredVersion, intoDeleted object: any LiveModel) throws {
        if object.live.image != nil {
            _ = try merge(stored, into: object, mayOverwrite: true)
        } else {
            try assign(stored.bytes, to: object)
            object.live.image = stored.bytes
            object.live.version = stored.version
        }
    }

    /// Puts the properties that an object has not changed to what is stored. False when both have changed one.
    private func merge(_ stored: StoredVersion, into object: any LiveModel, mayOverwrite: Bool) throws -> Bool {
        let live = object.live
        guard live.version != stored.version, let image = live.image else { return true }
        let base = try storedRecord(image, of: object)
        let now = try storedRecord(encoded(object), of: object)
        let theirs = try storedRecord(stored.bytes, of: object)
        if !mayOverwrite, theirs.overlaps(now, since: base) { return false }
        let merged = try theirs.merging(changesFrom: base, to: now, of: type(of: object))
        if !mayOverwrite { try state.history?.takeOver(stored.bytes, insteadOf: image, of: object) }
        if merged != now { try assign(self.image(merged, core.binding(for: type(of: object))), to: object) }
        live.image = stored.bytes
        live.version = stored.version
        return true
    }
}

/// A record that was written again in the present layout of its model, with the values it had.
private struct RewrittenRecord {
    /// The whole key.
    let key: [UInt8]
    /// The version of the record that it replaced.
    let version: UInt64
    let stored: StoredVersion
}

extension ContextRegistry: RewriteListener {
    /// Lets all contexts know of the records, which are no conflict for an object that was read before.
    func noteRewritten(_ replaced: [(key: [UInt8], version: UInt64)], of type: any Model.Type, in transaction: ReadTransaction) throws -> () -> Void {
        guard let type = type as? any LiveModel.Type, !replaced.isEmpty, !all.isEmpty else { return {} }
        let stored = try transaction.storedVersions(of: replaced.map(\.key), type)
        let records = zip(replaced, stored).compactMap { old, new in new.map { RewrittenRecord(key: old.key, version: old.version, stored: $0) } }
        return { for context in self.all { context.noteRewritten(records, type) } }
    }
}

extension ObjectContext {
    fileprivate func noteRewritten(_ records: [RewrittenRecord], _ type: any LiveModel.Type) {
        // A read that is under way may have met the old ones.
        beginEpoch()
        domain.withLock {
            for record in records {
                guard let object = map.peek(ObjectKey(ObjectIdentifier(type), record.key)) else { continue }
                let live = object.live
                guard live.version == record.version else { continue }
                // One whose upgrade gave it other values now than when it was read is in conflict indeed. One that cannot be encoded
                // cannot be saved either, and the save says why.
                guard let base = live.image ?? (try? encoded(object)), base == record.stored.bytes else { continue }
                live.version = record.stored.version
            }
        }
    }
}
