/// A range of an index's entries.
struct IndexRange: Sendable, Hashable {
    let keys: KeyRange
    /// Whether entries in it may be of records that do not belong to it, because parts were too long to be whole in the keys.
    let needsRecheck: Bool
}

extension IndexBinding {
    /// Appends ``entryRange(parts:last:)``, of which a slice of an index of all paths has one for each of its paths; returns
    /// whether what is found has to be checked.
    func appendRanges(parts: [[UInt8]], last: KeyPartRange? = nil, to ranges: inout [KeyRange]) -> Bool {
        if let blinding {
            // Whoever looks for less than the values of all parts has not asked this index.
            let whole = zip(fields.parts, parts).reduce(into: [UInt8]()) { $0 += $1.0.part.direction == .ascending ? $1.1 : $1.1.map($1.0.inDirection) }
            ranges += blinding.tags(of: whole).map { .prefix($0) }
            return true
        }
        guard let slice else {
            let range = entryRange([], parts: parts, last: last)
            ranges.append(range.keys)
            return range.needsRecheck
        }
        var needsRecheck = false
        for prefix in slice.prefixes {
            let range = entryRange(prefix, parts: parts, last: last)
            ranges.append(range.keys)
            if range.needsRecheck { needsRecheck = true }
        }
        return needsRecheck
    }

    /// The entries with these values in the index's first parts, and, in the part after them, one of a range.
    ///
    /// - Parameters:
    ///   - parts: the bytes of whole parts, as ``KeyPart`` makes them in ascending order, whatever the directions of the index are.
    ///   - last: the range of the next part, likewise; nil for any value. A range without upper bound does not hold the entries of collections
    ///     without members, which come after all values; without a range they are there too.
    func entryRange(parts: [[UInt8]], last: KeyPartRange? = nil) -> IndexRange {
        entryRange([], parts: parts, last: last)
    }

    private func entryRange(_ start: [UInt8], parts: [[UInt8]], last: KeyPartRange?) -> IndexRange {
        var parts = parts
        var last = last
        if let point = last?.point {
            parts.append(point)
            last = nil
        }
        var prefix = start
        for (part, bytes) in zip(fields.parts, parts) { prefix += part.part.direction == .ascending ? bytes : bytes.map(part.inDirection) }
        guard let last else { return range(ofPrefix: prefix, isWhole: parts.count == fields.parts.count) }
        let position = parts.count
        let isDescending = fields.parts[position].part.direction == .descending
        var upper = last.upper
        if position == fields.multiplePart, upper == .unbounded { upper = .excluded([EntryFormat.noMembers]) }
        let (from, to) = isDescending ? (upper, last.lower) : (last.lower, upper)
        func bytes(_ part: [UInt8]) -> [UInt8] { prefix + part.map(fields.parts[position].inDirection) }
        let start: [UInt8]? =
            switch from {
            case .unbounded: prefix
            case .included(let part): bytes(part)
            case .excluded(let part): KeyRange.prefix(bytes(part)).upper
            }
        let end: [UInt8]? =
            switch to {
            case .unbounded: KeyRange.prefix(prefix).upper
            case .included(let part): KeyRange.prefix(bytes(part)).upper
            case .excluded(let part): bytes(part)
            }
        // Nothing is above a start that has no successor.
        guard let start else { return IndexRange(keys: KeyRange(from: [1], upTo: [1]), needsRecheck: false) }
        return range(from: start, upTo: end)
    }

    private func range(ofPrefix prefix: [UInt8], isWhole: Bool) -> IndexRange {
        guard isWhole, prefix.count > EntryFormat.keptPartsSize else {
            return range(from: prefix, upTo: prefix.isEmpty ? nil : KeyRange.prefix(prefix).upper)
        }
        // The hash of cut parts can happen to look like the end of whole ones.
        var key = ByteWriter(capacity: prefix.count)
        prefix.withUnsafeBytes { key.append($0) }
        _ = key.shortenParts(from: 0)
        return IndexRange(keys: .prefix(key.bytes()), needsRecheck: true)
    }

    /// The range of these bounds, each cut to what every entry has of its parts.
    private func range(from start: [UInt8], upTo end: [UInt8]?) -> IndexRange {
        let size = EntryFormat.keptPartsSize
        guard start.count > size || (end?.count ?? 0) > size else {
            return IndexRange(keys: KeyRange(from: start, upTo: end), needsRecheck: false)
        }
        let upper = end.flatMap { $0.count > size ? KeyRange.prefix(Array($0[..<size])).upper : $0 }
        return IndexRange(keys: KeyRange(from: Array(start.prefix(size)), upTo: upper), needsRecheck: true)
    }
}
