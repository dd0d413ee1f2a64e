/// The four bytes that every stored key begins with: the keyspace's number, the highest byte first.
enum KeyPrefix {
    static let size = 4
    /// The number under which the directory of keyspaces is kept.
    static let directory: UInt32 = 0

    static func bytes(_ number: UInt32) -> [UInt8] { number.bigEndianBytes }

    /// The stored keys of `range` in a keyspace: at or above the first, below the second.
    static func bounds(of lower: [UInt8], _ upper: [UInt8]?, in number: UInt32) -> (lower: [UInt8], upper: [UInt8]) {
        let prefix = bytes(number)
        return (prefix + lower, upper.map { prefix + $0 } ?? bytes(number + 1))
    }
}
