/// An object of a class in no context holds the objects that were assigned to its relationships, and a record has references to them alone. A context stores
/// both; a transaction stores what it is given, and refuses to leave references to new objects that it was not given.
extension WriteTransaction {
    /// Takes down which of the objects that one holds are not stored yet, in place of what was taken down of it before.
    ///
    /// - Parameter key: the bytes of the id under which it is stored; nil for its own.
    @usableFromInline func noteHeld<Object: Model>(by object: Object, under key: [UInt8]? = nil) throws {
        let missing = try object._heldObjects().filter { try !isStored($0) }
        if missing.isEmpty && heldObjects.isEmpty { return }
        heldObjects.note(missing, heldBy: object, key.map { AnyReference(modelName: Object.schema.name, keyBytes: $0) } ?? AnyReference(object))
    }

    /// - Throws: ``TroveError/newObjectLeftOut(model:id:new:newID:)`` when an object that was saved holds one that was not.
    func checkHeldObjects() throws {
        defer { heldObjects = HeldObjectNotes() }
        for (key, owner, missing) in heldObjects.inOrder {
            guard let held = try missing.first(where: { try !isStored($0) }), try isStored(owner, under: key) else { continue }
            throw TroveError.newObjectLeftOut(
                model: type(of: owner).schema.name, id: owner.idShownInErrors, new: type(of: held).schema.name, newID: held.idShownInErrors)
        }
    }

    private func isStored<Object: Model>(_ object: Object) throws -> Bool { try contains(Object.self, id: object.id) }

    private func isStored<Object: Model>(_ object: Object, under key: [UInt8]) throws -> Bool {
        let model = try open(Object.self)
        return try key.withUnsafeBytes { try contains($0, of: model) }
    }
}

/// The new objects that saved ones hold, until it is known whether they are stored too. A savepoint that is undone takes back what was noted since.
struct HeldObjectNotes {
    private var notes: [AnyReference: (number: Int, owner: any Model, missing: [any Model])] = [:]
    private var count = 0

    var isEmpty: Bool { notes.isEmpty }

    /// The owners in the order of their last saves, with the bytes of the ids under which they are stored.
    var inOrder: [(key: [UInt8], owner: any Model, missing: [any Model])] {
        notes.sorted { $0.value.number < $1.value.number }.map { ($0.key.keyBytes, $0.value.owner, $0.value.missing) }
    }

    /// - Parameter reference: to the stored object that the owner is.
    mutating func note<Owner: Model>(_ missing: [any Model], heldBy owner: Owner, _ reference: AnyReference) {
        count += 1
        notes[reference] = missing.isEmpty ? nil : (count, owner, missing)
    }
}

extension Model {
    var idShownInErrors: String { id.shownInErrors }
}
