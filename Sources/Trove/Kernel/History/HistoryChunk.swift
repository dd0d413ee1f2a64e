import Foundation

/// A part of an entry of the history: one value of the engine.
struct HistoryChunk {
    /// What every chunk of an entry says of the whole.
    struct Header {
        /// Whether it is the last chunk of its entry.
        let isLast: Bool
        let stamp: UInt64
        let date: Date
        /// Who makes the changes, as far as was known when the chunk was written.
        let author: String?
    }

    /// One change, as it is stored.
    struct Change {
        let kind: ObjectChange.Kind
        let modelName: String
        /// The whole key of the object.
        let key: [UInt8]
        /// The record before, in the layout that it had; nil when there was none, or it is not kept.
        let old: [UInt8]?
        /// The record after.
        let new: [UInt8]?
    }

    private static let version: UInt8 = 1
    /// Added to the version in the last chunk of an entry.
    private static let isLast: UInt8 = 128
    private static let hasOld: UInt8 = 4
    private static let hasNew: UInt8 = 8
    /// The new record is told by what differs from the old one.
    private static let isDifference: UInt8 = 16
    /// The start of a record up to its checksum, and with it.
    private static let (headSize, checkedSize) = (4, 8)

    let header: Header
    let changes: [Change]
}

/// The bytes that a transaction writes.
extension HistoryChunk {
    static func encode(_ header: Header, into bytes: inout ByteWriter) {
        bytes.append(header.isLast ? version | isLast : version)
        bytes.append(header.stamp.littleEndian)
        bytes.append(header.date.timeIntervalSinceReferenceDate.bitPattern.littleEndian)
        guard let author = header.author else { return bytes.append(varint: 0) }
        bytes.append(varint: UInt64(author.utf8.count + 1))
        bytes.append(utf8: author)
    }

    /// Writes a change, but for its model.
    static func encode(
        _ kind: ObjectChange.Kind, _ key: UnsafeRawBufferPointer, _ old: UnsafeRawBufferPointer?, _ new: UnsafeRawBufferPointer?, into bytes: inout ByteWriter
    ) {
        let difference = if let old, let new { RecordDifference(from: old, to: new) } else { RecordDifference?.none }
        bytes.append(kind.code | (old == nil ? 0 : hasOld) | (new == nil ? 0 : hasNew) | (difference == nil ? 0 : isDifference))
        bytes.append(counted: key)
        if let old { bytes.append(counted: old) }
        guard let new else { return }
        guard let difference else { return bytes.append(counted: new) }
        bytes.append(UnsafeRawBufferPointer(rebasing: new[headSize..<checkedSize]))
        bytes.append(varint: UInt64(difference.prefix))
        bytes.append(varint: UInt64(difference.suffix))
        bytes.append(counted: UnsafeRawBufferPointer(rebasing: new[(checkedSize + difference.prefix)..<(new.count - difference.suffix)]))
    }

    /// How much of two records is the same behind their checksums, of which every change has another.
    private struct RecordDifference {
        let prefix: Int
        let suffix: Int

        /// Nil when the whole record is as short.
        init?(from old: UnsafeRawBufferPointer, to new: UnsafeRawBufferPointer) {
            guard old.count >= checkedSize, new.count >= checkedSize, old.prefix(headSize).elementsEqual(new.prefix(headSize)) else { return nil }
            let most = min(old.count, new.count) - checkedSize
            var (prefix, suffix) = (0, 0)
            while prefix < most, old[checkedSize + prefix] == new[checkedSize + prefix] { prefix += 1 }
            while suffix < most - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] { suffix += 1 }
            guard prefix + suffix > 8 else { return nil }
            (self.prefix, self.suffix) = (prefix, suffix)
        }
    }
}

/// Chunks that are written anew.
extension HistoryChunk {
    /// The same without the values of some models' objects.
    func withoutValues(of modelNames: Set<String>) -> HistoryChunk {
        HistoryChunk(
            header: header,
            changes: changes.map { change in
                modelNames.contains(change.modelName)
                    ? Change(kind: change.kind, modelName: change.modelName, key: change.key, old: nil, new: nil) : change
            })
    }

    /// The value that the engine has under a key.
    func sealed(with key: [UInt8]) -> [UInt8] {
        var changes = HistoryChanges()
        for change in self.changes {
            var encoded = ByteWriter()
            change.key.withUnsafeBytes { key in
                change.old.withBytes { old in change.new.withBytes { Self.encode(change.kind, key, old, $0, into: &encoded) } }
            }
            encoded.withBytes { $0.withUnsafeBytes { changes.append(change.modelName, $0) } }
        }
        return changes.sealed(header, with: key)
    }
}

/// The changes of a chunk that is being filled.
struct HistoryChanges: ~Copyable {
    private var bytes = ByteWriter(capacity: 512)
    /// The numbers of the models that were named.
    private var models: [String: UInt64] = [:]

    /// How many bytes they take.
    var size: Int { bytes.count }

    /// Adds a change that was encoded.
    mutating func append(_ modelName: String, _ change: UnsafeRawBufferPointer) {
        if let number = models[modelName] {
            bytes.append(varint: number)
        } else {
            bytes.append(varint: 0)
            bytes.append(varint: UInt64(modelName.utf8.count))
            bytes.append(utf8: modelName)
            models[modelName] = UInt64(models.count + 1)
        }
        bytes.append(change)
    }

    mutating func removeAll() {
        bytes.count = 0
        models.removeAll(keepingCapacity: true)
    }

    /// The value that the engine has under a key.
    func sealed(_ header: HistoryChunk.Header, with key: [UInt8]) -> [UInt8] {
        var chunk = ByteWriter(capacity: bytes.count + 64)
        HistoryChunk.encode(header, into: &chunk)
        bytes.withBytes { $0.withUnsafeBytes { chunk.append($0) } }
        return chunk.withBytes { $0.withUnsafeBytes { Checksum.sealed($0, seed: Checksum.hash(key)) } }
    }
}

extension [UInt8]? {
    /// Calls `body` with the bytes, or with nil.
    fileprivate func withBytes(_ body: (UnsafeRawBufferPointer?) -> Void) { if let self { self.withUnsafeBytes { body($0) } } else { body(nil) } }
}

/// Reading what a transaction has written.
extension HistoryChunk {
    /// - Parameter isWanted: whether a change is read, by its model and the object's key; the others are passed over.
    /// - Throws: ``TroveError/corruptHistory(entry:reason:)``.
    static func decode(
        _ value: RawSpan, key: [UInt8], of number: UInt64, where isWanted: (_ modelName: String, _ key: UnsafeRawBufferPointer) -> Bool = { _, _ in true }
    ) throws -> HistoryChunk {
        func corrupt(_ reason: String) -> TroveError { .corruptHistory(entry: number, reason: reason) }
        return try Checksum.withBody(of: value, seed: Checksum.hash(key)) { body in
            guard let body else { throw corrupt("its checksum does not fit its bytes") }
            var reader = ByteReader(body)
            do {
                let first = try reader.load(UInt8.self)
                guard first & ~isLast == version else { throw corrupt("a later version wrote it") }
                let header = try header(&reader, isLast: first & isLast != 0)
                var names: [String] = []
                var changes: [Change] = []
                while reader.remaining > 0 {
                    if let change = try change(&reader, &names, where: isWanted) { changes.append(change) }
                }
                return HistoryChunk(header: header, changes: changes)
            } catch TroveError.corruptValue(let reason) {
                throw corrupt(reason)
            }
        }
    }

    /// What the chunk says of its entry, without the changes.
    ///
    /// - Throws: ``TroveError/corruptHistory(entry:reason:)``.
    static func header(_ value: RawSpan, key: [UInt8], of number: UInt64) throws -> Header { try decode(value, key: key, of: number) { _, _ in false }.header }

    private static func header(_ reader: inout ByteReader, isLast: Bool) throws -> Header {
        let stamp: UInt64 = try reader.integer()
        let date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: try reader.integer()))
        let size = try reader.varint()
        // One more than the bytes that follow, which may be all that is left.
        guard size <= UInt64(reader.remaining) + 1 else { throw ByteReader.truncated }
        return Header(isLast: isLast, stamp: stamp, date: date, author: size == 0 ? nil : try reader.string(count: Int(size) - 1))
    }

    private static func change(
        _ reader: inout ByteReader, _ names: inout [String], where isWanted: (_ modelName: String, _ key: UnsafeRawBufferPointer) -> Bool
    ) throws -> Change? {
        let number = try reader.varint()
        if number == 0 { names.append(try reader.string(count: reader.count())) }
        guard number <= UInt64(names.count), let name = number == 0 ? names.last : names[Int(number) - 1] else {
            throw TroveError.corruptValue(reason: "it names no model")
        }
        let head = try reader.load(UInt8.self)
        guard let kind = ObjectChange.Kind(code: head & 3), head < isDifference << 1 else { throw TroveError.corruptValue(reason: "a change is of no kind") }
        var isRead = false
        let key = try reader.take(reader.count()) { key in
            isRead = isWanted(name, key)
            return isRead ? [UInt8](key) : []
        }
        let old = head & hasOld == 0 ? nil : try reader.take(reader.count()) { isRead ? [UInt8]($0) : [] }
        let new = head & hasNew == 0 ? nil : try record(&reader, head & isDifference == 0 ? nil : old, isDifference: head & isDifference != 0, isRead)
        return isRead ? Change(kind: kind, modelName: name, key: key, old: old, new: new) : nil
    }

    private static func record(_ reader: inout ByteReader, _ old: [UInt8]?, isDifference: Bool, _ isRead: Bool) throws -> [UInt8] {
        guard isDifference else { return try reader.take(reader.count()) { isRead ? [UInt8]($0) : [] } }
        let checksum = try reader.take(checkedSize - headSize) { [UInt8]($0) }
        let (prefix, suffix) = (try reader.varint(), try reader.varint())
        let middle = try reader.take(reader.count()) { [UInt8]($0) }
        if !isRead { return [] }
        guard let old, old.count >= checkedSize, prefix <= UInt64(old.count - checkedSize), suffix <= UInt64(old.count - checkedSize) - prefix else {
            throw TroveError.corruptValue(reason: "a record does not fit the one before")
        }
        return old[..<headSize] + checksum + old[checkedSize..<(checkedSize + Int(prefix))] + middle + old[(old.count - Int(suffix))...]
    }
}

extension ObjectChange.Kind {
    fileprivate var code: UInt8 {
        switch self {
        case .insertion: 0
        case .update: 1
        case .deletion: 2
        }
    }

    fileprivate init?(code: UInt8) {
        switch code {
        case 0: self = .insertion
        case 1: self = .update
        case 2: self = .deletion
        default: return nil
        }
    }
}

extension ByteWriter {
    /// Appends a count of bytes, then they.
    fileprivate mutating func append(counted bytes: UnsafeRawBufferPointer) {
        append(varint: UInt64(bytes.count))
        append(bytes)
    }
}
