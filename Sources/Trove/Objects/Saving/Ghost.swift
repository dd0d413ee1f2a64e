/// What is left of an object that was inserted and deleted before a save: others may point at it, and it may own others, so that the save has to heed
/// its delete rules as if it had been stored.
struct Ghost: Sendable {
    let type: any LiveModel.Type
    let key: RecordKey
    let record: [UInt8]
    /// Tells it from another one of the same key.
    let number: Int

    var contextKey: ObjectKey { ObjectKey(ObjectIdentifier(type), key.long ?? key.bytes) }
}
