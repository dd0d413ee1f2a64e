import Foundation
import TestSupport

extension Data {
    /// Random bytes that a seed repeats.
    static func seeded(_ seed: Int, count: Int) -> Data {
        var generator = SeededGenerator(seed: UInt64(truncatingIfNeeded: seed))
        let words = (0..<(count + 7) / 8).map { _ in generator.next().littleEndian }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }
}
