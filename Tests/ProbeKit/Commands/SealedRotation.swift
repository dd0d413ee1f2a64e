import Foundation
import TestSupport
import TroveCrypto
import TroveStorage

/// A program that gives a sealed store new data keys and a new root key, and that may be killed at any time.
package enum SealedRotation {
    /// The root keys that the program changes between.
    package static let keys = [Engine.sealingKey, .raw([UInt8](repeating: 8, count: 32))]

    /// Opens the store with the key that it has.
    package static func open(_ engine: Engine, _ path: String, wrap: (any StorageBackend) -> any StorageBackend = { $0 }) throws -> EncryptedBackend {
        do { return try EncryptedBackend(wrap(engine.open(path)), key: keys[0]) } catch SealedStoreError.wrongKey {
            return try EncryptedBackend(wrap(engine.open(path)), key: keys[1])
        }
    }

    /// Rotates, changes the root key, and rotates again.
    ///
    /// - Parameters:
    ///   - stepSize: how many values one step seals anew.
    ///   - target: the storage operation at which the process is killed; 0 for none.
    static func run(_ engine: Engine, _ path: String, stepSize: Int, target: Int) throws {
        let operations = OperationCount(target: target)
        let store = try open(engine, path) { KillPointBackend($0, operations.note) }
        for _ in 0..<2 {
            try store.rotateDataKey(stepSize: stepSize) { _ in try FileHandle.standardOutput.write(contentsOf: Data(".".utf8)) }
            let isFirst = (try? EncryptedBackend(engine.open(path), key: keys[0])) != nil
            try store.changeKey(to: keys[isFirst ? 1 : 0])
        }
        try store.close()
    }
}
