import TroveStorage

/// Where a sealed store's values lie in the wrapped engine.
enum StoreLayout {
    /// The one keyspace. Trove's object stores know it, and say so when they are opened without the key.
    static let keyspace = "$sealed"
    /// Below the keys of all nodes, so that new nodes come last.
    static let recordOfKeys: [UInt8] = [0]
    static let root: [UInt8] = [0, 0]
    /// The number in the root's seal; no node has it.
    static let rootNumber: UInt64 = 0

    /// The key of a node or a large value.
    static func key(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) } }
}
