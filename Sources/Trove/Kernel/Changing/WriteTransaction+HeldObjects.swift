/// An object of a class in no context holds the objects that were assigned to its relationships, and a record has references to them alone. A context stores both; a
/// transaction stores what it is given, and refuses to leave references to new objects that it was not given.
extension WriteTransaction {
    /// Takes down which of the objects that one holds are not stored yet.
    @usableFromInline func noteHeld(by object: any Model) throws {
        for held in object._heldObjects() where try !isStored(held) { heldObjects.append((owner: object, held: held)) }
    }

    /// - Throws: ``TroveError/newObjectLeftOut(model:id:new:newID:)`` when an object that was saved holds one that was not.
    func checkHeldObjects() throws {
        defer { heldObjects = [] }
        for (owner, held) in heldObjects where try !isStored(held) && isStored(owner) {
            throw TroveError.newObjectLeftOut(
                model: type(of: owner).schema.name, id: owner.idShownInErrors, new: type(of: held).schema.name, newID: held.idShownInErrors)
        }
    }

    private func isStored<Object: Model>(_ object: Object) throws -> Bool { try contains(Object.self, id: object.id) }
}

extension Model {
    fileprivate var idShownInErrors: String { id.shownInErrors }
}
