/// How far an index of a store is.
public enum IndexState: Sendable, Hashable {
    /// Its entries are being made of the records there are, and queries do not use it. The records up to and with this engine's key are
    /// in it and kept in step by every change; nil before the first batch.
    case building(after: [UInt8]?)
    /// It agrees with the records.
    case ready
    /// It is no longer declared, or was replaced, and what is left of it is being removed.
    case dropping
}
