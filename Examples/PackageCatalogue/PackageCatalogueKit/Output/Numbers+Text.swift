import Foundation

extension Int {
    /// With a comma between thousands, whatever the locale: `63,436`.
    var grouped: String { formatted(.number.locale(Locale(identifier: "en_US"))) }

    /// A number of packages: `1 package`, `63,436 packages`.
    var packages: String { self == 1 ? "1 package" : "\(grouped) packages" }

    /// A number of bytes for people: `2.4 MB`.
    var asByteCount: String { Double(self).asByteCount }
}

extension Double {
    /// With a fixed number of decimals and a point, whatever the locale.
    func withDecimals(_ count: Int) -> String { String(format: "%.\(count)f", self) }

    /// A number of bytes for people: `2.4 MB`. Where sizes are multiplied they may be more than an integer has.
    var asByteCount: String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var (value, unit) = (self, 0)
        while value >= 999.95 && unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        return unit == 0 ? "\(withDecimals(0)) bytes" : "\(value.withDecimals(1)) \(units[unit])"
    }
}
