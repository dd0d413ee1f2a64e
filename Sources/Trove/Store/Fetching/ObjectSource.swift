/// Where objects are fetched from: a store, which takes a snapshot for each fetch, or a transaction, which is one.
public protocol ObjectSource {
    /// Runs `body` on one consistent view.
    func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result
}
