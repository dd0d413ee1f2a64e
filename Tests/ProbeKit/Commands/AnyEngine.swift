import TestSupport
import TroveCrypto
import TroveSortedArray
import TroveStorage

/// Every engine by its name, that of the example and the sealed ones too.
package enum AnyEngine {
    package static let sortedArray = "sorted array"

    package static func open(_ name: String, _ path: String) throws -> any StorageBackend {
        if name == sortedArray { return try SortedArrayBackend(path: path) }
        for engine in Engine.allCases where name == engine.sealedName { return try engine.openSealed(path) }
        guard let engine = Engine(rawValue: name) else { throw Inconsistency("there is no engine '\(name)'") }
        return try engine.open(path)
    }
}

extension Engine {
    /// The key of the sealed stores that tests make.
    package static let sealingKey = StoreKey.raw([UInt8](repeating: 7, count: 32))

    /// The engine's name where everything in it is sealed.
    package var sealedName: String { "sealed \(rawValue)" }

    /// Opens the sealed store at `path`.
    package func openSealed(
        _ path: String, key: StoreKey = sealingKey, options: EncryptedBackend.Options = .init()
    ) throws -> EncryptedBackend {
        try EncryptedBackend(open(path), key: key, options: options)
    }
}
