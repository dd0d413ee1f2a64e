/// Results that are sorted in memory: for each one its sort bytes and key, and, up to a bound, its record.
struct SortBuffer {
    private struct Item: WordSorted {
        /// The first bytes of the place, by which most results are told apart; in halves, since a number of 16 bytes would make each item one of 48.
        let high, low: UInt64
        let offset: Int
        let sortSize: UInt32
        let keySize: UInt32
        /// Negative when the record was not kept.
        let recordSize: Int

        var word: UInt128 { UInt128(high) << 64 | UInt128(low) }
    }

    /// How many bytes of records are kept beside their sort bytes; those of later results are read again.
    private static let recordBudget = 32 << 20

    private var bytes: [UInt8] = []
    private var items: [Item] = []
    private var recordBytes = 0

    var count: Int { items.count }

    /// Adds a result. `place` has the bytes of its sort and then its whole key.
    mutating func append(_ place: RawSpan, sortSize: Int, record: RawSpan?) {
        let offset = bytes.count
        place.withUnsafeBytes { bytes.append(contentsOf: $0) }
        let word = place.withUnsafeBytes { UInt128(firstBytes: $0) }
        var recordSize = -1
        if let record, recordBytes + record.byteCount <= Self.recordBudget {
            record.withUnsafeBytes { bytes.append(contentsOf: $0) }
            recordSize = record.byteCount
            recordBytes += recordSize
        }
        items.append(
            Item(
                high: UInt64(word >> 64), low: UInt64(truncatingIfNeeded: word), offset: offset, sortSize: UInt32(sortSize),
                keySize: UInt32(place.byteCount - sortSize), recordSize: recordSize))
    }

    /// - Throws: what the watch throws.
    mutating func sort(_ watch: inout ReadWatch) throws {
        guard items.count > 1 else { return }
        try items.sortByWord(watch.look)
        try bytes.withUnsafeBytes { buffer in
            try items.withUnsafeMutableBufferPointer { items in
                var start = 0
                for end in 1...items.count where end == items.count || items[end].word != items[start].word {
                    var alike = UnsafeMutableBufferPointer(rebasing: items[start..<end])
                    start = end
                    try watch.step()
                    guard alike.count > 1 else { continue }
                    try alike.sort { left, right in
                        try watch.step()
                        return Self.place(left, buffer).bytes.compare(to: Self.place(right, buffer).bytes) < 0
                    }
                }
            }
        }
    }

    private static func place(_ item: Item, _ buffer: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: buffer[item.offset..<item.offset + Int(item.sortSize) + Int(item.keySize)])
    }

    /// Calls `body` with the engine's key of each result, and its record if it was kept, until it returns ``ScanStep/stop``; returns its last answer.
    @discardableResult
    func forEach(_ body: (_ key: RawSpan, _ record: RawSpan?) throws -> ScanStep) rethrows -> ScanStep {
        try bytes.withUnsafeBytes { buffer in
            for item in items {
                let end = item.offset + Int(item.sortSize) + Int(item.keySize)
                let whole = UnsafeRawBufferPointer(rebasing: buffer[end - Int(item.keySize)..<end])
                let step: ScanStep
                if let short = RecordKey.key(ofID: whole) {
                    let record = item.recordSize < 0 ? nil : UnsafeRawBufferPointer(rebasing: buffer[end..<end + item.recordSize])
                    if try short.withUnsafeBytes({ try body($0.bytes, record?.bytes) }) == .stop { return .stop }
                    continue
                }
                let key = whole
                if item.recordSize >= 0 {
                    step = try body(key.bytes, UnsafeRawBufferPointer(rebasing: buffer[end..<end + item.recordSize]).bytes)
                } else {
                    step = try body(key.bytes, nil)
                }
                if step == .stop { return .stop }
            }
            return .next
        }
    }
}
