/// Tells which values of an index's part can pass a condition.
struct PartMatcher {
    let path: FieldPath
    /// Another path to the same value: the field that is the id; nil when there is none.
    let otherPath: FieldPath?
    /// The type of the values without optional layers; nil when only the values tell.
    let type: FieldType?
    /// How the part has texts: by what folding.
    let folding: TextFolding
    /// The type of the model's ids when the values are those of record keys, which have no byte for presence; nil for parts.
    let idType: FieldType?
    /// The members of a collection of which the part has one; nil when it has the value at the path itself.
    let members: CollectionPart?
    /// What the part has of an index of all paths; nil of an index of its own.
    let slice: PathSlice?

    init(
        path: FieldPath, or otherPath: FieldPath? = nil, type: FieldType?, folding: TextFolding, members: CollectionPart?, idType: FieldType? = nil,
        slice: PathSlice? = nil
    ) {
        self.path = path
        self.otherPath = otherPath
        self.type = type
        self.folding = folding
        self.members = members
        self.idType = idType
        self.slice = slice
    }

    /// The values of the part for which `filter` can be true; nil when the part tells nothing about it.
    func intervals(_ filter: Filter) throws -> PartIntervals? {
        if let slice {
            guard let found = try intervals(filter, slice.subject.quantifiers[...], of: slice.subject.last) else { return nil }
            return found.within(slice)
        }
        guard let members else { return try intervals(filter, of: path) }
        guard case .quantified(.any, path, members, let inner) = filter else { return nil }
        return try intervals(inner.value, of: .element)
    }

    /// The same of a condition inside of quantifiers.
    private func intervals(_ filter: Filter, _ quantifiers: ArraySlice<PathSubject.Quantifier>, of subject: FieldPath) throws -> PartIntervals? {
        guard let first = quantifiers.first else { return try intervals(filter, of: subject) }
        guard case .quantified(.any, first.path, first.part, let inner) = filter else { return nil }
        return try intervals(inner.value, quantifiers.dropFirst(), of: subject)
    }

    private func intervals(_ filter: Filter, of subject: FieldPath) throws -> PartIntervals? {
        func isSubject(_ path: FieldPath) -> Bool { path == subject || path == otherPath }
        switch filter {
        case .comparison(.path(let path), let comparison, .value(let value), let ignoring) where isSubject(path):
            return try compared(comparison, value, ignoring)
        case .membership(.path(let path), let values, let ignoring) where isSubject(path):
            var all: [PartIntervals] = []
            for value in values {
                guard let one = try compared(.equal, value, ignoring) else { return nil }
                all.append(one)
            }
            return .union(all)
        case .text(.path(let path), .hasPrefix, .value(.string(let text)), let ignoring) where isSubject(path):
            guard type.isFoldable, let isExact = comparesText(ignoring, isEquality: true) else { return nil }
            if let idType { return RecordID.keyRange(prefix: text, type: idType).map { PartIntervals($0, isPoint: false, isExact: isExact) } }
            return PartIntervals(KeyPartRange.range(prefix: text, ignoring: folding, type: type), isPoint: false, isExact: isExact)
        case .isWithin(let path, let region) where isSubject(path):
            return within(region)
        case .isNil(let path) where isSubject(path):
            if let idType { return idType.optionalDepth == 0 ? PartIntervals([], isExact: true) : nil }
            return PartIntervals(.null, isPoint: true, isExact: true)
        case .not(let inner):
            // What is true of no member, or of the record whose collection has none, is not in the entries.
            guard members == nil, hasComplement, let opposite = try intervals(inner.value, of: subject), opposite.isExact else { return nil }
            return opposite.complement
        case .and(let filters):
            return try conjunction(filters.array, of: subject)
        case .or(let filters):
            var all: [PartIntervals] = []
            for filter in filters {
                guard let one = try intervals(filter, of: subject) else { return nil }
                all.append(one)
            }
            return .union(all)
        default:
            return nil
        }
    }

    private func conjunction(_ filters: [Filter], of subject: FieldPath) throws -> PartIntervals? {
        var all: PartIntervals?
        var isComplete = true
        for filter in filters {
            if let one = try intervals(filter, of: subject) {
                all = all?.intersection(one) ?? one
            } else {
                isComplete = false
            }
        }
        if !isComplete { all?.isExact = false }
        return all
    }

    /// Where the points of a region are, with others near them; nil for ids, and for a region that the compiled filter refuses.
    private func within(_ region: GeoRegion) -> PartIntervals? {
        guard idType == nil, (try? region.check()) != nil else { return nil }
        let head = [KeyPart.present] + (type == nil ? [ValueClass.geoPoint.rawValue] : [])
        let intervals = region.codeRanges.map { range in
            let last = head + withUnsafeBytes(of: range.upperBound.bigEndian) { Array($0) }
            return PartIntervals.Interval(
                lower: head + withUnsafeBytes(of: range.lowerBound.bigEndian) { Array($0) }, upper: KeyRange.prefix(last).upper)
        }
        return PartIntervals(intervals, isExact: false)
    }

    private func compared(_ comparison: Comparison, _ value: StoredValue, _ ignoring: TextFolding) throws -> PartIntervals? {
        if comparison == .notEqual {
            guard members == nil, hasComplement, let equal = try compared(.equal, value, ignoring), equal.isExact else { return nil }
            return equal.complement
        }
        if comparison == .equal, idType == nil, ignoring.isEmpty, folding.isEmpty, let part = KeyPartRange.plainPart(of: value, type: type) {
            return PartIntervals(point: part)
        }
        var isExact = true
        if type.isFoldable, value.isFoldable {
            guard let exactness = comparesText(ignoring, isEquality: comparison == .equal) else { return nil }
            isExact = exactness
        }
        if let idType {
            guard let range = try RecordID.keyRange(for: comparison, literal: value, type: idType) else { return nil }
            return PartIntervals(range, isPoint: comparison == .equal, isExact: true)
        }
        guard let range = try KeyPartRange.range(for: comparison, literal: value, type: type, ignoring: folding) else { return nil }
        return PartIntervals(range, isPoint: comparison == .equal, isExact: isExact && (type != nil || slice != nil))
    }

    /// Whether all values that are not in exact intervals of a condition are those that fail it.
    private var hasComplement: Bool { idType.map { $0.optionalDepth == 0 } ?? true }

    /// Whether the part finds exactly the texts that a test finds (true) or others too (false); nil when it may miss some.
    private func comparesText(_ ignoring: TextFolding, isEquality: Bool) -> Bool? {
        if ignoring == folding { return true }
        // Texts that are equal, or begin alike, do so in foldings that ignore more. Other foldings tell nothing of each other.
        return isEquality && folding.isSuperset(of: ignoring) ? false : nil
    }
}

extension FieldType? {
    /// Whether values of the type, nil when only the values tell it, can be texts or URLs, for which it matters how they are folded.
    var isFoldable: Bool { self == nil || self == .string || self == .url }
}

extension StoredValue {
    fileprivate var isFoldable: Bool {
        switch self {
        case .string, .url: true
        default: false
        }
    }
}
