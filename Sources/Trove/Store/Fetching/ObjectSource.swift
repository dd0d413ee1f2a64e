/// Where objects are fetched from: a store, which takes a snapshot for each fetch, or a transaction, which is one.
public protocol ObjectSource {
    /// Runs `body` on one consistent view.
    func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result
}

extension ObjectSource {
    /// The objects of a type, to be searched and read in one of several ways; from a store or a write transaction also changed.
    @inlinable
    public func fetch<Object: Model>(_ type: Object.Type) -> Fetch<Object, Self> {
        Fetch(source: self)
    }
}
