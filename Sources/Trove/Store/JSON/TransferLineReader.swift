import Foundation

/// Reads the lines of a transfer one by one, and changes nothing.
final class TransferLineReader {
    let transaction: WriteTransaction
    let targets: TransferTargets
    private var readings: [String: [TransferReading]] = [:]
    /// Those of the model that the last line named.
    private var last: (name: [UInt8], readings: [TransferReading]) = ([], [])
    private var parser = JSONParser(UnsafeRawBufferPointer(start: nil, count: 0))
    /// The record of the last line, if it has one.
    private(set) var record = RecordBuffer()
    /// It with the model's default values for what its line lacks, if it lacks any.
    private(set) var completed = RecordBuffer()

    init(_ transaction: WriteTransaction, _ targets: TransferTargets) {
        self.transaction = transaction
        self.targets = targets
    }

    /// What a line has that follows those of the report.
    ///
    /// - Throws: ``JSONFault`` when it is none of a transfer's.
    func read(_ line: UnsafeRawBufferPointer, _ report: inout JSONImportReport) throws -> TransferItem {
        parser.restart(line)
        return try item(&parser, &report)
    }

    /// Forgets where records go, since what was made for them was undone.
    func forgetPlaces() {
        for reading in readings.values.joined() { reading.place = nil }
    }

    private func item(_ parser: inout JSONParser, _ report: inout JSONImportReport) throws -> TransferItem {
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

    private func readRecord(_ parser: inout JSONParser) throws -> TransferItem {
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
                guard !isStarted, !hasLayout, case .int(let number) = try value(&parser), let position = Int(exactly: number),
                    last.readings.indices.contains(position)
                else {
                    throw parser.fault(
                        "$layout follows $model and counts the model's layouts in the header, of which there are \(last.readings.count)", at: place)
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
        record.key.removeAll()
        record.key.append(whole: key)
        guard let binding = reading.target.binding else {
            try reading.reader.encode(as: reading.target.layout, into: &record)
            return .record(reading, isUpgraded: false)
        }
        guard reading.reader.isWhole, try !binding.computesDefaults(of: reading.target.layout) else {
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

    /// Encodes the record that was read, of which the model has to be able to make an object with the same id: what cannot be read later is not stored.
    private func encodeChecked(_ reading: TransferReading, as layout: RecordLayout, _ plan: DecodingPlan, _ key: [UInt8], _ binding: ModelBinding) throws {
        try reading.reader.encode(as: layout, into: &record)
        let found = try withDecoder(layout, plan, binding) { try binding.objectKey(&$0) }
        guard found == key else {
            throw TroveError.decodingFailed(
                model: reading.model, field: "id", id: binding.shownID(key), reason: "$id differs from the object's, \(binding.shownID(found))")
        }
    }

    /// Calls `body` with the record that was read.
    private func withDecoder<Result>(
        _ layout: RecordLayout, _ plan: DecodingPlan, _ binding: ModelBinding, _ body: (inout RecordDecoder) throws -> Result
    ) throws -> Result {
        try record.withBytes { key, record in
            try key.withUnsafeBytes { key in
                try record.withUnsafeBytes { record in
                    var decoder = try RecordDecoder(record, key: key, layout: layout, plan: plan)
                    decoder.annexSource = OfferedAnnexes(self.record.record.annexes)
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

    private func readings(of model: String) -> [TransferReading] {
        if readings[model] == nil { readings[model] = (targets.targets[model] ?? []).map { TransferReading($0) } }
        // The header need not have the name in these scalars.
        return (readings[model] ?? []).filter { $0.model.hasBytes(of: model) }
    }
}
