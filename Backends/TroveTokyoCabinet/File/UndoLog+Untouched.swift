/// What the log tells of the transaction that is being written.
extension UndoLog {
    /// A place that was logged, because it was to be overwritten, and is as it was.
    struct UntouchedPlace {
        let size: Int
        /// The first of its bytes: enough for a page's name.
        let start: [UInt8]
    }

    /// The places at which a write may have been refused.
    ///
    /// - Parameter head: Where the mapped part of the file ends, which is not written to by system calls.
    static func untouchedPlaces(behind head: Int, in log: Int32, of locked: LockedFile) throws -> [UntouchedPlace] {
        let header = try locked.bytes(at: 0, count: FileHeader.size)
        let isBigEndian = try PageStoreHeader(header, of: locked.file).isBigEndian
        return try LockedFile.withMapping(of: log, for: locked.file) { log in
            guard log.count >= 8 else { return [] }
            let size = Int(truncatingIfNeeded: number(log, 0, 8, isBigEndian))
            let records = try records(of: log, fileSize: size, header: header, isBigEndian, locked.file)
            var places: [UntouchedPlace] = []
            try locked.withPrivateCopy(upTo: size) { bytes in
                // From the last one back: each is compared with what was there when the next was logged.
                for record in records.reversed() {
                    let old = UnsafeRawBufferPointer(rebasing: log[record.bytes])
                    let place = UnsafeMutableRawBufferPointer(rebasing: bytes[record.offset..<record.offset + old.count])
                    if record.offset >= head, place.elementsEqual(old) {
                        places.append(UntouchedPlace(size: old.count, start: Array(old.prefix(64))))
                    }
                    place.copyMemory(from: old)
                }
            }
            return places
        }
    }
}
