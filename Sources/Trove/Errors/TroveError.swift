/// What can go wrong above the engine: with models, records, transactions and whole stores.
///
/// What the engine itself reports is a ``StorageError``. A cancelled task gets Swift's `CancellationError`.
public enum TroveError: Error, Sendable {
    // Models, found when a store is opened
    /// Two models have one name in the store.
    case duplicateModel(name: String, first: String, second: String)
    /// A model's name is empty, too long or begins with the character kept for Trove's own keyspaces.
    case invalidModelName(String, reason: String)
    /// A model is declared in a way that cannot be stored.
    case invalidModel(model: String, reason: String)
    /// Two fields of a model have one name.
    case duplicateField(model: String, field: String)
    /// A field has another type than the store's records, and the values cannot be widened without loss.
    case fieldTypeChanged(model: String, field: String, stored: FieldType, declared: FieldType)
    /// A field that stored records lack is neither optional nor has a default value.
    case fieldNeedsDefault(model: String, field: String)
    /// The id has another type than the store's records.
    case idTypeChanged(model: String, stored: String, declared: String)
    /// The store's records are of a later version of the model than the program's.
    case newerModelVersion(model: String, stored: Int, declared: Int)
    /// A model is used that was not named when the store was opened.
    case unknownModel(String)
    /// The store has no type of this name.
    case unknownType(String)
    /// The type has no field of this name.
    case unknownField(model: String, field: String)
    /// A key path names something that is not stored, or that no name can be told of.
    case unsupportedKeyPath(model: String, keyPath: String)
    /// The store holds as many layouts as it can number.
    case tooManyLayouts(limit: Int)

    /// Another program has opened the store with another declaration of the model since this one opened it, so that what this one would store
    /// could not be read, or not be kept apart.
    case changedByAnotherProgram(model: String, reason: String)
    /// What is asked for takes the Swift type of a model that the program does not have: of what else goes with its objects, or how old ones are read, the store does not tell all.
    case needsModel(String, reason: String)

    // Documents
    /// No collection of documents can have this name, or what is asked of one cannot be.
    case invalidCollection(name: String, reason: String)
    /// A path leads to no place of a document where something can be put.
    case invalidDocumentPath(path: String, reason: String)
    /// A document of a model has a property that the model does not have, lacks one, or has a value in it that the property cannot hold; the reason says what it takes.
    case invalidProperty(model: String, property: String, reason: String)
    /// The documents of a collection have more different paths than its index numbers.
    case tooManyPaths(collection: String, path: String, limit: Int)

    // Queries and indexes
    /// A path leads nowhere in the model's declared types.
    case unknownPath(model: String, path: String, reason: String)
    /// Values are compared or sorted that have no common order, or a text test is asked of what is no text.
    case incomparable(model: String, path: String, reason: String)
    /// Criteria text is not well formed; `position` counts its characters from 0.
    case invalidCriteria(text: String, position: Int, expected: String)
    /// A `#Predicate` has an expression that a store cannot answer.
    case unsupportedPredicate(expression: String, reason: String)
    /// A regular expression is not well formed.
    case invalidRegularExpression(pattern: String, reason: String)
    /// A query asks for something that cannot be: a negative limit, say.
    case invalidQuery(reason: String)
    /// A query took longer than its ``Fetch/deadline(_:)``.
    case deadlineExceeded(query: String, deadline: Duration)
    /// A query that has to find something finds nothing.
    case notFound(query: String)
    /// A continuation token is damaged or of another query.
    case invalidToken(reason: String)
    /// A sum does not fit its type.
    case sumOverflow(model: String, path: String)
    /// Another object has the values that a unique index lets only one object have.
    case uniqueViolation(model: String, index: String, values: String, id: String, otherID: String)
    /// An index is declared in a way that cannot be kept.
    case invalidIndex(model: String, index: String, reason: String)
    /// An index's entries are damaged or disagree with the records.
    case corruptIndex(model: String, index: String, reason: String)

    // JSON
    /// A text is no JSON that can be read. Lines and columns count from 1, columns in Unicode scalars, the offset in bytes from 0.
    case invalidJSON(line: Int, column: Int, offset: Int, reason: String)
    /// A line of an import that is to be stored wholly or not at all cannot be stored.
    case lineRefused(line: Int, underlying: any Error)

    // Stores
    /// The store was written in a newer format than this version reads.
    case newerFormat(stored: Int, supported: Int)
    /// The store uses something that this version does not know.
    case newerFeatures([String])
    /// A record was written by a newer version, and has what this one does not know.
    case newerRecord(model: String, id: String)
    /// The engine holds data that is not a Trove store.
    case notAStore(path: String, reason: String)
    /// The store is the target of a copy that was not finished.
    case incompleteCopy(path: String)
    /// The target of a copy holds data already.
    case destinationNotEmpty(path: String)
    /// The store was closed.
    case closed(path: String)

    // Objects
    /// An object with this id is in the store already.
    case alreadyExists(model: String, id: String)
    /// Two ids that are too long to be whole keys share one shortened key.
    case keyCollision(model: String, id: String)
    /// A value cannot be written.
    case encodingFailed(model: String, field: String, reason: String)
    /// A stored value does not fit the property.
    case decodingFailed(model: String, field: String, id: String, reason: String)
    /// `encode(into:)` or `init(from:)` handles other fields than the model's schema lists.
    case schemaMismatch(model: String, reason: String)
    /// `upgrade(from:)` threw.
    case upgradeFailed(model: String, id: String, underlying: any Error)

    // Damage
    /// A record's bytes are damaged.
    case corruptRecord(model: String, id: String, reason: String)
    /// A key's bytes are not those of an id.
    case corruptKey(reason: String)
    /// A nested value's bytes are damaged.
    case corruptValue(reason: String)
    /// An entry of the catalogue is damaged.
    case corruptCatalogue(entry: String, reason: String)
    /// A blob's bytes are damaged.
    case corruptBlob(name: String)
    /// A value of the application's metadata is damaged.
    case corruptMetadata(key: String)

    // Lazy values
    /// The value of a lazy property is not there any more: its object was given another one since it was read, or was deleted.
    case lazyValueGone(model: String, id: String, property: String)

    // Blobs
    /// There is no blob of this name.
    case noSuchBlob(name: String)
    /// A blob was replaced or deleted while it was read piece by piece.
    case blobChanged(name: String)
    /// No piece of a blob came for so long that another upload has removed those that had come.
    case uploadGivenUp(name: String)

    // Full text
    /// The line of a full-text query cannot be read. The position counts Unicode scalars from 0.
    case invalidFullTextQuery(text: String, position: Int, reason: String)
    /// A full-text query asks for what the index does not have.
    case unsupportedFullTextQuery(index: String, reason: String)
    /// The fields of a full-text index cannot be indexed.
    case invalidFullTextFields(reason: String)

    // Transactions
    /// The transaction was used after its closure.
    case transactionFinished
    /// A change of the transaction failed half-way, so it can only roll back.
    case transactionPoisoned(by: any Error)

    // Relationships
    /// A relationship is declared in a way that cannot be kept.
    case invalidRelationship(model: String, field: String, reason: String)
    /// A reference points at an object that is not stored.
    case danglingReference(model: String, id: String)
    /// A relationship's rule denies that an object be deleted, because of others that stay; the first ten of them are named.
    case deletionDenied(model: String, id: String, blockers: [DeletionBlocker])

    // Contexts
    /// Somebody else changed or deleted the object's record since the context read it: the object as the context would store it, nil when it is
    /// deleted there, and the record as the store has it, nil when it was deleted.
    case conflict(model: String, id: String, object: StoredRecord?, stored: StoredRecord?)
    /// An object is used that its context deleted, or that is in no context.
    case notInContext(model: String, id: String)
    /// An object was changed that no context stores any more: its record is deleted, or its context was reset. Nothing else is concerned.
    case changeLost(model: String, id: String, reason: String)
    /// A context is asked for something where it cannot be done: a save inside ``ObjectContext/perform(_:)``, say.
    case contextMisuse(reason: String)

    // Live objects
    /// An object of another context was assigned to a relationship, or was to be inserted.
    case foreignObject(model: String, id: String)

    // Bags
    /// Another bag has the name that a bag was to be saved with.
    case bagNameTaken(name: String)
    /// The bag was stored, and has been deleted since.
    case bagDeleted(name: String?, id: String)
}

/// An object that stays, and because of which another cannot be deleted: see ``TroveError/deletionDenied(model:id:blockers:)``.
public struct DeletionBlocker: Sendable, Hashable {
    /// The model of the object that stays.
    public let model: String
    /// Its id, as messages show it.
    public let id: String
    /// The relationship between them whose rule denies the deletion: `Song.album`.
    public let relationship: String

    /// Names an object that stays, and the relationship.
    public init(model: String, id: String, relationship: String) {
        self.model = model
        self.id = id
        self.relationship = relationship
    }
}

extension DeletionBlocker: CustomStringConvertible {
    public var description: String { "\(model) \(id) (\(relationship))" }
}
