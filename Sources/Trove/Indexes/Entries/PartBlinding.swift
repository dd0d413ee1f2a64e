/// Makes what the entries of a blind index have in place of their parts: a keyed hash, which shows neither the values nor their order.
struct PartBlinding: Sendable {
    private let options: BlindOptions
    private let sealer: any FieldSealer
    /// What tells the index's hashes from those of others: equal values in two indexes have nothing in common.
    private let index: [UInt8]

    init(_ options: BlindOptions, modelName: String, indexName: String, _ sealer: any FieldSealer) {
        self.options = options
        self.sealer = sealer
        index = Array(modelName.utf8) + [0] + Array(indexName.utf8)
    }

    /// The hash that a record's entry has for its parts.
    ///
    /// - Parameter recordKey: chooses among the hashes that a value has.
    func tag(of parts: UnsafeRawBufferPointer, recordKey: UnsafeRawBufferPointer) -> [UInt8] {
        tag(of: parts, share: options.spread == 1 ? 0 : UInt8(Checksum.hash(recordKey) % UInt64(options.spread)))
    }

    /// All the hashes that the entries of records with these parts may have.
    func tags(of parts: [UInt8]) -> [[UInt8]] {
        (0..<UInt8(options.spread)).map { share in parts.withUnsafeBytes { tag(of: $0, share: share) } }
    }

    private func tag(of parts: UnsafeRawBufferPointer, share: UInt8) -> [UInt8] {
        let value = [share] + parts
        let hash = sealer.tag(of: value.span.bytes, in: index.span.bytes) & (.max << UInt128(128 - options.bits))
        return withUnsafeBytes(of: hash.bigEndian) { Array($0.prefix((options.bits + 7) / 8)) }
    }
}
