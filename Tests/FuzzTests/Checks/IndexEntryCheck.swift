import Foundation

@testable import Trove

/// Entries of ordered indexes, of their groups, and of blobs.
enum IndexEntryCheck {
    /// An input is a byte for what it is read as, a key with its size, and a value.
    static func run(_ input: inout FuzzInput) throws {
        let kind = input.choice(4)
        let key = input.chunk()
        let value = input.rest()
        switch kind {
        case 0: try checkEntry(key, value)
        case 1: try checkGroup(value)
        case 2:
            _ = try valueOrTypedError("a blob") { try BlobSpace.decode(value.span.bytes, name: String(decoding: key, as: UTF8.self)) }
            let stored = BlobSpace.encode(Data(value), name: "name")
            try require(try BlobSpace.decode(stored.span.bytes, name: "name") == Data(value), "another blob is read again")
        default: try checkBlobEntries(key, value)
        }
    }

    /// The entries of blobs in chunks, with a checksum that fits.
    private static func checkBlobEntries(_ key: [UInt8], _ value: [UInt8]) throws {
        let name = String(decoding: key, as: UTF8.self)
        let sealedHeader = value.withUnsafeBytes { Checksum.sealed($0, seed: BlobSpace.seed(name)) }
        let header = try valueOrTypedError("a header") { try BlobHeader.decode(sealedHeader.span.bytes, name: name) }
        if let header {
            let last = header.size(ofChunk: header.lastChunk)
            try require((1...header.chunkSize).contains(last), "the last chunk has another size")
            let bytes = try header.encode(name: name)
            let again = try BlobHeader.decode(bytes.span.bytes, name: name)
            try require(again == header, "another header is read again")
        }
        guard key.count == 8, let number = BlobKey.parts(key.span.bytes)?.number else { return }
        let sealedUpload = value.withUnsafeBytes { Checksum.sealed($0, seed: number) }
        let upload = try valueOrTypedError("an upload") { try BlobUpload.decode(sealedUpload.span.bytes, number: number) }
        if let upload {
            let bytes = try upload.encode()
            let again = try BlobUpload.decode(bytes.span.bytes, number: number)
            try require(again.size == upload.size && again.name.utf8.elementsEqual(upload.name.utf8), "another upload is read again")
        }
    }

    /// The values of an index with parts in both directions and covered fields.
    private static let covering = Result {
        let binding = try ModelBinding(FuzzedModel.self, layout: RecordCheck.layout)
        let schema = try Index<FuzzedModel>([.descending(\.text), .ascending(\.number)], covering: [\.small, \.unsigned]).checkedSchema()
        let entry = IndexCatalogueEntry(
            number: 1, modelName: FuzzedModel.schema.name, version: FuzzedModel.schema.version, schema: schema,
            types: try IndexFields(schema, in: binding).types, state: .ready)
        return Covering(paths, try IndexBinding(entry, in: binding))
    }

    private static let paths = ["text", "number", "small", "unsigned"].map { FieldPath($0) } + [.id]

    private static func checkEntry(_ key: [UInt8], _ value: [UInt8]) throws {
        _ = try valueOrTypedError("an entry") {
            try IndexEntry.read(key.span.bytes, value.span.bytes) { entry in
                try require(entry.parts.count <= key.count, "parts longer than the key")
                try checkValues(of: entry)
            }
        }
    }

    private static func checkValues(of entry: IndexEntry) throws {
        guard let covering = try covering.get() else { throw FuzzFailure("the index has not the values") }
        let row = CoveredRow(covering)
        guard try valueOrTypedError("the values of an entry", { try row.load(entry) }) == true else { return }
        for (number, path) in paths.enumerated() {
            if let value = try valueOrTypedError("the entry's \(path)", { try row.value(number) }) { try NestedCheck.checkAgain(value) }
            _ = try valueOrTypedError("the part of the entry's \(path)") {
                var key = ByteWriter()
                try row.appendKeyPart(number, type: nil, to: &key)
            }
        }
    }

    private static func checkGroup(_ value: [UInt8]) throws {
        try value.withUnsafeBytes { buffer in
            for isDecimal in [false, true] {
                let sums = try valueOrTypedError("a group's sum") { () -> GroupSum in
                    var reader = ByteReader(buffer)
                    return try GroupSum(from: &reader, isDecimal: isDecimal)
                }
                guard var sum = sums else { continue }
                var written = ByteWriter()
                try mustSucceed("writing a sum") { try sum.encode(into: &written, isDecimal: isDecimal) }
                // Adding to what was stored must not trap, whatever that was.
                sum.add(sum)
            }
        }
        let entry = GroupEntry(count: 1, sums: [], values: value)
        _ = try valueOrTypedError("a group's values") { try entry.storedValues(2) }
    }
}
