/// Turns the conditions of a filter that go through references into conditions on the references themselves, before the query is planned.
///
/// `album.artist.name = 'X'` asks the artists of that name first, then the albums that refer to one of them, and leaves `album in (…)`, which an
/// index of the references can answer. Where there is nothing at the end of a path, since a reference is nil or what it points at is not
/// stored, the value is nil. So a condition that holds for nil, as `album.year != 1959` does, becomes `not (album in (…))` with those in the
/// list that fail it.
///
/// Conditions through the same reference are asked together, as one query.
struct SemiJoin {
    /// How many objects a condition may find behind a reference: as many as a list in a filter may have values.
    fileprivate static let maxTargets = FilterCompiler.maxConditions

    private let transaction: ReadTransaction
    private let relationships: [RelationshipBinding]
    /// The relationship whose target the innermost quantifier looks at.
    private var element: RelationshipBinding?
    /// How many references lead to this model already.
    private let hops: Int
    private let watch: ReadWatch

    /// - Parameter hops: how many references the query of this model stands behind.
    init(_ transaction: ReadTransaction, _ binding: ModelBinding, hops: Int, _ watch: ReadWatch) throws {
        self.watch = watch
        self.transaction = transaction
        self.hops = hops
        relationships = try transaction.relationships.table.relationships(of: binding.schema.name)
    }

    /// The filter as conditions on the model's own fields.
    ///
    /// - Throws: ``TroveError/invalidQuery(reason:)`` for a comparison of fields on both sides of a reference; what is wrong with the conditions.
    func rewritten(_ filter: Filter) throws -> Filter {
        guard !relationships.isEmpty, filter != .constant(true) else { return filter }
        try FilterCompiler.checkSize(of: filter)
        return try rewritten(direct: filter.mapOwnPaths { hop(of: $0)?.ownPath ?? $0 })
    }

    /// - Parameter filter: one in which the id behind a reference is the reference.
    private func rewritten(direct filter: Filter) throws -> Filter {
        if let hop = try commonHop(of: filter) { return try joined(filter, hop) }
        switch filter {
        case .and(let filters): return .and(try rewritten(filters.array) { .and($0) })
        case .or(let filters): return .or(try rewritten(filters.array) { .or($0) })
        case .not(let inner): return .not(try rewritten(direct: inner.value))
        case .quantified(let quantifier, let path, let part, let condition):
            var inner = self
            inner.element = relationship(ofMembersAt: path, part)
            let condition = condition.value.mapOwnPaths { inner.hop(of: $0)?.ownPath ?? $0 }
            return .quantified(quantifier, path, part, try inner.rewritten(direct: condition))
        default: return filter
        }
    }

    /// The filters with those through one reference put together.
    private func rewritten(_ filters: [Filter], _ join: ([Filter]) -> Filter) throws -> [Filter] {
        var groups: [(hop: ReferenceHop, filters: [Filter])] = []
        var rest: [Filter] = []
        for filter in filters {
            guard let hop = try commonHop(of: filter) else {
                rest.append(try rewritten(direct: filter))
                continue
            }
            if let group = groups.firstIndex(where: { $0.hop.reference == hop.reference }) {
                groups[group].filters.append(filter)
            } else {
                groups.append((hop, [filter]))
            }
        }
        return try rest + groups.map { try joined($0.filters.count == 1 ? $0.filters[0] : join($0.filters), $0.hop) }
    }

    /// The condition on a reference that a condition on what it points at comes to.
    private func joined(_ filter: Filter, _ hop: ReferenceHop) throws -> Filter {
        let target = try hop.target(behind: hops)
        let holdsForNil = filter.isTrueOfNil
        let moved = try filter.mapOwnPaths { path in
            guard let moved = self.hop(of: path)?.rest else { throw TroveError.invalidQuery(reason: "'\(path)' does not go through '\(hop.reference)'") }
            return moved
        }
        let found = try transaction.keys(of: target, where: holdsForNil ? !moved : moved, hops: hops + 1, watch)
        let list = try Filter.identified(at: hop.reference, by: found.keys, as: found.idType)
        return holdsForNil ? .not(list) : list
    }

    /// The reference that all paths of a filter go through; nil when there are no paths, or they do not go through one and the same.
    ///
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when one condition has paths on both sides of a reference.
    private func commonHop(of filter: Filter) throws -> ReferenceHop? {
        switch filter {
        case .and(let filters), .or(let filters):
            guard let first = filters.first, let common = try commonHop(of: first) else { return nil }
            return try filters.dropFirst().allSatisfy { try commonHop(of: $0)?.reference == common.reference } ? common : nil
        case .not(let inner): return try commonHop(of: inner.value)
        case .quantified(_, let path, _, let condition):
            guard let found = hop(of: path) else { return nil }
            if let other = condition.value.objectPath { throw mixed(path, other) }
            return found
        default:
            let paths = filter.ownPaths
            guard let first = paths.first else { return nil }
            let found = hop(of: first)
            for other in paths.dropFirst() where hop(of: other)?.reference != found?.reference { throw mixed(first, other) }
            return found
        }
    }

    private func mixed(_ path: FieldPath, _ other: FieldPath) -> TroveError {
        .invalidQuery(
            reason: "'\(path)' and '\(other)' are fields of different objects; through a relationship a field compares with values only")
    }

    /// Where a path goes through a reference; nil when it does not.
    private func hop(of path: FieldPath) -> ReferenceHop? {
        if path.field.isEmpty { return element.flatMap { ReferenceHop(path, at: 0, $0) } }
        return relationships.hop(of: path)
    }

    private func relationship(named field: String) -> RelationshipBinding? { relationships.first { $0.name == field } }

    private func relationship(ofMembersAt path: FieldPath, _ part: CollectionPart) -> RelationshipBinding? {
        guard path.names.isEmpty, let relationship = relationship(named: path.field), relationship.part == part else { return nil }
        return relationship
    }
}

extension ReadTransaction {
    /// The keys of the objects of a model that pass a filter, and the type of their ids.
    fileprivate func keys(of name: String, where filter: Filter, hops: Int, _ watch: ReadWatch) throws -> (keys: [[UInt8]], idType: FieldType?) {
        let model = try openStored(named: name)
        var draft = QueryDraft(model.binding.schema.name)
        draft.query.filter = filter
        var keys: [[UInt8]] = []
        try QueryRun(self, model, draft, .keys, hops: hops, watch: watch).forEachKey { key in
            guard keys.count < SemiJoin.maxTargets else {
                throw TroveError.invalidQuery(
                    reason: "'\(filter.explained)' passes more than \(SemiJoin.maxTargets) objects of \(name), which cannot be listed to find what refers to them; ask for fewer, or store the property with the objects that refer to them")
            }
            keys.append(try wholeKey(key, of: model.binding))
            return .next
        }
        return (keys, model.binding.idType)
    }
}
