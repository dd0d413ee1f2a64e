/// An object and how far it is from the place that was asked about.
public struct Nearby<Object> {
    /// The object itself.
    public let object: Object
    /// In meters, as ``GeoPoint/distance(to:)`` tells it.
    public let distance: Double
}

extension Nearby: Sendable where Object: Sendable {}

extension Fetch {
    /// The objects of the query nearest to a point, the nearest first; those at the same distance in the order of the query.
    ///
    /// ```swift
    /// for stop in try store.fetch(Stop.self).where({ $0.isOpen }).nearest(10, to: here, by: \.position) {
    ///     print(stop.object.name, stop.distance, "m")
    /// }
    /// ```
    ///
    /// Distances are of what the query looks at: in a context of its unsaved changes too, and of ``ObjectContext/saved`` of what is stored.
    ///
    /// - Parameters:
    ///   - count: how many at most, at least 0.
    ///   - meters: how far away they may be.
    ///
    /// - Throws: as ``all()``.
    /// - Complexity: with an index of the property, three walks along it, of which the last has the objects in a circle that is as large as those before it
    ///   told; otherwise a look at every object. A limit, an offset or a page's begin would leave objects out before their distance is known, and
    ///   throws ``TroveError/invalidQuery(reason:)``.
    public func nearest(_ count: Int, to point: GeoPoint, by property: KeyPath<Object, GeoPoint>, within meters: Double = .infinity) throws -> [Nearby<Object>]
    {
        try nearest(count, to: point, at: Object.path(property), within: meters)
    }

    /// The objects of the query that have a point, the nearest to another first.
    public func nearest(_ count: Int, to point: GeoPoint, by property: KeyPath<Object, GeoPoint?>, within meters: Double = .infinity) throws -> [Nearby<Object>]
    {
        try nearest(count, to: point, at: Object.path(property), within: meters)
    }

    fileprivate func nearest(_ count: Int, to center: GeoPoint, at path: FieldPath, within meters: Double) throws -> [Nearby<Object>] {
        let query = query
        guard query.limit == nil, query.offset == 0, draft.start == nil else {
            throw TroveError.invalidQuery(reason: "the nearest objects are sought among all of the query: take its limit, offset and page away")
        }
        try GeoRegion.circle(center: center, meters: meters).check()
        guard count > 0 else { return [] }
        // All looks see one state: a radius of one says nothing of another.
        let draft = draft.begun
        return try source.read(of: draft.reading([path])) { transaction in
            let model = try transaction.open(Object.self, draft)
            // Before and behind the point in the order of an index are near points, though not all of the nearest. They tell how far to look.
            var sides: [Double] = []
            for (comparison, direction) in [(Comparison.less, SortDirection.descending), (.greaterOrEqual, .ascending)] {
                var side = draft
                side.change { query in
                    query.narrow(by: .comparison(.path(path), comparison, .value(.geoPoint(center))))
                    query.sort = [SortKey(path, direction)]
                    query.limit = count
                }
                let rows = try FieldSelection(transaction, model, side, [path]).rows()
                sides += (0..<rows.count).map { rows.value(0, of: $0).distance(to: center) }
            }
            let radius = sides.count < count ? Double.infinity : sides.sorted()[count - 1]
            var circle = draft
            circle.change { $0.narrow(by: .isWithin(path, .circle(center: center, meters: min(radius, meters)))) }
            let all: [Nearby<Object>] = try transaction.objects(of: model, circle, from: center, at: path)
            let sorted = all.enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
            return sorted.prefix(count).map(\.element)
        }
    }
}

extension ReadTransaction {
    /// The objects of a query and how far they are from a point: as their records say, by which the query finds them. A live object may have moved since.
    fileprivate func objects<Object: Model>(
        of model: OpenModel, _ draft: QueryDraft, from center: GeoPoint, at path: FieldPath
    ) throws -> [Nearby<Object>] {
        let path = try namingReferences([path], of: model.binding)[0]
        let referenced = try referencedValues(model, at: [path])
        let reader = try referenced?.reader(of: path) ?? FieldReader(path, in: model.binding)
        var found: [Nearby<Object>] = []
        try QueryRun(self, model, draft, .records, selected: referenced).forEachResult { key, record in
            var distance = Double.infinity
            try withRecordView(record, key: key, model) { distance = try reader.value(referenced?.looking($0) ?? $0).distance(to: center) }
            try withDecoder(record, key: key, model) { found.append(Nearby(object: try object(&$0), distance: distance)) }
            return .next
        }
        return found
    }
}

extension StoredValue {
    /// How far a point is from another; of what is no point, farther than all.
    fileprivate func distance(to point: GeoPoint) -> Double {
        if case .geoPoint(let own) = self { own.distance(to: point) } else { .infinity }
    }
}

extension Fetch where Source: AsyncObjectSource {
    /// The objects of the query nearest to a point, the nearest first.
    public func nearest(
        _ count: Int, to point: GeoPoint, by property: KeyPath<Object, GeoPoint> & Sendable, within meters: Double = .infinity
    ) async throws -> [Nearby<Object>] {
        try await source._onReader { try self.nearest(count, to: point, by: property, within: meters) }
    }

    /// The objects of the query that have a point, the nearest to another first.
    public func nearest(
        _ count: Int, to point: GeoPoint, by property: KeyPath<Object, GeoPoint?> & Sendable, within meters: Double = .infinity
    ) async throws -> [Nearby<Object>] {
        try await source._onReader { try self.nearest(count, to: point, by: property, within: meters) }
    }
}

extension Fetch where Object == Document {
    /// The documents that have a point at a path, the nearest to another first.
    public func nearest(_ count: Int, to point: GeoPoint, by path: DocumentPath, within meters: Double = .infinity) throws -> [Nearby<Document>] {
        try nearest(count, to: point, at: Object.path(at: path), within: meters)
    }
}

extension Fetch where Object == Document, Source: AsyncObjectSource {
    /// The documents that have a point at a path, the nearest to another first.
    public func nearest(_ count: Int, to point: GeoPoint, by path: DocumentPath, within meters: Double = .infinity) async throws -> [Nearby<Document>] {
        try await source._onReader { try self.nearest(count, to: point, by: path, within: meters) }
    }
}
