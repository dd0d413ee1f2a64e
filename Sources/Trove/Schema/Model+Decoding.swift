extension Model {
    /// A new object of a checked record, which no context knows.
    @inlinable
    static func newObject(from record: inout RecordDecoder) throws -> Self {
        let object = try Self(from: &record)
        return record.isOutdated ? try upgraded(object, &record) : object
    }

    /// The object of a record of an earlier version, completed by ``upgrade(from:)``.
    ///
    /// - Throws: ``TroveError/upgradeFailed(model:id:underlying:)``.
    @usableFromInline static func upgraded(_ object: Self, _ record: inout RecordDecoder) throws -> Self {
        let layout = record.layout
        let old = StoredRecord(key: try record.wholeKey(), layout: layout, values: try record.storedValues(layout), annexes: record.annexSource)
        var object = object
        do {
            try object.upgrade(from: old)
            guard object.id.keyBytes == old.key else { throw ChangedIdentity() }
        } catch {
            throw TroveError.upgradeFailed(model: layout.modelName, id: object.id.shownInErrors, underlying: error)
        }
        return object
    }
}

/// A read that has its own objects for records, as a context's read does.
public protocol _ObjectReading: AnyObject {}

/// An upgrade must leave an object under its key: the old record would stay beside the new one.
struct ChangedIdentity: Error, CustomStringConvertible {
    var description: String { "it changed the id; save the object under its new id and delete the old one in a transaction" }
}
