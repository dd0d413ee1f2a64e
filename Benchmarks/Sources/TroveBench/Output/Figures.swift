import Foundation

/// Numbers as tables and charts show them.
enum Figures {
    /// Three significant digits.
    static func short(_ value: Double) -> String {
        guard value != 0, value.isFinite else { return "0" }
        let digits = max(0, 2 - Int(log10(abs(value)).rounded(.down)))
        return String(format: "%.\(min(digits, 3))f", value)
    }

    /// A count with thousands apart.
    static func count(_ value: Double) -> String {
        var digits = String(Int(value.rounded()))
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return ([digits] + groups).joined(separator: ",")
    }

    /// A workload's result in its unit, from the time of one operation in seconds.
    static func result(_ secondsEach: Double, _ unit: ResultUnit) -> String {
        switch unit {
        case .time:
            switch secondsEach {
            case ..<1e-7: "\(short(secondsEach * 1e9)) ns"
            case ..<1e-3: "\(short(secondsEach * 1e6)) µs"
            default: "\(short(secondsEach * 1e3)) ms"
            }
        case .rate: "\(count(1 / secondsEach))/s"
        }
    }

    /// Bytes in MiB.
    static func mebibytes(_ bytes: Double) -> String { "\(short(bytes / 1_048_576)) MiB" }

    /// How often something was measured.
    static func repeats(_ range: ClosedRange<Int>) -> String {
        switch (range.lowerBound, range.upperBound) {
        case (1, 1): "measured once"
        case let (least, most) where least == most: "medians of \(least)"
        case let (least, most): "medians of \(least) to \(most)"
        }
    }
}
