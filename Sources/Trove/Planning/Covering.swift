import Foundation

/// Where the entries of an index have the values that a query wants, so that no record need be read.
struct Covering: Sendable {
    fileprivate enum Place {
        /// The number among the covered fields.
        case covered(Int)
        /// The number of the part, its type, and whether its bytes are inverted.
        case part(Int, FieldType, isInverted: Bool)
        /// The record's key.
        case id(FieldType)
    }

    fileprivate let places: [Place]
    fileprivate let layout: PartLayout
    fileprivate let coveredCount: Int

    /// nil when the entries do not have the value of each path.
    init?(_ paths: [FieldPath], _ index: IndexBinding) {
        guard index.schema.kind.isOrdered, !index.isMultiValued else { return nil }
        let parts = index.fields.parts
        let covered = index.schema.covered
        var places: [Place] = []
        for path in paths {
            if let number = covered.firstIndex(of: path) {
                places.append(.covered(number))
            } else if let number = parts.firstIndex(where: { $0.part.path == path && !$0.part.ignoringCase }), let type = parts[number].type,
                type.scalar?.partTellsValue == true {
                places.append(.part(number, type, isInverted: parts[number].part.direction == .descending))
            } else if index.fields.id.path == path, let type = index.fields.id.type {
                places.append(.id(type))
            } else {
                return nil
            }
        }
        self.places = places
        layout = PartLayout(parts.map { ($0.type, $0.part.direction) })
        coveredCount = covered.count
    }

    /// nil also when something has to be checked or sorted by records.
    init?(_ paths: [FieldPath], _ plan: Plan) {
        guard case .constant(true) = plan.residual, plan.arrangement != .sort, case .index(let scan) = plan.access.kind, plan.order?.isComplete ?? true
        else { return nil }
        self.init(paths, scan.index)
    }
}

/// The values of one entry after the other, by the numbers of the paths that a ``Covering`` was made for.
final class CoveredRow {
    private let covering: Covering
    private var parts: [UnsafeRawBufferPointer] = []
    private var covered: [FieldValue] = []
    private var recordKey = UnsafeRawBufferPointer(start: nil, count: 0)

    init(_ covering: Covering) {
        self.covering = covering
    }

    /// Takes up an entry, for as long as its bytes are there; false when they do not have the values, so that the record has to be read.
    func load(_ entry: IndexEntry) throws -> Bool {
        guard !entry.isShortened, entry.recordKey.count <= RecordKey.maxWholeSize, covering.layout.split(entry.parts, into: &parts) else { return false }
        recordKey = entry.recordKey
        if covering.coveredCount > 0 {
            covered.removeAll(keepingCapacity: true)
            var reader = ByteReader(entry.covered)
            for _ in 0..<covering.coveredCount { covered.append(try reader.fieldValue()) }
        }
        return true
    }

    /// Calls `body` with the value of a path, which is valid during the call.
    @inline(__always)
    func withValue<Result>(_ number: Int, _ body: (FieldValue) throws -> Result) throws -> Result {
        switch covering.places[number] {
        case .covered(let number): try body(covered[number])
        case .part(let number, let type, let isInverted): try KeyPart.withValue(of: parts[number], type, isInverted: isInverted, body)
        case .id(let type): try RecordID.withValue(of: recordKey, type: type, body)
        }
    }

    func value(_ number: Int) throws -> StoredValue { try withValue(number) { try $0.storedValue() } }

    /// Appends the value of a path as ``KeyPart`` has it, ascending.
    ///
    /// - Parameter type: as the path's reader tells it.
    func appendKeyPart(_ number: Int, type: FieldType?, to key: inout ByteWriter) throws {
        guard case .part(let number, _, let isInverted) = covering.places[number] else {
            return try withValue(number) { try KeyPart.append($0, type: type, ignoringCase: false, direction: .ascending, to: &key) }
        }
        let start = key.count
        key.append(parts[number])
        if isInverted { KeyPart.invert(&key, from: start) }
    }
}

extension KeyPart {
    /// Calls `body` with the value that a whole part stands for, of a type whose parts tell the value.
    @inline(__always)
    static func withValue<Result>(
        of part: UnsafeRawBufferPointer, _ type: FieldType, isInverted: Bool, _ body: (FieldValue) throws -> Result
    ) throws -> Result {
        let mask: UInt8 = isInverted ? 0xFF : 0
        guard part[0] ^ mask == present else { return try body(.null) }
        switch type {
        case .int64:
            let word = UInt64(bigEndian: part.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
            return try body(.int(Int64(bitPattern: (isInverted ? ~word : word) ^ 1 << 63)))
        case .string:
            let text = UnsafeRawBufferPointer(rebasing: part.dropFirst().dropLast())
            if !isInverted, !text.contains(where: { $0 < 2 }) { return try body(.text(text)) }
            return try withUnescaped(text, mask) { try body(.text($0)) }
        default:
            guard let scalar = type.scalar else { throw TroveError.corruptKey(reason: "a part of type \(type)") }
            return try withUnsafeTemporaryAllocation(byteCount: part.count, alignment: 1) { bytes in
                for (position, byte) in part.dropFirst().enumerated() { bytes[position] = byte ^ mask }
                var key = KeyDecoder(UnsafeRawBufferPointer(rebasing: bytes[..<(part.count - 1)]))
                return try body(try scalar.fieldValue(ofPart: &key))
            }
        }
    }

    /// Calls `body` with the bytes that were escaped, and perhaps inverted.
    private static func withUnescaped<Result>(
        _ text: UnsafeRawBufferPointer, _ mask: UInt8, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try withUnsafeTemporaryAllocation(byteCount: max(1, text.count), alignment: 1) { bytes in
            var count = 0
            var isEscaped = false
            for byte in text {
                let plain = byte ^ mask
                if plain == 1, !isEscaped {
                    isEscaped = true
                } else {
                    if isEscaped, plain != 1, plain != 2 { throw TroveError.corruptKey(reason: "bad escape in a text part") }
                    bytes[count] = isEscaped ? plain - 1 : plain
                    isEscaped = false
                    count += 1
                }
            }
            return try body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }
}
