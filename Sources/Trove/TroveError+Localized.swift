import Foundation

/// `localizedDescription`, which many programs print, tells what `description` does.
extension TroveError: LocalizedError {
    public var errorDescription: String? { description }
}

extension StorageError: LocalizedError {
    public var errorDescription: String? { description }
}
