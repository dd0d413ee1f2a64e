/// The stored record that an update by query has read last, for what follows from its change. Its memory is used again and again.
struct RecordRead {
    private var model: ObjectIdentifier?
    private var key: [UInt8] = []
    private var bytes: [UInt8] = []
    /// The number of changes when it was read.
    private var changeNumber = 0

    /// Forgets the record before; the next is of this key.
    mutating func begin(_ key: RawSpan, of model: ModelBinding, at changeNumber: Int) {
        self.model = ObjectIdentifier(model)
        self.changeNumber = changeNumber
        self.key.removeAll(keepingCapacity: true)
        key.withUnsafeBytes { self.key.append(contentsOf: $0) }
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func keep(_ record: RawSpan) {
        record.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// Whether these are the bytes that a record has now: what was done since may have changed it, or read another.
    func isKnown(_ key: RawSpan, of model: ModelBinding, at changeNumber: Int) -> Bool {
        !bytes.isEmpty && self.changeNumber == changeNumber && self.model == ObjectIdentifier(model) && key.withUnsafeBytes { self.key.elementsEqual($0) }
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(body)
    }
}
