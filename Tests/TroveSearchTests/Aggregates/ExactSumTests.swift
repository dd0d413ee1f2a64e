import Foundation
import TestSupport
import Testing

@testable import Trove

/// The expected sums are those of Python's `math.fsum`.
@Suite struct ExactSumTests {
    private func sum(_ values: [Double]) -> Double { exactSum(values).value }

    private func exactSum(_ values: [Double]) -> ExactSum {
        var sum = ExactSum()
        for value in values { sum.add(value) }
        return sum
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

    /// What comes to little less than the greatest number's last bit is still that number: the partial sums are scaled when they are rounded, too.
    @Test func roundedAtTheEndOfTheRange() {
        let greatest = Double.greatestFiniteMagnitude
        let least = Double.leastNonzeroMagnitude
        for (below, expected) in [(-1, greatest), (-least, greatest), (least, .infinity), (1, .infinity)] {
            for values in [[greatest, 0x1p970, below], [below, 0x1p970, greatest], [0x1p970, below, greatest, greatest, -greatest]] {
                #expect(sum(values) == expected, "\(values)")
                #expect(sum(values.map { -$0 }) == -expected, "\(values)")
            }
        }
        #expect(sum([greatest, 0x1p970]) == .infinity)
        #expect(sum([0x1p960, -0x1p960, 3, least, -3]) == least)
    }

    @Test func averagesOfSumsBeyondTheRange() {
        let greatest = Double.greatestFiniteMagnitude
        #expect(exactSum([1e308, 1e308, 1e308]).divided(by: 3) == 1e308)
        #expect(exactSum([-greatest, -greatest, -greatest, -greatest]).divided(by: 4) == -greatest)
        #expect(exactSum([greatest, greatest, -greatest, 3]).divided(by: 4) == greatest / 4)
        #expect(exactSum([greatest, .infinity]).divided(by: 2) == .infinity)
        #expect(exactSum([1, 2, 4]).divided(by: 2) == 3.5)
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
