import TroveBackendKit

/// What a power loss leaves of a log.
///
/// A durable transaction syncs each record before what it is of is overwritten. So a power loss can leave the last record without some of
/// its sectors, which are zero then, and the file is still as it was where the record belongs.
extension UndoLog {
    static let sectorSize = 512

    /// Makes it last what was found out about the last record: when pages are put back and the power is lost once more, a whole record whose page
    /// is there in part looks as if it lacked sectors.
    static func settle(_ torn: Record?, in log: Int32, endingAt end: Int, onto locked: LockedFile, _ isBigEndian: Bool) throws {
        if let torn {
            // Its page was not overwritten, so it has what the record lacks; of its header a sector can be missing.
            try (bytes(of: torn.offset, 8, isBigEndian) + bytes(of: torn.bytes.count, 4, isBigEndian)).withUnsafeBytes {
                try LockedFile.write($0, to: log, at: torn.bytes.lowerBound - recordHeader, of: locked.file)
            }
            try locked.bytes(at: torn.offset, count: torn.bytes.count).withUnsafeBytes {
                try LockedFile.write($0, to: log, at: torn.bytes.lowerBound, of: locked.file)
            }
            try LockedFile.synchronize(log, of: locked.file)
        }
        // A record that something follows is whole.
        try [UInt8(0)].withUnsafeBytes { try LockedFile.write($0, to: log, at: end, of: locked.file) }
        try LockedFile.synchronize(log, of: locked.file)
    }

    /// Whether there is nothing but zeros where a record should begin, up to the sector's end: records are not empty.
    static func isUnwritten(_ log: UnsafeRawBufferPointer, from position: Int) -> Bool {
        let end = min(log.count, (position + recordHeader + sectorSize - 1) / sectorSize * sectorSize)
        return log[position..<end].allSatisfy { $0 == 0 }
    }

    /// Whether the last record lacks sectors: where it differs from the file, it is zero. The sector that its header ends in is there.
    ///
    /// A whole sector of zeros that was in the file, and of whose page only the new content of that sector has reached the disk, looks the
    /// same, as does the entry of an empty bucket; see ``readings(of:fileSize:header:_:_:)``.
    static func isLastTorn(of records: [Record], in log: UnsafeRawBufferPointer, _ file: UnsafeRawBufferPointer) -> Bool {
        guard records.count > 1, let last = records.last else { return false }
        let (begin, end) = (last.bytes.lowerBound, last.bytes.upperBound)
        let place = last.offset..<last.offset + last.bytes.count
        var there = Array(file[place])
        // What the transaction had changed before is as it was then, or as it was at first: earlier records bring that back in any case.
        for record in records.dropLast() {
            let common = (record.offset..<record.offset + record.bytes.count).clamped(to: place)
            for offset in common { there[offset - place.lowerBound] = log[begin + offset - place.lowerBound] }
        }
        func isInFile(_ part: Range<Int>) -> Bool {
            log[part].elementsEqual(there[part.lowerBound - begin..<part.upperBound - begin])
        }
        var start = min((begin - 1) / sectorSize * sectorSize + sectorSize, end)
        guard isInFile(begin..<start) else { return false }
        var lacksSectors = false
        while start < end {
            let sector = start..<min(start + sectorSize, end)
            if !isInFile(sector) {
                guard log[sector].allSatisfy({ $0 == 0 }) else { return false }
                lacksSectors = true
            }
            start = sector.upperBound
        }
        return lacksSectors
    }
}
