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
        /// Where records go of a collection, or of a model that the program does not have, once one was stored.
        var place: (keyspace: Keyspace, pipeline: ModelPipeline?)?

        init(_ model: String, _ target: TransferTargets.Target) {
            self.model = model
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
        case blob(String, Data)
        case bag(StoredBag)
        case end(Int)
    }

    static let missingEnd = JSONFault(offset: 0, reason: "the last line of an export, {\"$end\": …}, is missing; the file is a part of one").error(in: .init(start: nil, count: 0))

    private let transaction: WriteTransaction
    private let targets: TransferTargets
    private var readings: [String: [Reading]] = [:]
    /// Those of the model that the last line named.
    private var last: (name: [UInt8], readings: [Reading]) = ([], [])
    private var buffer = RecordBuffer()
    /// A record with the model's default values for what its line lacks.
    private var completed = RecordBuffer()
    private var parser = JSONParser(UnsafeRawBufferPointer(start: nil, count: 0))
    /// Whether the store is being changed.
    private var isWriting = false

    init(_ transaction: WriteTransaction, _ targets: TransferTargets) {
        self.transaction = transaction
        self.targets = targets
    }

    /// Stores the lines of a piece, which follows those that the report has.
    func store(_ piece: [UInt8], _ report: inout JSONImportReport, refusal: Refusal) throws {
        try piece.withUnsafeBytes { bytes in
            if refusal == .isTold { return try storeLines(bytes, &report, refusal) }
            try transaction.batch { try storeLines(bytes, &report, refusal) }
        }
    }

    /// Whether an error is about a line, and not about the store.
    static func concernsLine(_ error: any Error) -> Bool {
        switch error {
        case TroveError.invalidJSON, TroveError.uniqueViolation, TroveError.keyCollision, TroveError.encodingFailed, TroveError.decodingFailed, TroveError.upgradeFailed,
            TroveError.unknownField, TroveError.danglingReference, TroveError.deletionDenied, TroveError.changedByAnotherProgram, TroveError.invalidModelName,
            TroveError.idTypeChanged, TroveError.fieldTypeChanged, TroveError.fieldNeedsDefault, TroveError.newerModelVersion, TroveError.unknownModel,
            TroveError.corruptRecord, TroveError.duplicateField, TroveError.corruptKey, TroveError.invalidCollection, TroveError.tooManyPaths:
            true
        case StorageError.keyTooLarge, StorageError.valueTooLarge, StorageError.emptyKey, StorageError.invalidKeyspaceName: true
        default: false
        }
    }

    // MARK: - Lines

    private func storeLines(_ bytes: UnsafeRawBufferPointer, _ report: inout JSONImportReport, _ refusal: Refusal) throws {
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end &+= 1 }
            let next = min(end + 1, bytes.count)
            try storeLine(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), &report, refusal)
            report.position = .init(lines: report.position.lines + 1, offset: report.position.offset + next - start)
            start = next
        }
    }

    private func storeLine(_ line: UnsafeRawBufferPointer, _ report: inout JSONImportReport, _ refusal: Refusal) throws {
        let number = report.position.lines + 1
        if line.first ?? 0x20 <= 0x20, line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return }
        isWriting = false
        do {
            let item: Item
            do {
                parser.restart(line)
                item = try read(&parser, isAfterEnd: report.isComplete)
            } catch let fault as JSONFault {
                throw fault.error(in: line, line: number, offset: report.position.offset)
            }
            if refusal == .isTold { try transaction.savepoint { try write(item) } } else { try write(item) }
            count(item, number, &report)
        } catch where Self.concernsLine(error) {
            switch refusal {
            case .ends: throw TroveError.lineRefused(line: number, underlying: error)
            case .isTold:
                report.reject(number, error)
                // What was made since the savepoint is gone.
                for reading in readings.values.joined() { reading.place = nil }
            // What could not be read has changed nothing yet.
            case .isToldUnlessStored:
                if isWriting { throw error }
                report.reject(number, error)
            }
        }
    }

    private func count(_ item: Item, _ number: Int, _ report: inout JSONImportReport) {
        switch item {
        case .record(let reading, _):
            report.contents.objects[reading.model, default: 0] += 1
            if reading.target.isUnknown { report.unknownModels.insert(reading.model) }
        case .skipped: report.skipped += 1
        case .metadata: report.contents.metadata += 1
        case .blob: report.contents.blobs += 1
        case .bag: report.contents.bags += 1
        case .end(let total): report.isComplete = total == number - 2
        }
    }

    // MARK: - Reading

    private func read(_ parser: inout JSONParser, isAfterEnd: Bool) throws -> Item {
        try parser.beginObject()
        guard !isAfterEnd else { throw parser.fault("the line stands behind the end of the export", at: 0) }
        guard let (name, place) = try parser.nextName(isFirst: true) else { throw parser.fault("the object says nothing; it begins with $model", at: 0) }
        if name.hasBytes(of: "$model") { return try readRecord(&parser) }
        switch String(storedUTF8: name) {
        case "$metadata": return try readMetadata(&parser)
        case "$blob": return try readBlob(&parser)
        case "$bag": return try readBag(&parser)
        case "$end":
            guard case .int(let total) = try value(&parser) else { throw parser.fault("$end tells how many lines there are", at: place) }
            try finish(&parser)
            return .end(Int(total))
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
        var isStarted = false
        while let (name, place) = try parser.nextName(isFirst: false) {
            if name.hasBytes(of: "$layout") {
                guard !isStarted, case .int(let number) = try value(&parser), let position = Int(exactly: number), last.readings.indices.contains(position) else {
                    throw parser.fault("$layout follows $model and counts the model's layouts in the header, of which there are \(last.readings.count)", at: place)
                }
                reading = last.readings[position]
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
        guard !reading.reader.isWhole, let binding = reading.target.binding else {
            try reading.reader.encode(as: reading.target.layout, into: &buffer)
            return .record(reading, isUpgraded: false)
        }
        try complete(reading, binding)
        return .record(reading, isUpgraded: true)
    }

    /// Makes an object of what was read, which gives what is missing its default values.
    private func complete(_ reading: Reading, _ binding: ModelBinding) throws {
        let present = reading.target.layout.keeping { reading.reader.hasField($0) }
        try reading.reader.encode(as: present, into: &buffer)
        let plan = DecodingPlan(from: present, to: binding.schema)
        try buffer.withBytes { key, record in
            try key.withUnsafeBytes { key in
                try record.withUnsafeBytes { record in
                    var decoder = try RecordDecoder(record, key: key, layout: present, plan: plan)
                    do {
                        try binding.normalise(&decoder, &completed)
                    } catch let fault as DecodingFault {
                        throw fault.error(model: binding.schema, field: decoder.field, key: [UInt8](key))
                    }
                }
            }
        }
    }

    private func readings(of model: String) -> [Reading] {
        if let known = readings[model] { return known }
        let made = (targets.targets[model] ?? []).map { Reading(model, $0) }
        readings[model] = made
        return made
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
        guard case .data(let data) = try value(named: "value", &parser) else { throw parser.fault("the value of a blob is {\"$data\": \"…\"}", at: 0) }
        try finish(&parser)
        return .blob(name, data)
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
            if isUpgraded { try write(reading, completed) } else { try write(reading, buffer) }
        case .metadata(let key, let value): try transaction.setMetadata(value, forKey: key)
        case .blob(let name, let data): try transaction.setBlob(data, named: name)
        case .bag(let bag): try transaction.save(bag)
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
