/// What a write transaction made of one record: its bytes before and after.
struct RecordChange: Sendable, Hashable {
    /// The name of the record's model.
    let modelName: String
    /// The whole key: the id's ``StorableKey/keyBytes``.
    let key: [UInt8]
    /// The record as it was, in the layout it had; nil when there was none.
    let before: [UInt8]?
    /// The record as it is now; nil when it was removed.
    var after: [UInt8]?
}
