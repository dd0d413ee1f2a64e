/// Where the entries of an index have the values that a query wants, so that no record need be read.
struct Covering: Sendable {
    enum Place {
        /// The number among the covered fields.
        case covered(Int)
        /// The number of the part, its type, and whether its bytes are inverted.
        case part(Int, FieldType, isInverted: Bool)
        /// The record's key, of this type: an id that may be nil has a byte for that.
        case id(FieldType)
    }

    let index: IndexBinding
    let places: [Place]
    let layout: PartLayout
    let coveredCount: Int

    /// nil when the entries do not have the value of each path.
    init?(_ paths: [FieldPath], _ index: IndexBinding) {
        guard index.schema.kind.isOrdered, index.slice == nil, !index.isMultiValued else { return nil }
        let parts = index.fields.parts
        let covered = index.schema.covered
        var places: [Place] = []
        for path in paths {
            if let number = covered.firstIndex(of: path) {
                places.append(.covered(number))
            } else if let number = parts.firstIndex(where: { $0.part.path == path && $0.part.ignoring.isEmpty }), let type = parts[number].type,
                type.scalar?.partTellsValue == true {
                places.append(.part(number, type, isInverted: parts[number].part.direction == .descending))
            } else if index.fields.id.path == path, case .id(let type?) = index.fields.id.access {
                places.append(.id(type))
            } else {
                return nil
            }
        }
        self.index = index
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
    // A row is used by one thread, and nothing of a caller runs while one of these is changed.
    @exclusivity(unchecked) private var parts: [UnsafeRawBufferPointer]
    @exclusivity(unchecked) private var covered: [FieldValue] = []
    @exclusivity(unchecked) private var recordKey = UnsafeRawBufferPointer(start: nil, count: 0)

    init(_ covering: Covering) {
        self.covering = covering
        parts = Array(repeating: recordKey, count: covering.layout.count)
    }

    /// Takes up an entry, for as long as its bytes are there; false when they do not have the values, so that the record has to be read.
    ///
    /// - Throws: ``TroveError/corruptIndex(model:index:reason:)`` when the bytes are not those of the index's parts and covered values.
    func load(_ entry: IndexEntry) throws -> Bool {
        guard !entry.isShortened, entry.recordKey.count <= RecordKey.maxWholeSize else { return false }
        guard covering.layout.split(entry.parts, into: &parts) else { throw covering.index.otherParts }
        recordKey = entry.recordKey
        if covering.coveredCount == 0, entry.covered.isEmpty { return true }
        try covering.index.namingDamage {
            covered.removeAll(keepingCapacity: true)
            var reader = ByteReader(entry.covered)
            for _ in 0..<covering.coveredCount { covered.append(try reader.fieldValue()) }
            guard reader.remaining == 0 else { throw TroveError.corruptValue(reason: "an entry goes on behind its covered values") }
        }
        return true
    }

    /// Calls `body` with the value of a path, which is valid during the call.
    ///
    /// - Throws: ``TroveError/corruptIndex(model:index:reason:)`` when the bytes are not those of a value; what `body` throws.
    @inline(__always)
    func withValue<Result>(_ number: Int, _ body: (FieldValue) throws -> Result) throws -> Result {
        switch covering.places[number] {
        case .covered(let number): try covering.index.withChecked(covered[number], body)
        case .part(let number, let type, let isInverted): try covering.index.withPartValue(of: parts[number], type, isInverted: isInverted, body)
        case .id(let type):
            try covering.index.namingDamage {
                try RecordID.withValue(of: recordKey, type: type) { value in
                    try value.checkText()
                    return try body(value)
                }
            }
        }
    }

    func value(_ number: Int) throws -> StoredValue { try withValue(number) { try $0.storedValue() } }

    /// The value of a path as ``KeyPart`` has it, ascending, where it lies in the entry; nil where the entry has it in another form.
    @inline(__always)
    func keyPart(_ number: Int) -> UnsafeRawBufferPointer? {
        guard case .part(let number, _, isInverted: false) = covering.places[number] else { return nil }
        return parts[number]
    }

    /// Appends the value of a path as ``KeyPart`` has it, ascending.
    ///
    /// - Parameter type: as the path's reader tells it.
    func appendKeyPart(_ number: Int, type: FieldType?, to key: inout ByteWriter) throws {
        guard case .part(let number, _, let isInverted) = covering.places[number] else {
            return try withValue(number) { try KeyPart.append($0, type: type, ignoring: [], direction: .ascending, to: &key) }
        }
        let start = key.count
        key.append(parts[number])
        if isInverted { KeyPart.invert(&key, from: start) }
    }
}

extension IndexBinding {
    /// Calls `body` with the value that a part of an entry tells, which is valid during the call.
    ///
    /// - Throws: ``TroveError/corruptIndex(model:index:reason:)`` when the bytes are not those of a value; what `body` throws.
    @inline(__always)
    func withPartValue<Result>(
        of part: UnsafeRawBufferPointer, _ type: FieldType, isInverted: Bool, _ body: (FieldValue) throws -> Result
    ) throws -> Result {
        try namingDamage {
            try KeyPart.withValue(of: part, type, isInverted: isInverted) { value in
                try value.checkText()
                return try body(value)
            }
        }
    }

    @inline(__always)
    fileprivate func withChecked<Result>(_ value: FieldValue, _ body: (FieldValue) throws -> Result) throws -> Result {
        try namingDamage {
            try value.checkText()
            return try body(value)
        }
    }

    /// What is told of an entry whose parts are not those that the index has.
    var otherParts: TroveError { corrupt("an entry has other parts than the index") }
}

extension FieldValue {
    /// - Throws: ``TroveError/corruptValue(reason:)`` for a text that is not UTF-8: entries have no checksum that would have told.
    @inline(__always)
    fileprivate func checkText() throws {
        guard case .text(let bytes) = self, !bytes.isASCII else { return }
        if String(validating: bytes, as: UTF8.self) == nil { throw TroveError.corruptValue(reason: "a text is not UTF-8") }
    }
}
