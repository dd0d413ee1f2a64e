import Foundation
import Synchronization

/// Stands in for sealed fields until the records have them: values lie in a keyspace of the application's, the record of keys in metadata.
private let standInKeyrings = Mutex<[ObjectIdentifier: any FieldKeyring]>([:])

@_spi(FieldSealing) extension ObjectStore {
    public var fieldKeyring: (any FieldKeyring)? { standInKeyrings.withLock { $0[ObjectIdentifier(core)] } }

    public func useStandIn(_ keyring: any FieldKeyring) throws {
        standInKeyrings.withLock { $0[ObjectIdentifier(core)] = keyring }
        try write { if try $0.fieldKeyRecord() == nil { try $0.setFieldKeyRecord(keyring.makeKeyRecord()) } }
        _ = try read { try $0.standInSealer() }
    }
}

@_spi(FieldSealing) extension ReadTransaction {
    public func fieldKeyRecord() throws -> [UInt8]? {
        guard case .data(let data)? = try metadata(forKey: "stand-in") else { return nil }
        return [UInt8](data)
    }

    public func standInSealer() throws -> any FieldSealer {
        guard let keyring = standInKeyrings.withLock({ $0[ObjectIdentifier(core)] }), let record = try fieldKeyRecord() else { throw TroveError.transactionFinished }
        return try keyring.unlock(record, path: core.backend.path)
    }

    public func sealedFieldCounts() throws -> SealedFieldCounts {
        let sealer = try standInSealer()
        var counts = SealedFieldCounts(sealed: [:], plain: ["Note.text": 0])
        for (_, value) in try keyspace("stand-in").entries() {
            let sealed = Array(value.dropFirst())
            if value.first == 0 {
                counts.plain["Note.text", default: 0] += 1
            } else if let key = sealer.key(of: sealed.span.bytes) {
                counts.sealed[key, default: 0] += 1
            }
        }
        return counts
    }

    public func standInValue(_ id: [UInt8]) throws -> [UInt8]? {
        guard let value = try keyspace("stand-in").value(of: id) else { return nil }
        if value.first == 0 { return Array(value.dropFirst()) }
        var bytes: [UInt8] = []
        let sealed = Array(value.dropFirst())
        try standInSealer().open(sealed.span.bytes, in: id.span.bytes, appendingTo: &bytes)
        return bytes
    }
}

@_spi(FieldSealing) public struct SealedFieldCounts {
    public var sealed: [UInt32: Int]
    public var plain: [String: Int]
}

@_spi(FieldSealing) extension WriteTransaction {
    public func setFieldKeyRecord(_ record: [UInt8]) throws { try setMetadata(.data(Data(record)), forKey: "stand-in") }

    public func standInSet(_ value: [UInt8], _ id: [UInt8], plain: Bool = false) throws {
        var bytes: [UInt8] = plain ? [0] + value : [1]
        if !plain { try standInSealer().seal(value.span.bytes, in: id.span.bytes, appendingTo: &bytes) }
        try keyspace("stand-in").put(id, bytes)
    }

    public func resealFields(from place: FieldSealingPlace?, limit: Int) throws -> FieldSealingPlace? {
        let sealer = try standInSealer()
        var count = 0
        for (id, value) in try keyspace("stand-in").entries(KeyRange(from: place?.key ?? [])) {
            let sealed = Array(value.dropFirst())
            if value.first == 1, sealer.key(of: sealed.span.bytes) == sealer.activeKey { continue }
            if count == limit { return FieldSealingPlace(key: id) }
            if let plain = try standInValue(id) { try standInSet(plain, id) }
            count += 1
        }
        return nil
    }
}

@_spi(FieldSealing) public struct FieldSealingPlace: Sendable { let key: [UInt8] }
