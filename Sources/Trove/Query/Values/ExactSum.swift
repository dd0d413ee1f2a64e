/// A sum of floating-point numbers that is rounded once, so that it does not depend on the order they are added in.
///
/// The partial sums do not overlap and add up to the exact sum: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
/// Geometric Predicates", 1997, in the form Python's `math.fsum` has. Infinities and NaN are kept apart.
struct ExactSum {
    /// Non-overlapping, the least magnitude first, none of them 0.
    private var partials: [Double] = []
    /// Partial sums of the numbers that could overflow, scaled down.
    private var hugePartials: [Double] = []
    private var nonFinite = 0.0
    private var hasNonFinite = false

    /// Numbers from here on are scaled by ``scale``, which loses no bit of them.
    private static let hugeLimit = 0x1p960
    private static let scale = 0x1p-200
    /// Of partial sums below this, scaling could lose bits.
    private static let tinyLimit = 0x1p-700
    /// Whether a sum below this, which is scaled down, overflows when it is not.
    private static let scaledLimit = 0x1p700

    mutating func add(_ value: Double) {
        if !value.isFinite {
            nonFinite += value
            hasNonFinite = true
        } else if abs(value) >= Self.hugeLimit {
            Self.add(value * Self.scale, to: &hugePartials)
        } else {
            Self.add(value, to: &partials)
        }
    }

    mutating func add(_ other: ExactSum) {
        for partial in other.partials { Self.add(partial, to: &partials) }
        for partial in other.hugePartials { Self.add(partial, to: &hugePartials) }
        if other.hasNonFinite {
            nonFinite += other.nonFinite
            hasNonFinite = true
        }
    }

    /// The sum, correctly rounded; infinite when it is beyond the greatest number.
    var value: Double { divided(by: 1) }

    /// The correctly rounded sum divided by a number of values; that the sum is beyond the greatest number makes no difference.
    func divided(by count: Int) -> Double {
        if hasNonFinite { return nonFinite }
        let (partials, scale) = joined()
        return Self.rounded(partials) / Double(count) / scale
    }

    /// The partial sums of all numbers, scaled down where the sum could overflow.
    private func joined() -> (partials: [Double], scale: Double) {
        if hugePartials.isEmpty { return (partials, 1) }
        var scaled = hugePartials
        var rest = partials
        while let partial = rest.last, abs(partial) >= Self.tinyLimit {
            Self.add(partial * Self.scale, to: &scaled)
            rest.removeLast()
        }
        guard let greatest = scaled.last, abs(greatest) >= Self.scaledLimit else {
            for partial in scaled { Self.add(partial / Self.scale, to: &rest) }
            return (rest, 1)
        }
        // What is left is less than the last bit of the others: only its sign matters, where these are a tie.
        if let partial = rest.last { Self.add(partial < 0 ? -.leastNonzeroMagnitude : .leastNonzeroMagnitude, to: &scaled) }
        return (scaled, Self.scale)
    }

    private static func add(_ value: Double, to partials: inout [Double]) {
        var carried = value
        var count = 0
        for index in partials.indices {
            let (large, small) = abs(carried) < abs(partials[index]) ? (partials[index], carried) : (carried, partials[index])
            let sum = large + small
            let error = small - (sum - large)
            if error != 0 {
                partials[count] = error
                count += 1
            }
            carried = sum
        }
        partials.removeSubrange(count...)
        if carried != 0 { partials.append(carried) }
    }

    private static func rounded(_ partials: [Double]) -> Double {
        var rest = partials
        guard var sum = rest.popLast() else { return 0 }
        while let next = rest.popLast() {
            let before = sum
            sum = before + next
            let error = next - (sum - before)
            guard error != 0 else { continue }
            // A tie was rounded to even; what is left below decides it.
            if let below = rest.last, (error < 0) == (below < 0) {
                let doubled = error * 2
                let moved = sum + doubled
                if doubled == moved - sum { sum = moved }
            }
            break
        }
        return sum
    }
}
