import Foundation

/// Writes a store, as one transaction sees it, as JSON lines.
final class JSONExport {
    private static let pieceSize = 1 << 20
    /// What a line has of a blob that lies in chunks.
    private static let blobPartSize = 16 * BlobSpace.chunkSize

    private let transaction: ReadTransaction
    private let write: (UnsafeRawBufferPointer) throws -> Void
    private let progress: (StoreProgress) throws -> Void
    /// Is told of what cannot be read; nil when it ends the export.
    private let damaged: ((DamagedRecord) throws -> Void)?
    private var writer = JSONWriter(capacity: pieceSize + 1 << 16)
    private var contents = StoreContents()
    /// The lines of blobs behind the first of each.
    private var furtherParts = 0
    private var total = 0
    private var completed = 0

    init(
        _ transaction: ReadTransaction, _ write: @escaping (UnsafeRawBufferPointer) throws -> Void, _ progress: @escaping (StoreProgress) throws -> Void,
        passingOver damaged: ((DamagedRecord) throws -> Void)? = nil
    ) {
        self.damaged = damaged
        self.transaction = transaction
        self.write = write
        self.progress = progress
    }

    func run() throws -> StoreContents {
        let reader = try transaction.reader
        let layouts = try TransferLayouts(Catalogue.entries(reader))
        let names = try transaction.modelNames().sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for name in names { if let keyspace = try reader.keyspace(named: name) { total += try reader.count(in: keyspace) } }
        writer.beginObject()
        writer.name(raw: "$trove")
        try writer.value(layouts.header)
        try endLine()
        try writeMetadata()
        for name in names { try writeObjects(of: name, layouts) }
        try writeBags(layouts.ids)
        try writeBlobs()
        writer.beginObject()
        writer.name(raw: "$end")
        writer.digits(Int64(contents.total + furtherParts))
        try endLine()
        try flush()
        try progress(StoreProgress(completed: total, total: total))
        return contents
    }

    // MARK: - Lines

    private func endLine() throws {
        writer.endObject()
        writer.endLine()
        if writer.bytes.count >= Self.pieceSize { try flush() }
    }

    private func flush() throws {
        try writer.bytes.withBytes { try $0.withUnsafeBytes(write) }
        writer.bytes.count = 0
        if completed > 0 { try progress(StoreProgress(completed: completed, total: max(total, completed))) }
    }

    private func writeMetadata() throws {
        let damaged = damaged
        let metadata = try transaction.metadata { key in
            guard let damaged else { throw TroveError.corruptMetadata(key: key) }
            try damaged(DamagedRecord(modelName: MetadataSpace.keyspaceName, key: Array(key.utf8), reason: "its checksum does not fit its bytes"))
        }
        for (key, value) in metadata {
            writer.beginObject()
            writer.name(raw: "$metadata")
            writer.text(key)
            writer.name(raw: "value")
            try writer.value(value)
            try endLine()
            contents.metadata += 1
        }
    }

    private func writeObjects(of model: String, _ layouts: TransferLayouts) throws {
        let reader = try transaction.reader
        guard let keyspace = try reader.keyspace(named: model) else { return }
        var watch = transaction.watch
        var writers: [UInt16: (writer: JSONRecordWriter, place: Int?)] = [:]
        for layout in layouts.layouts where layout.entry.layout.modelName.hasBytes(of: model) {
            writers[layout.entry.layout.number] = (JSONRecordWriter(layout.entry.layout, id: IDCoding(layout.entry.id)), layout.place)
        }
        var last: (number: UInt16, writer: JSONRecordWriter, place: Int?)?
        var count = 0
        try reader.scan(in: keyspace) { key, record in
            try watch.step()
            let isWritten = try key.withUnsafeBytes { key in
                try record.withUnsafeBytes { record in
                    let place = self.writer.place
                    do {
                        let number = try RecordDecoder.header(of: record).layout
                        if last?.number != number {
                            guard let known = writers[number] else { throw DecodingFault.damaged("the store has no layout \(number) of \(model)") }
                            last = (number, known.writer, known.place)
                        }
                        guard let (_, recordWriter, place) = last else { return false }
                        var view = try RecordView(checking: record, key: key, layout: recordWriter.layout)
                        view.annexes = self.transaction.annexes(of: recordWriter.layout)
                        try recordWriter.write(view, number: place, to: &self.writer)
                        return true
                    } catch {
                        let error = Self.recordError(error, model, key)
                        guard let damaged = self.damaged, let reason = Self.damage(error) else { throw error }
                        self.writer.goBack(to: place)
                        try damaged(DamagedRecord(modelName: model, key: [UInt8](key), reason: reason))
                        return false
                    }
                }
            }
            self.completed += 1
            guard isWritten else { return .next }
            count += 1
            self.writer.endLine()
            if self.writer.bytes.count >= Self.pieceSize { try self.flush() }
            return .next
        }
        contents.objects[model, default: 0] += count
    }

    /// The error for a record that cannot be read.
    private static func recordError(_ error: any Error, _ model: String, _ key: UnsafeRawBufferPointer) -> any Error {
        let schema = ModelSchema(model, fields: [])
        return switch error {
        case let fault as DecodingFault: fault.error(model: schema, field: 0, key: [UInt8](key))
        case TroveError.corruptValue(let reason), TroveError.corruptKey(let reason):
            DecodingFault.damaged(reason).error(model: schema, field: 0, key: [UInt8](key))
        default: error
        }
    }

    /// What is wrong with a record, by the error of reading it or its lazy values; nil when the error is not one of damage.
    private static func damage(_ error: any Error) -> String? {
        switch error {
        case TroveError.corruptRecord(_, _, let reason), TroveError.decodingFailed(_, _, _, let reason): reason
        case TroveError.lazyValueGone(_, _, let property): "the value of the lazy property '\(property)' is missing"
        default: nil
        }
    }

    private func writeBags(_ ids: [String: IDCoding]) throws {
        var bags: [StoredBag] = []
        try transaction.forEachObject { (bag: StoredBag, _) in bags.append(bag) }
        for bag in bags {
            writer.beginObject()
            writer.name(raw: "$bag")
            if let name = bag.name { writer.text(name) } else { writer.append(raw: "null") }
            writer.name(raw: "$id")
            try writer.value(.objectID(bag.id))
            writer.name(raw: "members")
            writer.beginArray()
            for member in bag.members {
                writer.next()
                writer.beginArray()
                writer.next()
                writer.text(member.modelName)
                writer.next()
                if let id = ids[member.modelName] {
                    try member.keyBytes.withUnsafeBytes { try id.write($0, to: &writer) }
                } else {
                    try writer.value(.data(Data(member.keyBytes)))
                }
                writer.endArray()
            }
            writer.endArray()
            try endLine()
            contents.bags += 1
        }
    }

    private func writeBlobs() throws {
        for name in try transaction.blobNames() {
            if let damaged, try !isSound(blobNamed: name) {
                try damaged(DamagedRecord(modelName: BlobSpace.keyspaceName, key: Array(name.utf8), reason: "its checksum does not fit its bytes"))
                continue
            }
            if let header = try transaction.blobHeader(named: name) {
                // Large ones in parts, a line each.
                for offset in stride(from: 0, to: header.size, by: Self.blobPartSize) {
                    let part = offset..<min(offset + Self.blobPartSize, header.size)
                    if offset > 0 { furtherParts += 1 }
                    try writeBlob(named: name, transaction.blob(header, named: name, in: part), part: (offset, header.size))
                }
            } else if let data = try transaction.blob(named: name) {
                try writeBlob(named: name, data, part: nil)
            }
            contents.blobs += 1
        }
    }

    /// Whether all of a blob can be read.
    private func isSound(blobNamed name: String) throws -> Bool {
        do {
            if let header = try transaction.blobHeader(named: name) {
                try transaction.check(header, named: name)
            } else {
                _ = try transaction.blob(named: name)
            }
            return true
        } catch TroveError.corruptBlob {
            return false
        }
    }

    private func writeBlob(named name: String, _ data: Data, part: (offset: Int, size: Int)?) throws {
        writer.beginObject()
        writer.name(raw: "$blob")
        writer.text(name)
        if let part {
            writer.name(raw: "offset")
            writer.digits(Int64(part.offset))
            writer.name(raw: "size")
            writer.digits(Int64(part.size))
        }
        writer.name(raw: "value")
        try data.withUnsafeBytes { try writer.value(.data($0)) }
        try endLine()
    }
}
