/// What a save does about one object.
enum Settlement {
    /// Stores its record, or another one.
    case write([UInt8]?)
    /// Deletes its record.
    case delete
    /// Leaves what is stored, which is this; nil when there is nothing.
    case keep(StoredVersion?)
}
