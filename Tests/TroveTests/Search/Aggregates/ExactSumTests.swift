import Foundation
import TestSupport
import Testing

@testable import Trove

/// The expected sums are those of Python's `math.fsum`.
@Suite struct ExactSumTests {
    private func sum(_ values: [Double]) -> Double {
        var sum = ExactSum()
        for value in values { sum.add(value) }
        return sum.value
    }

    @Test func roundsOnce() {
        #expect(sum(Array(repeating: 0.1, count: 10)) == 1)
        #expect(sum([1, 1e100, 1, -1e100]) == 2)
        #expect(sum([1e16, 1, 1e-16]) == 10000000000000002)
        #expect(sum([1e16 - 2, 1 - 0x1p-53, -(1e16 - 2), -(1 - 0x1p-53)]) == 0)
        #expect(sum([0x1p52 - 0.5, 1e-16, -0x1p52]) == -0.5 + 1e-16)
        #expect(sum([]) == 0)
        #expect(sum([-0.0]) == 0)
    }

    @Test func theEndsOfTheRange() {
        let greatest = Double.greatestFiniteMagnitude
        #expect(sum([greatest, greatest, -greatest]) == greatest)
        #expect(sum([greatest, greatest]) == .infinity)
        #expect(sum([-greatest, -greatest, 1]) == -.infinity)
        #expect(sum([1e308, 1e308, -1e308, -1e308, 1e-300]) == 1e-300)
        #expect(sum([.infinity, 1]) == .infinity)
        #expect(sum([.infinity, -.infinity]).isNaN)
        #expect(sum([1, .nan]).isNaN)
    }

    @Test func theOrderDoesNotMatter() {
        var random = SeededGenerator(seed: 77)
        for _ in 0..<200 {
            let values = (0..<60).map { _ in
                Double(sign: Bool.random(using: &random) ? .plus : .minus, exponent: .random(in: -300...1_000, using: &random), significand: .random(in: 1..<2, using: &random))
            }
            let expected = sum(values)
            for _ in 0..<5 { #expect(sum(values.shuffled(using: &random)) == expected) }
        }
    }
}
