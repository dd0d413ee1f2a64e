/// What ``ObjectStore/verify(progress:)-swift.method`` found.
public struct VerificationReport: Sendable {
    /// Something in the store that cannot be read.
    public struct Problem: Sendable, CustomStringConvertible {
        /// The model's name; `$blobs` for a blob, `$catalogue` for an entry of the catalogue.
        public let typeName: String
        /// The key of the entry.
        public let key: [UInt8]
        /// Why it cannot be read.
        public let error: any Error

        public var description: String { "\(typeName) \(StoredRecord.text(of: key)): \(error)" }
    }

    /// The records read, of all types.
    public internal(set) var records = 0
    /// The blobs read.
    public internal(set) var blobs = 0
    /// What could not be read; empty when all is well.
    public internal(set) var problems: [Problem] = []

    /// Whether everything could be read.
    public var isSound: Bool { problems.isEmpty }
}
