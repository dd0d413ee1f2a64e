extension Field where Value == GeoPoint {
    /// Whether the point is in a region.
    ///
    /// ```swift
    /// store.fetch(Stop.self).where { $0.position.isWithin(.box(southWest: corner, northEast: opposite)) }
    /// ```
    ///
    /// An index of the property is read where the region is on the map, and a little around it. A region that is none, such as a circle of a negative radius, makes the query throw
    /// ``TroveError/invalidQuery(reason:)``.
    public func isWithin(_ region: GeoRegion) -> Condition { within(region) }

    /// Whether the point is at most so many meters from another.
    public func isWithin(meters: Double, of center: GeoPoint) -> Condition { within(.circle(center: center, meters: meters)) }
}

extension Field where Value == GeoPoint? {
    /// Whether there is a point and it is in a region.
    public func isWithin(_ region: GeoRegion) -> Condition { within(region) }

    /// Whether there is a point and it is at most so many meters from another.
    public func isWithin(meters: Double, of center: GeoPoint) -> Condition { within(.circle(center: center, meters: meters)) }
}

extension Field where Value == StoredValue {
    /// Whether the value is a point in a region.
    public func isWithin(_ region: GeoRegion) -> Condition { within(region) }

    /// Whether the value is a point at most so many meters from another.
    public func isWithin(meters: Double, of center: GeoPoint) -> Condition { within(.circle(center: center, meters: meters)) }
}

extension Field {
    fileprivate func within(_ region: GeoRegion) -> Condition {
        condition { _ in .isWithin(path, region) }
    }
}
