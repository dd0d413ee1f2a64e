import Foundation

extension Int {
    /// With a comma between thousands, whatever the locale: `63,436`.
    package var grouped: String {
        let digits = String(magnitude)
        var text = self < 0 ? "-" : ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// A number of bytes for people: `2.4 MB`.
    package var asByteCount: String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(self), 0)
        while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
        return unit == 0 ? "\(self) bytes" : String(format: "%.1f ", value) + units[unit]
    }
}
