import Trove

/// What an import knows of a bag.
struct ImportedBag {
    var report: ImportReport.Bag
    /// A hash of what was stored; nil where nothing was.
    var hash: Int?
}

/// Bags one by one, in a transaction that has their members, or after it.
extension ImportRun {
    func take(_ bag: SourceBag, in transaction: WriteTransaction, _ state: inout ImportState) throws {
        let refusals = transaction.refusalCount
        do {
            try store(bag, in: transaction, &state)
        } catch where error is TroveError || transaction.refusalCount != refusals {
            if case TroveError.transactionPoisoned = error { throw error }
            try refuse(bag, "\(error)", &state)
        }
    }

    private func refuse(_ bag: SourceBag, _ reason: String, _ state: inout ImportState) throws {
        try refuse(bag.fault(reason), &state)
        state.bags.append(ImportedBag(report: .init(bag, .refused)))
    }

    private func store(_ source: SourceBag, in transaction: WriteTransaction, _ state: inout ImportState) throws {
        let key = source.id.key.description
        let id = source.id.objectID
        guard state.see(source.id.space, id) else { return try refuse(source, "another object before has the same key, \(key)", &state) }
        let stored = try transaction.bag(id: id)
        switch options.existing {
        case .refuse where stored != nil:
            if mustBeWhole { throw ImportError.alreadyThere(collection: source.className, key: key, place: source.fault("").place) }
            return try refuse(source, "the store has a bag with this key already", &state)
        case .skip where stored != nil: return state.bags.append(ImportedBag(report: .init(source, .skipped)))
        case .refuse, .skip, .replace: break
        }
        var report = ImportReport.Bag(source, stored == nil ? .stored : .replaced)
        var members: [AnyReference] = []
        for reference in source.members {
            if let found = try member(reference, of: source, in: transaction, state) {
                members.append(found)
            } else {
                report.missing.append(.init(key: reference.key.description, reason: reason(of: reference, source, state)))
            }
        }
        report.storedName = try freeName(for: source, in: transaction, &state)
        let bag = stored ?? Bag(id: id, in: store)
        bag.name = report.storedName
        bag.removeAll()
        bag.add(contentsOf: members)
        try transaction.save(bag)
        report.memberCount = bag.count
        tell(report, of: source, &state)
        state.bags.append(ImportedBag(report: report, hash: Self.hash(bag)))
    }

    /// Tells what a bag is not as it is in the source.
    private func tell(_ report: ImportReport.Bag, of source: SourceBag, _ state: inout ImportState) {
        if let name = report.storedName, name != report.name {
            state.faults.note(source.fault("another bag has its name; it is stored as '\(name)'"))
        }
        if report.missing.isEmpty { return }
        let shown = report.missing.prefix(10).map(\.description).joined(separator: ", ") + (report.missing.count > 10 ? ", …" : "")
        state.faults.note(source.fault("of its \(source.members.count) members \(report.missing.count) are left out: \(shown)"))
    }

    // MARK: Members

    /// What a member became; nil where it is not stored. One that no row of this import became may be stored from an import before.
    private func member(_ reference: SourceReference, of bag: SourceBag, in transaction: WriteTransaction, _ state: ImportState) throws -> AnyReference? {
        if bag.bags.contains(reference) { return nil }
        let id = reference.objectID
        if let made = state.madeObject(reference.space, id) { return try stored(made.id, state.collections[made.place].name, transaction) }
        for name in state.spaces[reference.space] ?? [] {
            let value: StoredValue? = if let model = models[name] { model.idValue(reference) } else { .objectID(id) }
            if let value, let found = try stored(value, name, transaction) { return found }
        }
        return nil
    }

    private func stored(_ id: StoredValue, _ collection: String, _ transaction: WriteTransaction) throws -> AnyReference? {
        if let model = models[collection] { return try model.reference(to: id, transaction) }
        guard case .objectID(let id) = id, try transaction.hasDocument(id, in: collection) else { return nil }
        return AnyReference(collection: collection, id: id)
    }

    private func reason(of reference: SourceReference, _ bag: SourceBag, _ state: ImportState) -> ImportReport.MissingMember.Reason {
        if bag.bags.contains(reference) { return .isBag }
        return state.hasRefused(reference.space, reference.objectID) ? .refused : .notFound
    }

    // MARK: Names

    /// The name that a bag is stored under: where another bag has its name, with the first number behind it that is free. Other libraries have several
    /// bags of a name, and no bag is to take in another one's members.
    private func freeName(for bag: SourceBag, in transaction: WriteTransaction, _ state: inout ImportState) throws -> String? {
        guard let name = bag.name else { return nil }
        var number = state.bagNumbers[name] ?? 1
        while true {
            let free = number == 1 ? name : "\(name) \(number)"
            guard let other = try transaction.bag(named: free), other.id != bag.id.objectID else { return free }
            number += 1
            state.bagNumbers[name] = number
        }
    }

    // MARK: Reading back

    /// Reads back the bags that were stored.
    func verifyBags(_ state: inout ImportState) {
        for place in state.bags.indices {
            guard let hash = state.bags[place].hash else { continue }
            let report = state.bags[place].report
            do {
                state.bags[place].report.isVerified = try store.bag(id: report.id).map { Self.hash($0) == hash } ?? false
            } catch {
                state.bags[place].report.isVerified = false
                let place = "the bag \(report.storedName.map { "'\($0)'" } ?? "\(report.id)")"
                state.faults.note(ImportFault(collection: "", place: place, reason: "it could not be read back: \(error)"))
            }
        }
    }

    private static func hash(_ bag: Bag) -> Int {
        var hasher = Hasher()
        hasher.combine(bag.name.map { Array($0.utf8) })
        hasher.combine(bag.members)
        return hasher.finalize()
    }
}

extension WriteTransaction {
    /// Whether a collection has a document. One that no collection can have the name of has none.
    fileprivate func hasDocument(_ id: ObjectID, in collection: String) throws -> Bool {
        do {
            return try documents(collection).contains(id: id)
        } catch TroveError.invalidCollection {
            return false
        }
    }
}

extension ImportedModel {
    /// A reference to the stored object of an id; nil where there is none. An id that is none of the model's leads to none.
    fileprivate func reference(to id: StoredValue, _ transaction: WriteTransaction) throws -> AnyReference? {
        do {
            return try transaction.documents(of: name).fetch(id: id)?.reference
        } catch TroveError.invalidProperty {
            return nil
        }
    }
}
