import Foundation

/// What can be wrong with saving and finding on the object itself; errors of the store are ``TroveError`` and `StorageError` as ever.
public enum ActiveRecordError: Error, Sendable, Hashable {
    /// No store has been named.
    case notConnected
    /// The object is not in the store, or not any more.
    case notFound(model: String, id: String)
}

extension ActiveRecordError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notConnected: "no store is connected: call ActiveRecord.connect(store) first, or run inside ActiveRecord.using(store) { … }"
        case .notFound(let model, let id): "there is no \(model) with the id \(id) in the store: save it first"
        }
    }
}

extension ActiveRecordError: LocalizedError {
    public var errorDescription: String? { description }
}
