/// An error above the engine: with models, records, transactions and whole stores.
///
/// What the engine itself reports is a ``StorageError``. A cancelled task gets Swift's `CancellationError`.
public enum TroveError: Error, Sendable {
    // Models, found when a store is opened
    /// Two models have the same name in the store.
    case duplicateModel(name: String, first: String, second: String)
    /// A model's name is empty, too long or begins with the character that is reserved for Trove's own keyspaces.
    case invalidModelName(String, reason: String)
    /// A model is declared in a way that cannot be stored.
    case invalidModel(model: String, reason: String)
    /// Two fields of a model have the same name.
    case duplicateField(model: String, field: String)
    /// A field's type differs from that in the store's records, and the values cannot be widened without loss.
    case fieldTypeChanged(model: String, field: String, stored: FieldType, declared: FieldType)
    /// A field that stored records lack is neither optional nor has a default value. `unclaimed` are fields of these records that the model does not have: the
    /// field may be one of them under a new name.
    case fieldNeedsDefault(model: String, field: String, unclaimed: [String])
    /// The id's type differs from that in the store's records.
    case idTypeChanged(model: String, stored: String, declared: String)
    /// The store's records have a later version of the model than the program.
    case newerModelVersion(model: String, stored: Int, declared: Int)
    /// A model is used that was not named when the store was opened.
    case unknownModel(String)
    /// The store has no type of this name; those that it has are `known`.
    case unknownType(String, known: [String])
    /// The type has no field of this name; those that it has are `known`.
    case unknownField(model: String, field: String, known: [String])
    /// A key path leads to a value that is not stored, or that has no name.
    case unsupportedKeyPath(model: String, keyPath: String)
    /// The store holds as many layouts as it can number.
    case tooManyLayouts(limit: Int)

    /// Another program has opened the store with another declaration of the model since this one opened it. Objects stored by this one could be unreadable or
    /// be confused.
    case changedByAnotherProgram(model: String, reason: String)
    /// What is asked for takes the Swift type of a model that the program does not have: of what else goes with its objects, or how old
    /// ones are read, the store does not tell all.
    case needsModel(String, reason: String)

    // Documents
    /// The collection's name is not allowed, or the collection cannot do what was asked.
    case invalidCollection(name: String, reason: String)
    /// A path leads to no place of a document that can hold a value. It is empty where it is that of the whole document.
    case invalidDocumentPath(path: String, reason: String)
    /// A document of a model has a property that the model does not have, lacks one, or has a value in it that the property
    /// cannot hold; the reason says what it takes.
    case invalidProperty(model: String, property: String, reason: String)
    /// The documents of a collection have more different paths than its index can number.
    case tooManyPaths(collection: String, path: String, limit: Int)

    // Queries and indexes
    /// A path leads nowhere in the model's declared types.
    case unknownPath(model: String, path: String, reason: String)
    /// Values without a common order are compared or sorted, or a text test is applied to a value that is no text.
    case incomparable(model: String, path: String, reason: String)
    /// Criteria text is not well formed; `position` counts its characters from 0.
    case invalidCriteria(text: String, position: Int, expected: String)
    /// A `#Predicate` contains an expression that a store cannot evaluate.
    case unsupportedPredicate(expression: String, reason: String)
    /// A regular expression is not well formed.
    case invalidRegularExpression(pattern: String, reason: String)
    /// A query asks for something impossible: a negative limit, say.
    case invalidQuery(reason: String)
    /// A query ran longer than its ``Fetch/deadline(_:)``.
    case deadlineExceeded(query: String, deadline: Duration)
    /// A query that must find an object found none.
    case notFound(query: String)
    /// A continuation token is damaged or belongs to another query.
    case invalidToken(reason: String)
    /// A sum does not fit its type: one that was asked for, or that a save would change in an index that keeps it.
    case sumOverflow(model: String, path: String)
    /// Another object has the same values in a unique index.
    case uniqueViolation(model: String, index: String, values: String, id: String, otherID: String)
    /// An object that is to become the one with its id or unique values has those of two: of one by what `match` says, of the other by `otherMatch`.
    case ambiguousUpsert(model: String, id: String, match: String, otherID: String, otherMatch: String)
    /// An index is declared in a way that cannot be kept.
    case invalidIndex(model: String, index: String, reason: String)
    /// An index is not dropped, since there is none of this name, a model declares it, or it is a collection's index of all paths.
    case undroppableIndex(model: String, index: String, reason: String)
    /// An index's entries are damaged or disagree with the records.
    case corruptIndex(model: String, index: String, reason: String)

    // JSON
    /// A text is not JSON that can be read. Lines and columns count from 1, columns in Unicode scalars, the offset in bytes from 0.
    case invalidJSON(line: Int, column: Int, offset: Int, reason: String)
    /// A line of an import cannot be stored, and the import is to be stored as a whole or not at all.
    case lineRefused(line: Int, underlying: any Error)

    // Stores
    /// The store was written in a newer format than this version reads.
    case newerFormat(stored: Int, supported: Int)
    /// The store uses something that this version does not know.
    case newerFeatures([String])
    /// A record was written by a newer version and contains something that this version does not know.
    case newerRecord(model: String, id: String)
    /// The engine holds data that is not a Trove store.
    case notAStore(path: String, reason: String)
    /// The store is the target of a copy that was not finished.
    case incompleteCopy(path: String)
    /// The target of a copy already holds data.
    case destinationNotEmpty(path: String)
    /// A bag was asked for whose store is gone, or is being opened; a store that was closed throws ``StorageError/closed(_:)``.
    case closed(path: String)

    // Encrypted properties
    /// A model has an encrypted property, and the store was opened without keys.
    case fieldKeysMissing(model: String, property: String)
    /// An object has encrypted properties, and the store was opened without their keys.
    case encryptedRecord(model: String, id: String)
    /// A property is encrypted that cannot be, or is used where that would reveal it.
    case invalidEncryption(model: String, property: String, reason: String)

    // Objects
    /// The store already has an object with this id.
    case alreadyExists(model: String, id: String)
    /// An object of a class was saved without a context, and holds a new one that is not stored with it.
    case newObjectLeftOut(model: String, id: String, new: String, newID: String)
    /// The context has deleted the object with this id, and has not saved that: until then the id is not free.
    case deletionNotSaved(model: String, id: String)
    /// Two ids that are too long for a key have the same shortened key.
    case keyCollision(model: String, id: String)
    /// A value cannot be written.
    case encodingFailed(model: String, field: String, reason: String)
    /// A value that is stored, or stands in JSON or a document, does not fit the property.
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
    /// An entry of the store's history is damaged; 0 for what is kept beside the entries.
    case corruptHistory(entry: UInt64, reason: String)

    // History
    /// The history was asked for of a store that keeps none.
    case historyNotKept
    /// What comes behind a place in the history was trimmed, at least in part.
    case historyTrimmed(token: String)
    /// The history has no consumer of this name, as after it was removed.
    case noHistoryConsumer(name: String)
    /// A token is none of the store's history: it is of another store, or the store was restored to an earlier state.
    case unknownHistoryToken(String)

    // Lazy values
    /// The value of a lazy property is no longer stored: its object was given another one since it was read, or was deleted.
    case lazyValueGone(model: String, id: String, property: String)

    // Blobs
    /// There is no blob of this name.
    case noSuchBlob(name: String)
    /// A blob was replaced or deleted while it was read in pieces.
    case blobChanged(name: String)
    /// No piece of a blob arrived for so long that another upload has removed the pieces before.
    case uploadGivenUp(name: String)

    // Full text
    /// The text of a full-text query cannot be read. The position counts Unicode scalars from 0.
    case invalidFullTextQuery(text: String, position: Int, reason: String)
    /// A full-text query needs something that the index does not have.
    case unsupportedFullTextQuery(index: String, reason: String)
    /// The fields of a full-text index cannot be indexed.
    case invalidFullTextFields(reason: String)

    // Transactions
    /// The transaction was used after its closure.
    case transactionFinished
    /// A change of the transaction failed half-way, so it can only roll back.
    case transactionPoisoned(by: any Error)

    // Snapshots
    /// A snapshot was used that was closed, or whose store was.
    case snapshotClosed(path: String)
    /// What waits for all reads of a store was asked for while snapshots are open on its file, or in its memory: a compaction, or the closing of another store
    /// there.
    case snapshotsOpen(path: String, count: Int)
    /// As many snapshots are open on the store's file as its engine keeps beside other reads: ``StorageCapabilities/maxSnapshots``.
    case tooManySnapshots(path: String, limit: Int)

    // Relationships
    /// A relationship is declared in a way that cannot be kept.
    case invalidRelationship(model: String, field: String, reason: String)
    /// A reference points at an object that is not stored.
    case danglingReference(model: String, id: String)
    /// A relationship's rule denies the deletion of an object, because of other objects that stay; the first ten of them are named.
    case deletionDenied(model: String, id: String, blockers: [DeletionBlocker])

    // Contexts
    /// The object's record was changed or deleted elsewhere since the context read it: the object as the context would store it, nil when it is
    /// deleted there, and the record as the store has it, nil when it was deleted.
    case conflict(model: String, id: String, object: StoredRecord?, stored: StoredRecord?)
    /// An object is used that is in no context, or that its context deleted.
    case notInContext(model: String, id: String)
    /// An object was changed that no context stores any longer: its record is deleted, or its context was reset. Nothing else is concerned.
    case changeLost(model: String, id: String, reason: String)
    /// A context is asked for something that it cannot do there: a save inside ``ObjectContext/perform(_:)``, say.
    case contextMisuse(reason: String)

    // Live objects
    /// An object of another context was assigned to a relationship or passed to `insert`.
    case foreignObject(model: String, id: String)

    // Bags
    /// Another bag has the name of a bag that was to be saved.
    case bagNameTaken(name: String)
    /// The bag was stored, and has been deleted since.
    case bagDeleted(name: String?, id: String)
    /// The bag belongs to another store than the one that was to save it.
    case foreignBag(name: String?, id: String)
}

/// An object that stays and prevents the deletion of another one: see ``TroveError/deletionDenied(model:id:blockers:)``.
public struct DeletionBlocker: Sendable, Hashable {
    /// The model of the object that stays.
    public let model: String
    /// The object's id, as messages show it.
    public let id: String
    /// The relationship whose rule denies the deletion: `Song.album`.
    public let relationship: String

    /// How many an error names; there may be others.
    static let mostNamed = 10

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
