import Foundation

/// Where the entries of an index have the values that a query wants, so that no record need be read.
struct Covering {
    private enum Place {
        /// The number among the covered fields.
        case covered(Int)
        /// The number of the part, and its type.
        case part(Int, FieldType)
    }

    private let places: [Place]
    private let layout: PartLayout
    private let descending: [Bool]
    private let coveredCount: Int

    /// nil when the entries do not have the value of each path, or when something has to be checked or sorted by records.
    init?(_ paths: [FieldPath], _ plan: Plan) {
        guard plan.residual == .constant(true), plan.arrangement != .sort, case .index(let scan) = plan.access.kind, !scan.index.isMultiValued,
            plan.order?.isComplete ?? true
        else { return nil }
        let parts = scan.index.fields.parts
        let covered = scan.index.schema.covered
        var places: [Place] = []
        for path in paths {
            if let number = covered.firstIndex(of: path) {
                places.append(.covered(number))
            } else if let number = parts.firstIndex(where: { $0.part.path == path && !$0.part.ignoringCase }), let type = parts[number].type,
                Self.isReversible(type) {
                places.append(.part(number, type))
            } else {
                return nil
            }
        }
        self.places = places
        layout = PartLayout(parts.map { ($0.type, $0.part.direction) })
        descending = parts.map { $0.part.direction == .descending }
        coveredCount = covered.count
    }

    /// Whether a part tells the very value: one of -0.0 does not, nor one of a number that was written with more digits than it needs.
    private static func isReversible(_ type: FieldType) -> Bool {
        switch type {
        case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .string, .uuid, .objectID: true
        default: false
        }
    }

    /// The values; nil when the entry was cut, so that the record has to be read.
    func values(_ entry: IndexEntry) throws -> [StoredValue]? {
        guard !entry.isShortened, let ranges = layout.ranges(in: entry.parts) else { return nil }
        let covered = coveredCount == 0 ? [] : try entry.coveredValues(coveredCount)
        return try places.map { place in
            switch place {
            case .covered(let number): covered[number]
            case .part(let number, let type):
                try Self.value(UnsafeRawBufferPointer(rebasing: entry.parts[ranges[number]]), type, isInverted: descending[number])
            }
        }
    }

    private static func value(_ part: UnsafeRawBufferPointer, _ type: FieldType, isInverted: Bool) throws -> StoredValue {
        let bytes = part.map { isInverted ? ~$0 : $0 }
        guard bytes.first == KeyPart.present else { return .null }
        return try Array(bytes.dropFirst()).withUnsafeBytes { buffer in
            var key = KeyDecoder(buffer)
            switch type {
            case .bool: return .bool(try Bool(from: &key))
            case .string: return .string(try String(from: &key))
            case .uuid: return .uuid(try UUID(from: &key))
            case .objectID: return .objectID(try ObjectID(from: &key))
            case .uint64:
                let value = try UInt64(from: &key)
                return Int64(exactly: value).map { .int($0) } ?? .uint(value)
            default: return .int(try Int64(from: &key))
            }
        }
    }
}
