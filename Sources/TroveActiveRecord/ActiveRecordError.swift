import Foundation

/// An error of saving and finding on the object itself; the store's errors are ``TroveError`` and `StorageError` as elsewhere.
public enum ActiveRecordError: Error, Sendable, Hashable {
    /// No store is connected.
    case notConnected
    /// The object is not in the store, or no longer.
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
