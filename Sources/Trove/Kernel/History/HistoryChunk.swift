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

    static let version: UInt8 = 1
    /// Added to the version in the last chunk of an entry.
    static let isLast: UInt8 = 128
    static let hasOld: UInt8 = 4
    static let hasNew: UInt8 = 8
    /// The new record is told by what differs from the old one.
    static let isDifference: UInt8 = 16
    /// The start of a record up to its checksum, and with it.
    static let (headSize, checkedSize) = (4, 8)

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

extension ObjectChange.Kind {
    var code: UInt8 {
        switch self {
        case .insertion: 0
        case .update: 1
        case .deletion: 2
        }
    }

    init?(code: UInt8) {
        switch code {
        case 0: self = .insertion
        case 1: self = .update
        case 2: self = .deletion
        default: return nil
        }
    }
}

extension [UInt8]? {
    /// Calls `body` with the bytes, or with nil.
    fileprivate func withBytes(_ body: (UnsafeRawBufferPointer?) -> Void) { if let self { self.withUnsafeBytes { body($0) } } else { body(nil) } }
}

extension ByteWriter {
    /// Appends a count of bytes, then they.
    fileprivate mutating func append(counted bytes: UnsafeRawBufferPointer) {
        append(varint: UInt64(bytes.count))
        append(bytes)
    }
}
