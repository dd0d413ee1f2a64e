import Crypto
import Trove
import TroveStorage

@testable import TroveCrypto

/// The record of keys of a store with encrypted properties, as the store keeps it, without the store.
final class FieldScene: KeyKeeper {
    static let rootKey = [UInt8](repeating: 7, count: 32)

    let place = Place(fieldsOf: "scene")
    let keyring: FieldKeys
    var bytes: [UInt8]
    /// What the store had before, the oldest first.
    private(set) var history: [[UInt8]] = []

    init(_ key: StoreKey = .raw(rootKey)) throws {
        keyring = FieldKeys(key)
        bytes = try keyring.makeKeyRecord()
    }

    func sealer(_ key: StoreKey = .raw(rootKey)) throws -> any FieldSealer { try FieldKeys(key).unlock(bytes, path: "scene") }

    func keys() throws -> (record: KeyRecord, ring: KeyRing) {
        let record = try KeyRecord(bytes, in: place)
        return (record, try keyring.ring(of: record, in: place))
    }

    func prepare(_ storeKey: SymmetricKey, of store: [UInt8]) { keyring.remember(storeKey, of: store) }

    func changeRecord(_ body: (inout KeyRecord, KeyRing) throws -> SymmetricKey) throws {
        let (record, ring) = try keys()
        _ = try record.change(ring, in: place, body) { changed in
            history.append(bytes)
            bytes = changed
            return try KeyRecord(bytes, in: place)
        }
    }
}

extension FieldSealer {
    func sealed(_ value: [UInt8], in place: [UInt8] = [1, 2, 3]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try seal(value.span.bytes, in: place.span.bytes, appendingTo: &bytes)
        return bytes
    }

    func opened(_ sealed: [UInt8], in place: [UInt8] = [1, 2, 3]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try open(sealed.span.bytes, in: place.span.bytes, appendingTo: &bytes)
        return bytes
    }

    /// Why a value does not open; nil when it does.
    func fault(_ sealed: [UInt8], in place: [UInt8] = [1, 2, 3]) throws -> FieldSealingFault? {
        do {
            _ = try opened(sealed, in: place)
            return nil
        } catch let fault as FieldSealingFault { return fault }
    }

    func keyNumber(_ sealed: [UInt8]) -> UInt32? { key(of: sealed.span.bytes) }

    func tag(_ value: [UInt8], _ index: [UInt8]) -> UInt128 { tag(of: value.span.bytes, in: index.span.bytes) }
}

/// The name of the error that a piece of work ends with; nil when it ends well.
func errorName(_ work: () throws -> Void) throws -> String? {
    do {
        try work()
        return nil
    } catch let error as StorageError { return error.name } catch let error as SealedStoreError { return error.name }
}
