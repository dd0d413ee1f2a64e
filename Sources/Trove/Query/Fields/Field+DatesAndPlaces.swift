import Foundation

// "On a day" is a question of a time zone: a day has 23 to 25 hours, and begins where the calendar says. So conditions on days are
// ranges of moments, which an index answers.

extension Field where Value == Date {
    /// Whether the date is in an interval, of which the end is not a part.
    public func isIn(_ interval: DateInterval) -> Condition { self >= interval.start && self < interval.end }

    /// Whether the date is in the same day, month, year or other unit as another, by a calendar and its time zone.
    ///
    /// ```swift
    /// store.fetch(Song.self).where { $0.released.isInSame(.month, as: date, by: Calendar(identifier: .gregorian)) }
    /// ```
    ///
    /// The query throws ``TroveError/invalidQuery(reason:)`` when the calendar has no such unit.
    public func isInSame(_ unit: Calendar.Component, as date: Date, by calendar: Calendar = .current) -> Condition {
        isInUnit(unit, date, calendar) { isIn($0) }
    }
}

extension Field where Value == Date? {
    /// Whether there is a date and it is in an interval, of which the end is not a part.
    public func isIn(_ interval: DateInterval) -> Condition { self >= interval.start && self < interval.end }

    /// Whether there is a date and it is in the same day, month, year or other unit as another, by a calendar and its time zone.
    ///
    /// ```swift
    /// store.fetch(Note.self).where { $0.created.isInSame(.day, as: .now) }
    /// ```
    ///
    /// The query throws ``TroveError/invalidQuery(reason:)`` when the calendar has no such unit.
    public func isInSame(_ unit: Calendar.Component, as date: Date, by calendar: Calendar = .current) -> Condition {
        isInUnit(unit, date, calendar) { isIn($0) }
    }
}

extension Field {
    /// The condition that the value is in the unit of a calendar that a date is in.
    func isInUnit(_ unit: Calendar.Component, _ date: Date, _ calendar: Calendar, _ condition: (DateInterval) -> Condition) -> Condition {
        if let interval = calendar.dateInterval(of: unit, for: date) { return condition(interval) }
        return Condition(
            result: .failure(.invalidQuery(reason: "the calendar '\(calendar.identifier)' has no interval of '\(unit)' around \(date)")), scopes: [])
    }
}

extension Field where Value == GeoPoint {
    /// Whether the point is in a region.
    ///
    /// ```swift
    /// store.fetch(Stop.self).where { $0.position.isWithin(.box(southWest: corner, northEast: opposite)) }
    /// ```
    ///
    /// An index of the property is read where the region is on the map, and a little around it. A region that is none, such as a circle of a negative radius,
    /// makes the query throw ``TroveError/invalidQuery(reason:)``.
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
