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
    /// for stop in try store.fetch(Stop.self).where { $0.isOpen }.nearest(10, to: here, by: \.position) {
    ///     print(stop.object.name, stop.distance, "m")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - count: how many at most, at least 0.
    ///   - meters: how far away they may be.
    /// - Throws: as ``all()-swift.method``.
    /// - Complexity: with an index of the property, three walks along it, of which the last has the objects in a circle that is as large as those before it
    ///   told; otherwise a look at every object. A limit, an offset or a page's begin would leave objects out before their distance is known, and
    ///   throws ``TroveError/invalidQuery(reason:)``.
    public func nearest(_ count: Int, to point: GeoPoint, by property: KeyPath<Object, GeoPoint>, within meters: Double = .infinity) throws -> [Nearby<Object>]
    {
        try nearest(count, to: point, by: { try Object.path(property) }, within: meters) { $0[keyPath: property] }
    }

    /// The objects of the query that have a point, the nearest to another first.
    public func nearest(_ count: Int, to point: GeoPoint, by property: KeyPath<Object, GeoPoint?>, within meters: Double = .infinity) throws -> [Nearby<Object>]
    {
        try nearest(count, to: point, by: { try Object.path(property) }, within: meters) { $0[keyPath: property] }
    }

    fileprivate func nearest(
        _ count: Int, to center: GeoPoint, by path: () throws -> FieldPath, within meters: Double, _ point: (Object) throws -> GeoPoint?
    ) throws -> [Nearby<Object>] {
        let query = query
        guard query.limit == nil, query.offset == 0, draft.start == nil else {
            throw TroveError.invalidQuery(reason: "the nearest objects are sought among all of the query: take its limit, offset and page away")
        }
        try GeoRegion.circle(center: center, meters: meters).check()
        guard count > 0 else { return [] }
        let path = try path()
        func distance(_ object: Object) throws -> Double { try point(object)?.distance(to: center) ?? .infinity }
        // All looks see one state: a radius of one says nothing of another.
        let draft = draft.begun
        return try source.read(of: draft) { transaction in
            let fetch = Fetch<Object, ReadTransaction>(source: transaction, draft: draft)
            /// The nearest objects of a query with a further condition.
            func found(_ change: @escaping (inout Query) -> Void) throws -> [Nearby<Object>] {
                try fetch.changing(change).all().map {
                    Nearby(object: $0, distance: try distance($0))
                }
            }
            // Before and behind the point in the order of an index are near points, though not all of the nearest. They tell how far to look.
            let sides = try [(Comparison.less, SortDirection.descending), (.greaterOrEqual, .ascending)].flatMap { comparison, direction in
                try found { query in
                    query.narrow(by: .comparison(.path(path), comparison, .value(.geoPoint(center))))
                    query.sort = [SortKey(path, direction)]
                    query.limit = count
                }
            }
            let radius = sides.count < count ? Double.infinity : sides.map(\.distance).sorted()[count - 1]
            let all = try found { $0.narrow(by: .isWithin(path, .circle(center: center, meters: min(radius, meters)))) }
            let sorted = all.enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
            return sorted.prefix(count).map(\.element)
        }
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
        try nearest(count, to: point, by: { Object.path(at: path) }, within: meters) { document in
            if case .geoPoint(let point)? = document[path] { point } else { nil }
        }
    }
}

extension Fetch where Object == Document, Source: AsyncObjectSource {
    /// The documents that have a point at a path, the nearest to another first.
    public func nearest(_ count: Int, to point: GeoPoint, by path: DocumentPath, within meters: Double = .infinity) async throws -> [Nearby<Document>] {
        try await source._onReader { try self.nearest(count, to: point, by: path, within: meters) }
    }
}
