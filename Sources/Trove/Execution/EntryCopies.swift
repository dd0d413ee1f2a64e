/// Copies of an index's entries, for those that are handed on after the engine's bytes are gone.
struct EntryCopies {
    /// Where the pieces of an entry end, which lie one after the other.
    private struct Place {
        let start, partsEnd, keyEnd, end: Int
        let isShortened, isUnique: Bool
    }

    private var bytes: [UInt8] = []
    private var places: [Place] = []

    var count: Int { places.count }

    mutating func append(_ entry: IndexEntry) {
        let start = bytes.count
        bytes.append(contentsOf: entry.parts)
        let partsEnd = bytes.count
        bytes.append(contentsOf: entry.recordKey)
        let keyEnd = bytes.count
        bytes.append(contentsOf: entry.covered)
        places.append(
            Place(start: start, partsEnd: partsEnd, keyEnd: keyEnd, end: bytes.count, isShortened: entry.isShortened, isUnique: entry.isUnique))
    }

    /// Calls `body` with the entries ascending by record key until it returns ``ScanStep/stop``; returns its last answer.
    func forEachByKey(_ body: (IndexEntry) throws -> ScanStep) rethrows -> ScanStep {
        try bytes.withUnsafeBytes { buffer in
            func piece(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[range]) }
            func key(_ place: Place) -> UnsafeRawBufferPointer { piece(place.partsEnd..<place.keyEnd) }
            for number in KeyList.ascending(places.count, { key(places[$0]) }) {
                let place = places[number]
                let entry = IndexEntry(
                    parts: piece(place.start..<place.partsEnd), isShortened: place.isShortened, recordKey: key(place), isUnique: place.isUnique,
                    covered: piece(place.keyEnd..<place.end))
                if try body(entry) == .stop { return .stop }
            }
            return .next
        }
    }
}
