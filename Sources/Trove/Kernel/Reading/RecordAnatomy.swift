/// The bytes of one record, cut into the parts that `docs/format.md` draws.
package struct RecordAnatomy: Sendable {
    /// A run of bytes with one meaning.
    package struct Part: Sendable {
        package enum Kind: String, Sendable {
            case header, checksum, nilBitmap = "nil bitmap", fixed, ends, variable
        }

        package let kind: Kind
        /// What it is: `flags`, or the name of a field.
        package let name: String
        /// Where it lies in the record.
        package let range: Range<Int>
        /// What it says: `layout 3`, `title ends at 12`.
        package let meaning: String
    }

    package let bytes: [UInt8]
    /// One after the other, from the first byte to the last; of a record whose ends are not in order, up to there.
    package let parts: [Part]
}

extension RecordAnatomy {
    /// - Throws: `DecodingFault.damaged` when the record has no header, or ends before its values begin.
    init(_ record: UnsafeRawBufferPointer, layout: RecordLayout) throws {
        bytes = [UInt8](record)
        let flags = try RecordDecoder.header(of: record).flags
        let width = flags.contains(.wideEnds) ? 4 : 2
        let extra = (flags.contains(.longKey) ? ["the whole key"] : []) + (flags.contains(.sealedFields) ? ["encrypted fields"] : [])
        let names = layout.fields.filter { !$0.isFixed }.map { ($0.name, "\($0.type)") } + extra.map { ($0, "") }
        let variableStart = layout.endsStart + names.count * width
        guard record.count >= variableStart else { throw DecodingFault.damaged("it is too short for its layout") }
        var parts = [
            Part(kind: .header, name: "format", range: 0..<1, meaning: "\(record[0])"),
            Part(kind: .header, name: "flags", range: 1..<2, meaning: Self.text(of: flags)),
            Part(kind: .header, name: "layout", range: 2..<4, meaning: "number \(layout.number)"),
            Part(kind: .checksum, name: "checksum", range: 4..<RecordLayout.headerSize, meaning: "of the key and all other bytes"),
        ]
        if layout.fixedStart > RecordLayout.headerSize {
            let bits = record[RecordLayout.headerSize..<layout.fixedStart].map { String($0, radix: 2) }.joined(separator: " ")
            parts.append(Part(kind: .nilBitmap, name: "nil bitmap", range: RecordLayout.headerSize..<layout.fixedStart, meaning: bits))
        }
        for field in layout.fields {
            guard let size = field.type.fixedSize else { continue }
            parts.append(Part(kind: .fixed, name: field.name, range: field.place..<field.place + size, meaning: "\(field.type)"))
        }
        var starts = [0]
        for (number, name) in names.enumerated() {
            let place = layout.endsStart + number * width
            let end = (0..<width).reduce(0) { $0 | Int(record[place + $1]) << (8 * $1) }
            parts.append(Part(kind: .ends, name: name.0, range: place..<place + width, meaning: "ends at \(end)"))
            starts.append(end)
        }
        for (number, name) in names.enumerated() {
            let (start, end) = (variableStart + starts[number], variableStart + starts[number + 1])
            guard start <= end, end <= record.count else { break }
            if start < end { parts.append(Part(kind: .variable, name: name.0, range: start..<end, meaning: name.1)) }
        }
        self.parts = parts
    }

    private static func text(of flags: RecordFormat.Flags) -> String {
        let known: [(RecordFormat.Flags, String)] = [(.wideEnds, "ends of four bytes"), (.longKey, "whole key inside"), (.sealedFields, "encrypted fields")]
        let names = known.filter { flags.contains($0.0) }.map(\.1)
        return names.isEmpty ? "none" : names.joined(separator: ", ")
    }
}

extension ReadTransaction {
    /// The bytes of a record with what they mean; nil when there is none.
    ///
    /// - Throws: ``TroveError/corruptRecord(model:id:reason:)`` when it has no header, or not that of its layout.
    package func recordAnatomy(of modelName: String, key: [UInt8]) throws -> RecordAnatomy? {
        let reader = try reader
        guard !Catalogue.isReserved(modelName), let keyspace = try reader.keyspace(named: modelName) else { return nil }
        return try reader.withValue(of: RecordKey(key).bytes.span.bytes, in: keyspace) { bytes in
            try bytes.withUnsafeBytes { record in
                do {
                    return try RecordAnatomy(record, layout: storedLayout(RecordDecoder.header(of: record).layout))
                } catch let fault as DecodingFault {
                    throw fault.error(model: ModelSchema(modelName, fields: []), field: 0, key: key)
                }
            }
        }
    }
}
