import Foundation

extension TroveError {
    /// The name of every index of all paths, by which a collection's is told from those of models.
    package static let indexOfPaths = "every path"
    /// The name of the index of every collection's full text.
    package static let indexOfDocumentWords = "words of documents"
    /// Names under which no index is created at run time, so that they tell a collection's own.
    package static let namesOfCollectionIndexes = [indexOfPaths, indexOfDocumentWords]

    /// What a search for words needs of a model, and of a collection: the end of the error that tells so.
    package static let declareFullText = "; declare one: @Attribute(.fullText) or #FullText"
    package static let setFullText = "; set it: setFullText(_:)"

    /// What a query may have meant that names an unknown field with no near name: the end of the error that tells so.
    package static let inQueries = "; in a query, name stored properties, no computed ones, and write texts in single quotes"

    /// The call that rebuilds an index of a model or collection.
    private static func rebuilding(_ index: String, of model: String) -> String {
        namesOfCollectionIndexes.contains(index)
            ? "try store.documents(\"\(model)\").rebuildIndex()" : "try store.rebuildIndexes(of: \(model).self)"
    }
}

extension TroveError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .duplicateModel(let name, let first, let second):
            "the models \(first) and \(second) have the same name '\(name)'; give one another name: @Model(\"…\")"
        case .invalidModelName(let name, let reason):
            "'\(name.prefix(60))' cannot be the name of a model: \(reason)"
        case .invalidModel(let model, let reason):
            "\(model) cannot be stored: \(reason)"
        case .duplicateField(let model, let field):
            "\(model) has two fields named '\(field)'"
        case .fieldTypeChanged(let model, let field, let stored, let declared):
            "\(model).\(field) is stored as \(stored.shownInErrors) and declared as \(declared.shownInErrors), which cannot hold every such value; declare \(stored.shownInErrors), give the property another name, or raise the model's version and convert in upgrade(from:)"
        case .fieldNeedsDefault(let model, let field, let unclaimed):
            "\(model).\(field) is missing in stored records; give the property a default value or make it optional"
                + (unclaimed.first.map { first in
                    "; or, if it is \(unclaimed.count == 1 ? "the stored property '\(first)'" : "one of the stored properties \(unclaimed.map { "'\($0)'" }.joined(separator: ", "))") "
                        + "under a new name, say so, for its values are left behind otherwise: @Attribute(originalName: \"\(first)\")"
                } ?? "")
        case .idTypeChanged(let model, let stored, let declared):
            "the id of \(model) is stored as \(Self.shownType(stored)) and declared as \(Self.shownType(declared)); ids cannot change their type; declare \(Self.shownType(stored)), or move the objects to a model of another name"
        case .newerModelVersion(let model, let stored, let declared):
            "the store has \(model) in version \(stored), the program in version \(declared); use a newer program"
        case .unknownModel(let model):
            "\(model) was not named when the store was opened; add it: ObjectStore(…, models: \(model).self)"
        case .invalidCollection(let name, let reason):
            "'\(name.prefix(60))' cannot be a collection of documents: \(reason)"
        case .invalidDocumentPath(let path, let reason):
            (path.isEmpty ? "the path of the whole document" : "'\(path.prefix(120))'") + " leads to no place in the document: \(reason)"
        case .invalidProperty(let model, let property, let reason):
            "\(model).\(property.prefix(60)) \(reason)"
        case .tooManyPaths(let collection, let path, let limit):
            "the documents of \(collection) have \(limit) different paths, and '\(path.prefix(120))' would be one more; store names that are data, such as ids, as values, or exclude their path "
                + "from the index: setIndexing(.all.excluding(…))"
        case .unknownType(let name, let known):
            "the store has no type named '\(name)'" + (known.isEmpty ? "; it has none" : NearName.advice(on: name, known: known, listedAs: "it has"))
        case .unknownField(let model, let field, let known):
            "\(model) has no field named '\(field)'" + NearName.advice(on: field, known: known, listedAs: "it has")
                + (NearName.nearest(to: field, in: known).isEmpty ? Self.inQueries : "")
        case .unsupportedKeyPath(let model, let keyPath):
            "\(keyPath) is not a stored property of \(model): only stored properties can be searched, sorted by and added up; store a computed value, or index it as a derived value; a property with another coding key is written as text: in a condition $0.at(\"address.city\", as: String.self), in a sort sorted(using: [SortKey(FieldPath(\"address.city\"))]), in an index .path(\"address.city\")"
        case .unknownPath(let model, let path, let reason):
            "\(model) has nothing at '\(path)': \(reason)"
        case .incomparable(let model, let path, let reason) where reason.hasSuffix("cannot be added up"):
            "\(model).\(path): \(reason)"
        case .incomparable(let model, let path, let reason):
            "\(model).\(path) cannot be compared: \(reason)"
        case .invalidCriteria(let text, let position, let expected):
            "at character \(position + 1) of '\(Self.excerpt(text, around: position))': expected \(expected)"
        case .unsupportedPredicate(let expression, let reason):
            "a store cannot evaluate '\(expression)' of the predicate: \(reason)"
        case .invalidRegularExpression(let pattern, let reason):
            "'\(pattern.prefix(200))' is not a regular expression that a query can use: \(reason)"
        case .invalidQuery(let reason):
            "the query cannot be answered: \(reason)"
        case .deadlineExceeded(let query, let deadline):
            "the query of \(query) took longer than its deadline of \(deadline); give it more time, a smaller limit, or an index: explain(running: false) shows its plan"
        case .notFound(let query):
            "there is no \(query); first() and fetch(_:id:) give nil instead of an error"
        case .invalidToken(let reason):
            "the continuation token cannot be used: \(reason); begin again without one"
        case .invalidJSON(let line, let column, let offset, let reason):
            "the JSON cannot be read at line \(line), column \(column) (byte \(offset)): \(reason)"
        case .lineRefused(let line, let underlying):
            "line \(line) cannot be stored, so nothing was stored: \(underlying); correct the line, or import with mode: .inBatches, which skips such lines"
        case .sumOverflow(let model, let path):
            "the sum of \(model).\(path) does not fit its type; sum a smaller selection, or integers as a wider type, with sum(…, as: Int128.self); the greatest sum of decimals has 38 digits, and an average is a Double; a save that this refuses changes a sum that an index keeps: declare the index without .sum"
        case .uniqueViolation(let model, let index, let values, let id, let otherID):
            "the \(model) \(id) has \(values), and so has \(otherID), which the unique index '\(index)' allows once; change or delete one of them (a store that does not open because of it opens with indexing: .onRequest)"
        case .ambiguousUpsert(let model, let id, let match, let otherID, let otherMatch):
            "the given \(model) would have to become two objects: \(id), which has the same value of \(match), and \(otherID), which has that of \(otherMatch); give it values of one of them, or change or delete the other"
        case .invalidIndex(let model, let index, let reason):
            "the index '\(index)' of \(model) cannot be kept: \(reason)"
        case .undroppableIndex(let model, let index, let reason):
            "the index '\(index)' of \(model) is not dropped: \(reason)"
        case .corruptIndex(let model, let index, let reason):
            "the index '\(index)' of \(model) is damaged: \(reason); delete the objects whose records verify() reports as damaged, then rebuild the index: \(Self.rebuilding(index, of: model))"
        case .needsModel(let model, let reason):
            "this program does not have the model \(model), and cannot do this: \(reason); use the program that has it"
        case .changedByAnotherProgram(let model, let reason):
            "another program has opened the store with another declaration of \(model): \(reason); close the store and open it again, or use the same version of both programs"
        case .tooManyLayouts(let limit):
            "the store has \(limit) layouts, its maximum; fetch the objects and save them in a new store"
        case .newerFormat(let stored, let supported):
            "the store is in format \(stored), this version of Trove reads up to \(supported); use a newer Trove"
        case .newerFeatures(let names):
            "the store uses \(names.map { "'\($0)'" }.joined(separator: ", ")), which this version of Trove does not know; use a newer Trove"
        case .fieldKeysMissing(let model, let property):
            "\(model).\(property) is encrypted, and the store was opened without keys; give it the keys: ObjectStore(…, fieldKeys: FieldKeys(…)), from TroveCrypto"
        case .encryptedRecord(let model, let id):
            "the \(model) \(id) has encrypted properties, and the store was opened without their keys; open it with them: ObjectStore(…, fieldKeys: FieldKeys(…)), from TroveCrypto"
        case .invalidEncryption(let model, let property, let reason):
            "\(model).\(property) cannot be encrypted so: \(reason)"
        case .newerRecord(let model, let id):
            "the record of \(model) \(id) was written by a newer Trove and has parts that this one does not know; use a newer Trove"
        case .notAStore(let path, let reason):
            "'\(path)' is not a Trove store: \(reason)"
        case .incompleteCopy(let path):
            "'\(path)' is the target of a copy that was not finished; copy again"
        case .destinationNotEmpty(let path):
            "'\(path)' already holds data; copy to a new store"
        case .closed(let path):
            "the store '\(path)' was closed"
        case .alreadyExists(let model, let id):
            "a \(model) with the id \(id) exists already; save it in the store to replace it, or in a context fetch that object and change it"
        case .newObjectLeftOut(let model, let id, let new, let newID):
            "the \(model) \(id) holds the new \(new) \(newID), which is not saved with it; insert the \(model) in an ObjectContext and save that, which stores both, or save both in one transaction"
        case .deletionNotSaved(let model, let id):
            "the \(model) with the id \(id) is deleted in this context, but not in the store yet, so its id is not free; save first, or insert the deleted object again and change it"
        case .keyCollision(let model, let id):
            "the id \(id.prefix(60))… of \(model) has the same shortened key as another id; use shorter ids"
        case .encodingFailed("JSON", let field, let reason):
            "the \(field) cannot be written as JSON: \(reason)"
        case .encodingFailed("a document", let field, let reason):
            "\(field) cannot be stored in a document: \(reason)"
        case .encodingFailed(let model, let field, let reason):
            "\(model).\(field) cannot be stored: \(reason)"
        case .decodingFailed("a document", let field, let id, let reason):
            "\(field) of the document \(id) cannot be read: \(reason)"
        case .decodingFailed(let model, let field, let id, let reason):
            "\(model).\(field) of \(id) cannot be read: \(reason)"
        case .schemaMismatch(let model, let reason):
            "\(model): \(reason); encode(into:) and init(from:) handle the schema's fields in their order"
        case .upgradeFailed(let model, let id, let underlying):
            "upgrade(from:) of \(model) \(id) failed: \(underlying)"
        case .corruptRecord(let model, let id, let reason):
            "the record of \(model) \(id) is damaged: \(reason); delete the object, or restore a copy of the store (if this keeps the store from opening, open it with indexing: .onRequest)"
        case .corruptKey(let reason):
            "a key is damaged or of another type: \(reason); restore a copy of the store"
        case .corruptValue(let reason):
            "a nested value is damaged: \(reason); delete the object, or restore a copy of the store"
        case .corruptCatalogue(let entry, let reason):
            "the catalogue's entry '\(entry)' is damaged: \(reason); restore a copy of the store"
        case .corruptBlob(let name):
            "the blob '\(name)' is damaged; store it again, or restore a copy of the store"
        case .corruptMetadata(let key):
            "the metadata '\(key)' is damaged; set it again, or restore a copy of the store"
        case .corruptHistory(let entry, let reason):
            "the history's \(entry == 0 ? "entries about itself are" : "entry \(entry) is") damaged: \(reason); restore a copy of the store, or begin a new history with deleteHistory() and keepHistory(_:)"
        case .historyNotKept:
            "the store keeps no history; begin with keepHistory(.values), or .ids"
        case .historyTrimmed(let token):
            "the history behind the token \(token) was trimmed; read the objects anew, and go on from latestHistoryToken()"
        case .noHistoryConsumer(let name):
            "the history has no consumer '\(name)'; historyConsumer(\"\(name)\") adds it, and begins with the first entry"
        case .unknownHistoryToken(let token):
            "the token \(token) is not of this store's history, or the store was restored to a state before it; read the objects anew, and go on from latestHistoryToken()"
        case .lazyValueGone(let model, let id, let property):
            "the lazy value '\(property)' of \(model) \(id) is no longer stored: the object was changed or deleted since it was read; fetch it again (an object of a context: refresh it with keepingChanges: false, or roll back)"
        case .noSuchBlob(let name):
            "there is no blob '\(name)'; blobNames() has the names"
        case .blobChanged(let name):
            "the blob '\(name)' was replaced or deleted while it was read; read it again from its beginning"
        case .uploadGivenUp(let name):
            "the stored part of the blob '\(name)' is gone, because nothing was added for an hour or its beginning was never stored; store it again from its beginning"
        case .invalidFullTextQuery(let text, let position, let reason):
            "at character \(position + 1) of the full-text query '\(text.prefix(200))': \(reason)"
        case .unsupportedFullTextQuery(let index, let reason):
            "the full-text index '\(index)' cannot answer: \(reason)"
        case .invalidFullTextFields(let reason):
            "the fields of a full-text index cannot be indexed: \(reason)"
        case .conflict(let model, let id, let object, let stored):
            "the \(model) \(id) was \(stored == nil ? "deleted" : "changed") elsewhere since it was read, and this save would \(object == nil ? "delete" : "store") it; \(stored == nil ? "give the object up with refresh(object, keepingChanges: false)" : "take the stored version with refresh(object, keepingChanges: false) and change it again"), or choose a merge policy: ContextOptions(mergePolicy: .byProperty)"
        case .notInContext(let model, let id):
            "the \(model) \(id) is not in this context: it is in no context, or is deleted or going to be; use an object that the context has fetched or inserted, or insert this one again"
        case .changeLost(let model, let id, let reason):
            "a change of the \(model) \(id) is not stored: \(reason)"
        case .contextMisuse(let reason):
            reason
        case .transactionFinished:
            "the transaction has ended; use it inside its closure only"
        case .transactionPoisoned(let error):
            "an earlier change of the transaction failed half-way, so it can only roll back: \(error)"
        case .snapshotClosed(let path):
            "the snapshot of '\(path)' was closed, or its store was; take another one: store.snapshot()"
        case .snapshotsOpen(let path, let count):
            "this would wait for the open snapshots of '\(path)', of which there \(count == 1 ? "is 1" : "are \(count)"); end each with close() first, then call again"
        case .tooManySnapshots(let path, let limit):
            "'\(path)' has \(limit) snapshots open, and its engine keeps no more beside other reads; close one, or open the backend with a larger maxReaders where it has that option"
        case .invalidRelationship(let model, let field, let reason):
            "the relationship \(model).\(field) is not possible: \(reason)"
        case .danglingReference(let model, let id):
            "a reference points at the \(model) \(id), which is not stored; fetch(references:) leaves such references out"
        case .deletionDenied(let model, let id, let blockers):
            "the \(model) \(id) cannot be deleted because of \(blockers.map(\.description).joined(separator: ", "))\(blockers.count < DeletionBlocker.mostNamed ? "" : " and maybe others"); delete them together, or end the relationship first; in a context, insert the object again to keep it"
        case .foreignObject(let model, let id):
            "the \(model) \(id) is an object of another context; fetch it in this one, and use that object"
        case .bagNameTaken(let name):
            "another bag has the name '\(name)'; choose another name, or fetch that bag: store.bag(named:)"
        case .bagDeleted(let name, let id):
            "the bag \(name.map { "'\($0)' " } ?? "")\(id) has been deleted; to store its members again, add them to a new bag"
        case .foreignBag(let name, let id):
            "the bag \(name.map { "'\($0)' " } ?? "")\(id) belongs to another store; save it there, or add its members to a bag of this store"
        }
    }

    /// A type by its stored name as a program writes it.
    private static func shownType(_ name: String) -> String { FieldType(name)?.shownInErrors ?? name }

    /// A text, or so much of a long one as stands around a character.
    private static func excerpt(_ text: String, around position: Int) -> String {
        guard text.utf8.count > 200 else { return text }
        let start = max(0, position - 60)
        let part = text.dropFirst(start).prefix(120)
        return (start > 0 ? "…" : "") + part + (part.endIndex < text.endIndex ? "…" : "")
    }
}

/// `localizedDescription`, which many programs print, tells what `description` does.
extension TroveError: LocalizedError {
    public var errorDescription: String? { description }
}

extension StorageError: LocalizedError {
    public var errorDescription: String? { description }
}
