import Foundation

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
