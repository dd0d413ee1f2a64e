import Foundation

/// Stores lines of a transfer in one transaction.
final class JSONImportBatch {
    /// What becomes of a line that cannot be stored.
    enum Refusal {
        /// The transfer ends with its error.
        case ends
        /// It is told when it cannot be read; when the store refuses it, the batch ends with the error.
        case isToldUnlessStored
        /// It is told in any case, for which each line has a savepoint.
        case isTold
    }

    /// A model's records, or a collection's documents, of one layout as they are read.
    private final class Reading {
        let model: String
        let target: TransferTargets.Target
        var reader: JSONRecordReader
        /// How the model reads the layout's records; nil when the program does not have it, and before the first one.
        var plan: DecodingPlan?
        /// Where records go of a collection, or of a model that the program does not have, once one was stored.
        var place: (keyspace: Keyspace, pipeline: ModelPipeline?)?

        init(_ target: TransferTargets.Target) {
            model = target.layout.modelName
            self.target = target
            reader = JSONRecordReader(target.layout, id: target.id, unknown: .refused)
        }
    }

    /// What a line has.
    private enum Item {
        /// A record, which is in the buffer.
        case record(Reading, isUpgraded: Bool)
        case skipped
        case metadata(String, StoredValue)
        /// A blob, or a part of one: where it begins, and the size of the whole.
        case blob(String, Data, part: (offset: Int, size: Int)?)
        case bag(StoredBag)
        case end
    }

    /// The error for a file that ends without being whole.
    static func missingEnd(_ report: JSONImportReport) -> TroveError {
        let line = report.position.lines + 1
        let fault = JSONFault(offset: 0, reason: "the last line of an export, {\"$end\": …}, is missing; the file is a part of one")
        return .lineRefused(line: line, underlying: fault.error(in: .init(start: nil, count: 0), line: line, offset: report.position.offset))
    }

    private let transaction: WriteTransaction
    private let targets: TransferTargets
    private var readings: [String: [Reading]] = [:]
    /// Those of the model that the last line named.
    private var last: (name: [UInt8], readings: [Reading]) = ([], [])
    private var buffer = RecordBuffer()
    /// A record with the model's default values for what its line lacks.
    private var completed = RecordBuffer()
    private var parser = JSONParser(UnsafeRawBufferPointer(start: nil, count: 0))
    /// The names of the piece's bags, by their ids as errors show them.
    private var bagNames: [String: String] = [:]
    /// Whether the store is being changed.
    private var isWriting = false

    init(_ transaction: WriteTransaction, _ targets: TransferTargets) {
        self.transaction = transaction
        self.targets = targets
    }

    /// Stores the lines of a piece, which follows those that the report has.
    func store(_ piece: [UInt8], _ report: inout JSONImportReport, refusal: Refusal) throws {
        try piece.withUnsafeBytes { bytes in
            bagNames.removeAll(keepingCapacity: true)
            if refusal == .isTold { return try storeLines(bytes, &report, refusal) }
            do {
                try transaction.batch { try storeLines(bytes, &report, refusal) }
            } catch {
                throw shown(error)
            }
        }
    }

    /// An error as users know it: bags are no model of theirs.
    private func shown(_ error: any Error) -> any Error {
        guard case TroveError.uniqueViolation(StoredBag.schema.name, _, let values, let id, let otherID) = error else { return error }
        return TroveError.bagNameTaken(name: bagNames[id] ?? bagNames[otherID] ?? values)
    }

    /// Whether an error is about a line, and not about the store.
    static func concernsLine(_ error: any Error) -> Bool {
        switch error {
        case TroveError.invalidJSON, TroveError.uniqueViolation, TroveError.keyCollision, TroveError.encodingFailed, TroveError.decodingFailed, TroveError.upgradeFailed,
            TroveError.unknownField, TroveError.danglingReference, TroveError.deletionDenied, TroveError.changedByAnotherProgram, TroveError.needsModel, TroveError.invalidModelName,
            TroveError.idTypeChanged, TroveError.fieldTypeChanged, TroveError.fieldNeedsDefault, TroveError.newerModelVersion, TroveError.unknownModel,
            TroveError.corruptRecord, TroveError.duplicateField, TroveError.corruptKey, TroveError.bagNameTaken, TroveError.invalidCollection,
            TroveError.tooManyPaths:
            true
        case StorageError.keyTooLarge, StorageError.valueTooLarge, StorageError.emptyKey, StorageError.invalidKeyspaceName: true
        default: false
        }
    }

    // MARK: - Lines

    private func storeLines(_ bytes: UnsafeRawBufferPointer, _ report: inout JSONImportReport, _ refusal: Refusal) throws {
        try JSONLines.forEachLine(of: bytes) { line, size in
            try storeLine(line, &report, refusal)
            report.position = .init(lines: report.position.lines + 1, offset: report.position.offset + size)
        }
    }

    private func storeLine(_ line: UnsafeRawBufferPointer, _ report: inout JSONImportReport, _ refusal: Refusal) throws {
        let number = report.position.lines + 1
        if JSONLines.isBlank(line) { return }
        isWriting = false
        report.isComplete = false
        report.lineCount += 1
        do {
            let item: Item
            do {
                parser.restart(line)
                item = try read(&parser, &report)
            } catch let fault as JSONFault {
                throw fault.error(in: line, line: number, offset: report.position.offset)
            }
            if refusal == .isTold { try transaction.savepoint { try write(item) } } else { try write(item) }
            count(item, &report)
        } catch where Self.concernsLine(error) {
            switch refusal {
            case .ends: throw TroveError.lineRefused(line: number, underlying: shown(error))
            case .isTold:
                report.reject(number, shown(error))
                // What was made since the savepoint is gone.
                for reading in readings.values.joined() { reading.place = nil }
            // What could not be read has changed nothing yet.
            case .isToldUnlessStored:
                if isWriting { throw error }
                report.reject(number, error)
            }
        }
    }

    private func count(_ item: Item, _ report: inout JSONImportReport) {
        switch item {
        case .record(let reading, _):
            report.contents.objects[reading.model, default: 0] += 1
            if reading.target.isUnknown { report.unknownModels.insert(reading.model) }
        case .skipped: report.skipped += 1
        case .metadata: report.contents.metadata += 1
        case .blob(_, let data, let part): if part.map({ $0.offset + data.count == $0.size }) ?? true { report.contents.blobs += 1 }
        case .bag: report.contents.bags += 1
        case .end: report.isComplete = true
        }
    }

    // MARK: - Reading

    private func read(_ parser: inout JSONParser, _ report: inout JSONImportReport) throws -> Item {
        try parser.beginObject()
        guard !report.hasEnd else { throw parser.fault("the line follows the end of the export", at: 0) }
        guard let (name, place) = try parser.nextName(isFirst: true) else { throw parser.fault("the object has no type; it begins with $model", at: 0) }
        if name.hasBytes(of: "$model") { return try readRecord(&parser) }
        switch String(storedUTF8: name) {
        case "$metadata": return try readMetadata(&parser)
        case "$blob": return try readBlob(&parser)
        case "$bag": return try readBag(&parser)
        case "$end":
            guard case .int(let total) = try value(&parser) else { throw parser.fault("$end has the number of the lines", at: place) }
            try finish(&parser)
            report.hasEnd = true
            let found = report.lineCount - 1
            guard total == found else {
                throw parser.fault("$end says \(total) lines between it and the first, but there are \(found); the file is not as it was written", at: place)
            }
            return .end
        case "$trove": throw parser.fault("a second header; import the exports one by one", at: place)
        case let other: throw parser.fault("a line begins with $model, $metadata, $blob, $bag or $end, not with '\(other.prefix(60))'", at: place)
        }
    }

    private func readRecord(_ parser: inout JSONParser) throws -> Item {
        let place = parser.position
        let name = try parser.textValue("the name of the model")
        if !last.name.withUnsafeBytes({ $0.hasBytes(of: name) }) { last = (Array(name), readings(of: String(storedUTF8: name))) }
        guard var reading = last.readings.last else {
            throw parser.fault("the header has no layout of the model '\(String(storedUTF8: name).prefix(60))'", at: place)
        }
        if reading.target.isUnknown, !targets.keepsUnknown { return .skipped }
        var next = 0
        var (isStarted, hasLayout) = (false, false)
        while let (name, place) = try parser.nextName(isFirst: false) {
            if name.hasBytes(of: "$layout") {
                guard !isStarted, !hasLayout, case .int(let number) = try value(&parser), let position = Int(exactly: number), last.readings.indices.contains(position) else {
                    throw parser.fault("$layout follows $model and counts the model's layouts in the header, of which there are \(last.readings.count)", at: place)
                }
                reading = last.readings[position]
                hasLayout = true
                continue
            }
            if !isStarted {
                isStarted = true
                if let problem = reading.target.problem { throw problem }
                reading.reader.begin()
            }
            if name.hasBytes(of: "$id") {
                try reading.reader.readID(at: place, &parser)
            } else {
                try reading.reader.readField(parser.plainName(name, at: place), at: place, next: &next, &parser)
            }
        }
        try parser.finish()
        guard isStarted, let key = reading.reader.key else { throw parser.fault("the object has no $id", at: 0) }
        buffer.key.removeAll()
        buffer.key.append(whole: key)
        guard let binding = reading.target.binding else {
            try reading.reader.encode(as: reading.target.layout, into: &buffer)
            return .record(reading, isUpgraded: false)
        }
        guard reading.reader.isWhole else {
            let present = reading.target.layout.keeping { reading.reader.hasField($0) }
            let plan = DecodingPlan(from: present, to: binding.schema)
            try encodeChecked(reading, as: present, plan, key, binding)
            // What is missing gets the model's default values.
            try withDecoder(present, plan, binding) { try binding.normalise(&$0, &completed) }
            return .record(reading, isUpgraded: true)
        }
        let plan = try reading.plan ?? binding.plan(for: reading.target.layout)
        reading.plan = plan
        try encodeChecked(reading, as: reading.target.layout, plan, key, binding)
        return .record(reading, isUpgraded: false)
    }

    /// Leaves a record in the buffer of which the model can make an object with the same id: what cannot be read later is not stored.
    private func encodeChecked(_ reading: Reading, as layout: RecordLayout, _ plan: DecodingPlan, _ key: [UInt8], _ binding: ModelBinding) throws {
        try reading.reader.encode(as: layout, into: &buffer)
        let found = try withDecoder(layout, plan, binding) { try binding.objectKey(&$0) }
        guard found == key else {
            throw TroveError.decodingFailed(
                model: reading.model, field: "id", id: StoredRecord.text(of: key), reason: "$id differs from the object's, \(StoredRecord.text(of: found))")
        }
    }

    /// Calls `body` with the record in the buffer.
    private func withDecoder<Result>(
        _ layout: RecordLayout, _ plan: DecodingPlan, _ binding: ModelBinding, _ body: (inout RecordDecoder) throws -> Result
    ) throws -> Result {
        try buffer.withBytes { key, record in
            try key.withUnsafeBytes { key in
                try record.withUnsafeBytes { record in
                    var decoder = try RecordDecoder(record, key: key, layout: layout, plan: plan)
                    decoder.annexSource = OfferedAnnexes(buffer.record.annexes)
                    do {
                        return try body(&decoder)
                    } catch let fault as DecodingFault {
                        throw fault.error(model: binding.schema, field: decoder.field, key: [UInt8](key))
                    } catch TroveError.corruptValue(let reason) {
                        throw DecodingFault.unfit(reason: reason).error(model: binding.schema, field: decoder.field, key: [UInt8](key))
                    }
                }
            }
        }
    }

    private func readings(of model: String) -> [Reading] {
        if readings[model] == nil { readings[model] = (targets.targets[model] ?? []).map { Reading($0) } }
        // The header need not have the name in these scalars.
        return (readings[model] ?? []).filter { $0.model.hasBytes(of: model) }
    }

    /// The next value of any kind.
    private func value(_ parser: inout JSONParser) throws -> StoredValue {
        var nested = ByteWriter(capacity: 64)
        try parser.value(into: &nested)
        return try nested.withBytes { try $0.withUnsafeBytes { try FieldValue(nested: $0).storedValue() } }
    }

    private func finish(_ parser: inout JSONParser) throws {
        try parser.require("}", "'}'")
        try parser.finish()
    }

    /// The only value that follows, which has this name.
    private func value(named expected: String, _ parser: inout JSONParser) throws -> StoredValue {
        guard let next = try parser.nextName(isFirst: false), next.name.elementsEqual(expected.utf8) else {
            throw parser.fault("'\(expected)' is missing")
        }
        return try value(&parser)
    }

    private func readMetadata(_ parser: inout JSONParser) throws -> Item {
        let key = String(storedUTF8: try parser.textValue("the key of a value"))
        let value = try value(named: "value", &parser)
        try finish(&parser)
        return .metadata(key, value)
    }

    private func readBlob(_ parser: inout JSONParser) throws -> Item {
        let name = String(storedUTF8: try parser.textValue("the name of a blob"))
        guard let (next, place) = try parser.nextName(isFirst: false) else { throw parser.fault("'value' is missing") }
        if next.elementsEqual("value".utf8) { return .blob(name, try readBlobValue(value(&parser), &parser), part: nil) }
        guard next.elementsEqual("offset".utf8), case .int(let offset) = try value(&parser), case .int(let size) = try value(named: "size", &parser) else {
            throw parser.fault("a part of a blob has an offset, a size and a value, in this order", at: place)
        }
        let data = try readBlobValue(value(named: "value", &parser), &parser)
        let (end, isOverflowing) = offset.addingReportingOverflow(Int64(data.count))
        guard offset >= 0, !isOverflowing, end <= size, size <= BlobSpace.maxSize, offset.isMultiple(of: Int64(BlobSpace.chunkSize)), !data.isEmpty,
            end == size || data.count.isMultiple(of: BlobSpace.chunkSize)
        else { throw parser.fault("parts of a blob, except the last, have multiples of \(BlobSpace.chunkSize) bytes, and end within its size", at: place) }
        guard try offset == 0 || transaction.transferredUpload(of: name, endingAt: Int(offset)) != nil else {
            throw parser.fault("the part of the blob before this one is missing; import it from its first part on", at: place)
        }
        return .blob(name, data, part: (Int(offset), Int(size)))
    }

    private func readBlobValue(_ value: StoredValue, _ parser: inout JSONParser) throws -> Data {
        guard case .data(let data) = value else { throw parser.fault("the value of a blob is {\"$data\": \"…\"}", at: 0) }
        try finish(&parser)
        return data
    }

    private func readBag(_ parser: inout JSONParser) throws -> Item {
        let name: String?
        switch try value(&parser) {
        case .null: name = nil
        case .string(let text): name = text
        default: throw parser.fault("the name of a bag is a text or null", at: 0)
        }
        guard case .objectID(let id) = try value(named: "$id", &parser), case .array(let list) = try value(named: "members", &parser) else {
            throw parser.fault("a bag has an $id, {\"$objectID\": \"…\"}, and members, an array", at: 0)
        }
        try finish(&parser)
        let members = try list.map { member in
            guard case .array(let pair) = member, pair.count == 2, case .string(let model) = pair[0] else {
                throw parser.fault("a member of a bag is the name of a model and an id", at: 0)
            }
            let key: [UInt8]?
            if let coding = targets.ids[model] {
                key = coding.keyBytes(of: pair[1])
            } else if case .data(let data) = pair[1] {
                key = [UInt8](data)
            } else {
                key = nil
            }
            guard let key, !key.isEmpty else { throw parser.fault("a member's id is none of \(model)", at: 0) }
            return AnyReference(modelName: model, keyBytes: key)
        }
        return .bag(StoredBag(id: id, name: name, members: members))
    }

    // MARK: - Writing

    private func write(_ item: Item) throws {
        isWriting = true
        switch item {
        case .record(let reading, let isUpgraded):
            try transaction.offering(buffer) { if isUpgraded { try write(reading, completed) } else { try write(reading, buffer) } }
        case .metadata(let key, let value): try transaction.setMetadata(value, forKey: key)
        case .blob(let name, let data, let part):
            if let part {
                try transaction.storeTransferred(data, of: name, at: part.offset, total: part.size)
            } else {
                try transaction.setBlob(data, named: name)
            }
        case .bag(let bag):
            bagNames["\(bag.id)"] = bag.name
            try transaction.save(bag)
        case .skipped, .end: break
        }
        isWriting = false
    }

    private func write(_ reading: Reading, _ buffer: borrowing RecordBuffer) throws {
        try buffer.withBytes { key, record in
            if let type = reading.target.type {
                let model = try transaction.openForSaving(type)
                if buffer.hasLongKey { try checkCollision(key, record, in: model.keyspace, reading.model) }
                return try transaction.upsert(key, record, model)
            }
            let place = try reading.place ?? (transaction.writer.createKeyspace(named: reading.model), transaction.pipeline(of: reading.model))
            reading.place = place
            if buffer.hasLongKey { try checkCollision(key, record, in: place.keyspace, reading.model) }
            guard let pipeline = place.pipeline else { return try transaction.writer.put(key, record, in: place.keyspace) }
            try key.withUnsafeBytes { key in try record.withUnsafeBytes { try pipeline.upsert(key, $0, in: place.keyspace) } }
        }
    }

    /// Throws when another id has the same shortened key.
    private func checkCollision(_ key: RawSpan, _ record: RawSpan, in keyspace: Keyspace?, _ model: String) throws {
        guard let keyspace else { return }
        let own = try record.withUnsafeBytes { record in try key.withUnsafeBytes { try transaction.wholeKey($0, of: record) } }
        _ = try transaction.reader.get(key, in: keyspace) { stored in
            let other = try stored.withUnsafeBytes { stored in try key.withUnsafeBytes { try transaction.wholeKey($0, of: stored) } }
            if own != other { throw TroveError.keyCollision(model: model, id: StoredRecord.text(of: own)) }
        }
    }
}
