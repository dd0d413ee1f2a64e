/// An entry of the catalogue: a self-describing nested value followed by eight bytes of checksum, which covers the entry's name.
enum CatalogueEntry {
    static func encode(_ value: StoredValue, name: String) throws -> [UInt8] {
        var bytes = ByteWriter()
        try value.encodeNested(into: &bytes)
        let checksum = checksum(of: bytes.bytes(), name: name)
        bytes.append(checksum.littleEndian)
        return bytes.bytes()
    }

    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``.
    static func decode(_ bytes: [UInt8], name: String) throws -> StoredValue {
        guard bytes.count > 8 else { throw TroveError.corruptCatalogue(entry: name, reason: "it is too short") }
        let body = Array(bytes.dropLast(8))
        let stored = bytes.suffix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard stored == checksum(of: body, name: name) else {
            throw TroveError.corruptCatalogue(entry: name, reason: "its checksum does not fit")
        }
        return try body.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            return try StoredValue.decodeNested(from: &reader)
        }
    }

    private static func checksum(of bytes: [UInt8], name: String) -> UInt64 {
        Checksum.hash(bytes, seed: Checksum.hash(Array(name.utf8)))
    }
}
