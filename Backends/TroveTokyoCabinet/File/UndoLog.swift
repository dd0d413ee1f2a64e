#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

import TroveBackendKit
import TroveStorage

/// The library's log beside the file: what the transaction that was running has overwritten.
///
/// The library would replay it itself when it opens the file, but it believes every number in the log,
/// keeps numbers it read before the replay when the last record is cut off, and loses its file lock.
/// So the log is checked and replayed here, and the library finds it empty.
///
///     0  8  the size of the file when the transaction began
///     then records:  8  offset    4  size    the bytes that were there; the first is the header's
struct UndoLog {
    struct Record {
        let offset: Int
        let bytes: Range<Int>
    }

    static let recordHeader = 12

    /// The path of the log of a store.
    static func path(of file: StoreFile) -> String { file.path + ".wal" }

    /// Whether the log is of a transaction that began with exactly this header.
    ///
    /// When it begins a transaction, the library sets the header's flag to closed, logs the header and sets the flag back. Should the system write
    /// the page to the disk in between, and then the power go, the header says closed beside a log that counts.
    static func begins(with header: [UInt8], beside file: StoreFile, isBigEndian: Bool, isReadOnly: Bool) throws -> Bool {
        let log = try StoreFile(engine: file.engine, path: path(of: file), isReadOnly: isReadOnly)
        guard log.exists else { return false }
        let bytes = try log.bytes(at: 8, count: recordHeader + FileHeader.size)
        guard bytes.count == recordHeader + FileHeader.size, bytes.dropFirst(recordHeader).elementsEqual(header) else { return false }
        return bytes.withUnsafeBytes { number($0, 0, 8, isBigEndian) == 0 && number($0, 8, 4, isBigEndian) == UInt64(FileHeader.size) }
    }

    /// Throws when a log with contents lies beside a file that was not closed: bringing the file back would be to write it.
    ///
    /// - Throws: ``StorageError/readOnly(_:)``.
    static func requireNone(beside file: StoreFile) throws {
        let log = try StoreFile(engine: file.engine, path: path(of: file), isReadOnly: true)
        guard log.size > 0 else { return }
        throw StorageError.readOnly(
            .init(
                engine: file.engine, path: file.path,
                message: """
                    the store was not closed, and its log '\(log.path)' cannot be used where nothing may be written; open and close the store once where \
                    it can be written, or copy it there with its log
                    """))
    }

    /// Brings the file back to where the unfinished transaction began, when there is one.
    ///
    /// - Parameter check: Called with the file's bytes as they would be, and whether the log may mean another file, so that all pages are to be looked at.
    ///   Returns false when they are not all right and need not be for this file, and throws when they cannot be right.
    /// - Throws: `corrupt` when the log is damaged or not of this file, and what `check` throws; then neither file was changed.
    static func replay(
        onto locked: LockedFile, header: [UInt8], isBigEndian: Bool, check: Check
    ) throws {
        let file = locked.file
        // What a link leads to is not the store's, and would be emptied.
        let descriptor = open(path(of: file), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw StoreFile.error(errno, engine: file.engine, path: path(of: file))
        }
        defer { close(descriptor) }
        try LockedFile.withMapping(of: descriptor, for: file) { log in
            guard log.count >= 8 + recordHeader + FileHeader.size else { return }
            // A power loss came before the log was synced for the first time, and so before anything was overwritten.
            if log.allSatisfy({ $0 == 0 }) { return }
            let size = Int(truncatingIfNeeded: number(log, 0, 8, isBigEndian))
            let readings = try readings(of: log, fileSize: size, header: header, isBigEndian, locked)
            let reading = try likeliest(readings, of: log, fileSize: size, locked, check)
            // A record that something follows was synced before that was written.
            if reading.torn != nil || reading.records.last?.bytes.upperBound == log.count {
                try settle(reading.torn, in: descriptor, endingAt: log.count, onto: locked, isBigEndian)
            }
            for record in reading.records.reversed() {
                var bytes = Array(log[record.bytes])
                // The library logs the header while its flag says closed. The file was not closed, and beside one that was a log does not count: should
                // this be cut off inside the header, there would be none.
                let flag = PageStoreHeader.flagsOffset - record.offset
                if bytes.indices.contains(flag) { bytes[flag] = PageStoreHeader.openFlag }
                try bytes.withUnsafeBytes { try locked.write($0, at: record.offset) }
            }
            try locked.truncate(to: size)
            try locked.synchronize()
        }
        guard ftruncate(descriptor, 0) == 0 else { throw StoreFile.error(errno, engine: file.engine, path: path(of: file)) }
        try LockedFile.synchronize(descriptor, of: file)
    }

    typealias Check = (_ file: UnsafeRawBufferPointer, _ isUncertain: Bool) throws -> Bool

    /// What a log may mean.
    struct Reading {
        /// The records that count, in the order they were written.
        let records: [Record]
        /// The last one, which does not count since it lacks sectors.
        var torn: Record?
    }

    /// What the log may mean, the likelier first.
    ///
    /// Zeros at its end are a sector that a power loss has taken, or what was overwritten: the entry of an empty bucket has eight of them. The pages tell: in
    /// the second case the file without that record has the transaction's link to a page that the file does not have any more.
    private static func readings(
        of log: UnsafeRawBufferPointer, fileSize: Int, header: [UInt8], _ isBigEndian: Bool, _ locked: LockedFile
    ) throws -> [Reading] {
        let (records, isWhole) = try chain(of: log, fileSize: fileSize, header: header, isBigEndian, locked.file)
        var readings = isWhole ? [Reading(records: records)] : []
        try locked.withPrivateCopy(upTo: fileSize) { bytes in
            if let found = recordLackingHeader(behind: records, isWhole: isWhole, in: log, UnsafeRawBufferPointer(bytes), isBigEndian) {
                readings.insert(Reading(records: Array(records[..<found.index]), torn: found.record), at: 0)
            } else if isWhole, records.last?.bytes.upperBound == log.count, isLastTorn(of: records, in: log, UnsafeRawBufferPointer(bytes)) {
                readings.insert(Reading(records: records.dropLast(), torn: records.last), at: 0)
            }
        }
        if readings.isEmpty { throw foreign(locked.file) }
        return readings
    }

    /// The first that gives a file whose pages are right; where none does, the first that gives one that may be.
    private static func likeliest(
        _ readings: [Reading], of log: UnsafeRawBufferPointer, fileSize: Int, _ locked: LockedFile, _ check: Check
    ) throws -> Reading {
        var possible: Reading?
        var failure: (any Error)?
        for reading in readings {
            do {
                var isRight = false
                try locked.withPrivateCopy(upTo: fileSize) { bytes in
                    for record in reading.records.reversed() {
                        UnsafeMutableRawBufferPointer(rebasing: bytes[record.offset...]).copyMemory(from: UnsafeRawBufferPointer(rebasing: log[record.bytes]))
                    }
                    bytes[PageStoreHeader.flagsOffset] = PageStoreHeader.openFlag
                    isRight = try check(UnsafeRawBufferPointer(bytes), readings.count > 1)
                }
                if isRight { return reading }
                possible = possible ?? reading
            } catch let error as StorageError where error.suspectsCorruption {
                failure = failure ?? error
            }
        }
        if let possible { return possible }
        throw failure ?? foreign(locked.file)
    }

    /// The whole records, in the order they were written. The last one may be cut off: the crash came before what it is for.
    static func records(
        of log: UnsafeRawBufferPointer, fileSize: Int, header: [UInt8], _ isBigEndian: Bool, _ file: StoreFile
    ) throws -> [Record] {
        let (records, isWhole) = try chain(of: log, fileSize: fileSize, header: header, isBigEndian, file)
        guard isWhole else { throw foreign(file) }
        return records
    }

    /// The records up to the first that cannot be one, and whether there is none such.
    private static func chain(
        of log: UnsafeRawBufferPointer, fileSize: Int, header: [UInt8], _ isBigEndian: Bool, _ file: StoreFile
    ) throws -> (records: [Record], isWhole: Bool) {
        guard fileSize >= FileHeader.size, fileSize <= 1 << 56 else { throw foreign(file) }
        var records: [Record] = []
        var isWhole = true
        var position = 8
        while position + recordHeader <= log.count {
            let offset = number(log, position, 8, isBigEndian)
            let size = Int(number(log, position + 8, 4, isBigEndian))
            guard offset <= UInt64(fileSize), size <= fileSize - Int(offset) else {
                isWhole = false
                break
            }
            let start = position + recordHeader
            if isUnwritten(log, from: position) { break }
            guard start + size <= log.count else { break }
            records.append(Record(offset: Int(offset), bytes: start..<start + size))
            position = start + size
        }
        // What never changes in a header is the same in the file and in the log's first record.
        guard let first = records.first, first.offset == 0, first.bytes.count == FileHeader.size,
            header.count == FileHeader.size,
            log[first.bytes].prefix(33).elementsEqual(header[..<33]),
            log[first.bytes].dropFirst(34).prefix(14).elementsEqual(header[34..<48]),
            log[first.bytes].dropFirst(64).prefix(8).elementsEqual(header[64..<72])
        else { throw foreign(file) }
        return (records, isWhole)
    }

    private static func foreign(_ file: StoreFile) -> StorageError {
        .corrupt(
            .init(
                engine: file.engine, path: file.path,
                message: "the log '\(path(of: file))' is damaged or belongs to another file; restore both or move the log away"))
    }

    static func number(_ log: UnsafeRawBufferPointer, _ offset: Int, _ size: Int, _ isBigEndian: Bool) -> UInt64 {
        let bytes = log[offset..<offset + size]
        return isBigEndian ? UInt64(bigEndianBytes: bytes) : UInt64(bigEndianBytes: bytes.reversed())
    }

    static func bytes(of value: Int, _ size: Int, _ isBigEndian: Bool) -> [UInt8] {
        let bytes = value.bigEndianBytes.suffix(size)
        return isBigEndian ? Array(bytes) : bytes.reversed()
    }
}
