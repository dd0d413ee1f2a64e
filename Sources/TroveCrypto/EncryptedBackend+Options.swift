import TroveBackendKit

extension EncryptedBackend {
    /// What may be set when a store is opened. The defaults suit most programs.
    public struct Options: Sendable, Hashable {
        /// Whether a store is made where the wrapped engine is empty; otherwise opening throws ``SealedStoreError/notSealed(_:)``.
        ///
        /// Say false for a store that has to be there: who can write the file can put an empty one in its place.
        public var createsStore = true

        /// The state that the store has to have, or a later one; see ``EncryptedBackend/sealedState()``.
        public var expectedState: SealedState?

        /// The most memory for opened nodes, in bytes, up to 2⁴⁰; 0 for none.
        public var cacheSize = 32 << 20

        /// The size above which a node is divided, in bytes as the wrapped engine has it: 1,024 to 65,536. Stores of any size can be opened with any.
        ///
        /// The default fits one page of LMDB and half of one of SQLite.
        public var nodeSize = 4_080

        /// The memory for changed nodes of a write transaction from which they are written before its end, in bytes: 2²⁰ to 2⁴⁰.
        /// Those that a savepoint changes stay in memory until it ends.
        public var transactionMemory = 64 << 20

        /// The defaults.
        public init() {}

        func validate(_ place: Place) throws {
            let check = OptionCheck(engine: place.engine, path: place.path)
            try check.require("cacheSize", cacheSize, in: 0...(1 << 40))
            try check.require("nodeSize", nodeSize, in: 1_024...65_536)
            try check.require("transactionMemory", transactionMemory, in: (1 << 20)...(1 << 40))
        }
    }
}
