import Foundation

/// Values, blobs and bags, which are not records of models.
extension TransferLineReader {
    /// The next value of any kind.
    func value(_ parser: inout JSONParser) throws -> StoredValue {
        var nested = ByteWriter(capacity: 64)
        try parser.value(into: &nested)
        return try nested.withBytes { try $0.withUnsafeBytes { try FieldValue(nested: $0).storedValue() } }
    }

    func finish(_ parser: inout JSONParser) throws {
        try parser.require("}", "'}'")
        try parser.finish()
    }

    /// The only value that follows, which has this name.
    func value(named expected: String, _ parser: inout JSONParser) throws -> StoredValue {
        guard let next = try parser.nextName(isFirst: false), next.name.elementsEqual(expected.utf8) else {
            throw parser.fault("'\(expected)' is missing")
        }
        return try value(&parser)
    }

    func readMetadata(_ parser: inout JSONParser) throws -> TransferItem {
        let key = String(storedUTF8: try parser.textValue("the key of a value"))
        let value = try value(named: "value", &parser)
        try finish(&parser)
        return .metadata(key, value)
    }

    func readBlob(_ parser: inout JSONParser) throws -> TransferItem {
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

    func readBag(_ parser: inout JSONParser) throws -> TransferItem {
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
}
