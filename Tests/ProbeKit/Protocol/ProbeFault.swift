import Trove

/// An error on its way from the probe to a test.
package struct ProbeFault: Codable, Sendable, Hashable, CustomStringConvertible {
    /// The error's type.
    package let type: String
    /// The name of the enum's case; empty for errors of other kinds.
    package let name: String
    /// What the error says.
    package let message: String

    init(_ error: any Error) {
        type = String(describing: Swift.type(of: error))
        name = error is StorageError || error is TroveError ? Mirror(reflecting: error).children.first?.label ?? "\(error)" : ""
        message = String(describing: error)
    }

    package var description: String { "\(type).\(name): \(message)" }

    /// Whether the error is one of those the library promises.
    package var isTyped: Bool { type == "StorageError" || type == "TroveError" }
}
