import Foundation

/// How a query is answered: how records are found, what is left to check on them, and how they come into order.
struct Plan: Sendable {
    let access: Access
    let arrangement: Arrangement
    /// The conditions that the access does not make sure of.
    let residual: Filter
    /// How many objects are expected to pass the filter.
    let estimatedRows: Double
    /// What it is expected to cost, in microseconds.
    let estimatedCost: Double
    /// The order that the access gives, where the arrangement is by it.
    let order: IndexOrder?
    /// The number of steps of the access.
    let stepCount: Int

    init(_ access: Access, _ arrangement: Arrangement, residual: Filter, estimatedRows: Double, cost: Double, order: IndexOrder? = nil) {
        var count = 0
        self.access = access.numbered(from: &count)
        self.arrangement = arrangement
        self.residual = residual
        self.estimatedRows = estimatedRows
        estimatedCost = cost
        self.order = order
        stepCount = count
    }

    /// Whether each key that the access finds is a result, in its order, when nothing is left to check.
    var findsResults: Bool { access.findsKeys && access.findsRecords && arrangement != .sort }

    /// Whether results are met one by one in a scan of the records, which goes on rightly when they are changed meanwhile.
    var isLiveScan: Bool {
        if case .records = access.kind { arrangement != .sort } else { false }
    }
}

extension Plan {
    /// Whether a run that begins behind a place does not do again what led to the place.
    var canGoOn: Bool {
        switch (access.kind, arrangement) {
        case (.records, .key), (.index, .index): true
        default: false
        }
    }
}

extension KeyRange {
    /// The part of the range that a scan in an order still has before it, once it has passed `key`.
    func rest(_ order: ScanOrder, after key: ArraySlice<UInt8>?) -> KeyRange {
        guard let key else { return self }
        switch order {
        case .ascending:
            let next = Array(key) + [0]
            return lower.lexicographicallyPrecedes(next) ? KeyRange(from: next, upTo: upper) : self
        case .descending:
            guard let upper, upper.lexicographicallyPrecedes(key) else { return KeyRange(from: lower, upTo: Array(key)) }
            return self
        }
    }
}

/// Where the entries of an index have the values that a query wants, so that no record need be read.
struct Covering {
    private enum Place {
        /// The number among the covered fields.
        case covered(Int)
        /// The number of the part, and its type.
        case part(Int, any Scalar.Type)
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
            } else if let number = parts.firstIndex(where: { $0.part.path == path && !$0.part.ignoringCase }), let scalar = parts[number].type?.scalar,
                scalar.partTellsValue {
                places.append(.part(number, scalar))
            } else {
                return nil
            }
        }
        self.places = places
        layout = PartLayout(parts.map { ($0.type, $0.part.direction) })
        descending = parts.map { $0.part.direction == .descending }
        coveredCount = covered.count
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

    private static func value(_ part: UnsafeRawBufferPointer, _ scalar: any Scalar.Type, isInverted: Bool) throws -> StoredValue {
        let bytes = part.map { isInverted ? ~$0 : $0 }
        guard bytes.first == KeyPart.present else { return .null }
        return try Array(bytes.dropFirst()).withUnsafeBytes { buffer in
            var key = KeyDecoder(buffer)
            return try scalar.storedValue(ofPart: &key)
        }
    }
}

/// The numbers of rows that the steps of a plan met in a run.
struct PlanRows: Sendable {
    private var steps: [Int]
    /// The records that were read for keys found.
    var fetched = 0
    /// The records that passed what was left to check.
    var matches = 0
    /// The results that were kept to be sorted.
    var sorted = 0

    init(_ plan: Plan) {
        steps = Array(repeating: 0, count: plan.stepCount)
    }

    /// The rows of the step with this number.
    subscript(step: Int) -> Int {
        get { steps[step] }
        set { steps[step] = newValue }
    }
}
