import Foundation

/// The asynchronous twins compute on the store's reader threads.
extension Fetch where Source == ObjectStore {
    /// Several aggregates at once; see ``aggregate(_:)-swift.method``.
    public func aggregate<each Value>(_ aggregates: repeat Aggregate<Object, each Value>) async throws -> (repeat each Value) {
        let fetch = self
        return try await source.read { try $0.fetch(fetch).aggregate(repeat each aggregates) }
    }
}
