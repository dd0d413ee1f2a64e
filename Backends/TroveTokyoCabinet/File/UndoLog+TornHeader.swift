/// A last record whose header stands in two sectors, of which a power loss has left one.
///
/// Its offset or its size is partly zero then, and what is behind it is taken for records. As any last record that lacks sectors it is of a place that was
/// not overwritten; so that place can be found in the file, by what the record still has, and then the record does not count.
extension UndoLog {
    /// The record, with the offset and the size that it had, and its index in `records`; nil when there is none.
    ///
    /// - Parameters:
    ///   - records: what was taken for records.
    ///   - isWhole: whether nothing shows that they are none; then only the bytes of the place itself count.
    ///   - file: the file as it was found.
    /// - Complexity: O(*n*) in the size of the file when there is one.
    static func recordLackingHeader(
        behind records: [Record], isWhole: Bool, in log: UnsafeRawBufferPointer, _ file: UnsafeRawBufferPointer, _ isBigEndian: Bool
    ) -> (index: Int, record: Record)? {
        // One more begins where the last one ends, which could not be one.
        let positions = records.map { $0.bytes.lowerBound - recordHeader } + [records.last?.bytes.upperBound ?? 8]
        for (index, position) in positions.enumerated().dropFirst() {
            guard let present = presentPart(ofHeaderAt: position, in: log) else { continue }
            let bytes = position + recordHeader..<log.count
            let size = Self.bytes(of: bytes.count, 4, isBigEndian)
            guard present.clamped(to: position + 8..<bytes.lowerBound).allSatisfy({ log[$0] == size[$0 - position - 8] }) else { continue }
            let known = present.clamped(to: position..<position + 8)
            // What the transaction had changed before is brought back by an earlier record in any case, at an offset that is known.
            let covered = isWhole || known.count < 8 ? [] : records[..<index].map { $0.offset..<$0.offset + $0.bytes.count }
            if let offset = offset(of: bytes, known, at: position, in: log, file, covered, isBigEndian) {
                return (index, Record(offset: offset, bytes: bytes))
            }
        }
        return nil
    }

    /// The bytes of a header that reached the disk, when it stands in two sectors and one is zero; nil otherwise.
    private static func presentPart(ofHeaderAt position: Int, in log: UnsafeRawBufferPointer) -> Range<Int>? {
        let end = position + recordHeader
        let boundary = (position / sectorSize + 1) * sectorSize
        guard boundary < end, end < log.count else { return nil }
        switch (log[position..<boundary].allSatisfy { $0 == 0 }, log[boundary..<end].allSatisfy { $0 == 0 }) {
        // One part is zero in the header itself, and nobody knows which.
        case (true, true): return boundary..<boundary
        case (false, true): return position..<boundary
        case (true, false): return boundary..<end
        case (false, false): return nil
        }
    }

    /// So many bytes stand elsewhere in a file by chance too: an entry of the table of buckets has eight, and then a record that counts would be left out.
    private static let chanceSize = 64

    /// Where in the file the sectors stand that a record still has, at an offset that has the bytes of it that are known.
    private static func offset(
        of bytes: Range<Int>, _ known: Range<Int>, at position: Int, in log: UnsafeRawBufferPointer, _ file: UnsafeRawBufferPointer, _ covered: [Range<Int>],
        _ isBigEndian: Bool
    ) -> Int? {
        let parts = presentParts(of: bytes, in: log)
        let isKnown = known.count == 8
        guard bytes.count <= file.count, parts.reduce(0, { $0 + $1.count }) >= (isKnown ? 1 : chanceSize) else { return nil }
        func place(_ byte: Int) -> Int { (isBigEndian ? 7 - (byte - position) : byte - position) * 8 }
        let mask = known.reduce(0) { $0 | 0xFF << place($1) }
        let value = known.reduce(0) { $0 | Int(log[$1]) << place($1) }
        let last = file.count - bytes.count
        guard value >= 0, value <= last else { return nil }
        // The low bytes are known, or the high ones, or none.
        let step = mask & 1 == 1 && !isKnown ? mask + 1 : 1
        let end = isKnown ? value : mask & 1 == 1 || mask == 0 ? last : min(last, value | ~mask)
        return stride(from: value, through: end, by: step).first { offset in
            parts.allSatisfy { part in
                let start = offset + part.lowerBound - bytes.lowerBound
                let there = file[start..<start + part.count]
                if log[part].elementsEqual(there) { return true }
                return !covered.isEmpty && part.allSatisfy { byte in
                    let index = start + byte - part.lowerBound
                    return log[byte] == file[index] || covered.contains { $0.contains(index) }
                }
            }
        }
    }

    /// The parts of a record that are in sectors that reached the disk.
    private static func presentParts(of bytes: Range<Int>, in log: UnsafeRawBufferPointer) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = bytes.lowerBound
        while start < bytes.upperBound {
            let part = start..<min((start / sectorSize + 1) * sectorSize, bytes.upperBound)
            if !log[part].allSatisfy({ $0 == 0 }) { parts.append(part) }
            start = part.upperBound
        }
        return parts
    }
}
