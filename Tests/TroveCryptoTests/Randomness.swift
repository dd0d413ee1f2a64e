import Foundation

/// Whether bytes look like random ones.
struct Randomness {
    /// The sum of squared differences of how often each byte occurs and how often it should; 255 on average for random bytes, with a deviation of 22.6.
    let chiSquare: Double
    /// Bits of entropy in a byte, 8 for random ones.
    let entropy: Double
    /// Of aligned blocks of 16 bytes, how many occur more than once: none in random ones.
    let repeatedBlocks: Int

    init(_ parts: [ArraySlice<UInt8>]) {
        var counts = [Int](repeating: 0, count: 256)
        var (blocks, repeated) = (Set<ArraySlice<UInt8>>(), 0)
        for part in parts {
            for byte in part { counts[Int(byte)] += 1 }
            for start in stride(from: part.startIndex, to: part.endIndex - 15, by: 16) where !blocks.insert(part[start..<start + 16]).inserted { repeated += 1 }
        }
        let total = Double(counts.reduce(0, +))
        chiSquare = counts.reduce(0) { $0 + pow(Double($1) - total / 256, 2) / (total / 256) }
        entropy = counts.filter { $0 > 0 }.reduce(0) { $0 - Double($1) / total * log2(Double($1) / total) }
        repeatedBlocks = repeated
    }

    /// Seven deviations, which random bytes exceed once in 10¹¹ times.
    var looksRandom: Bool { abs(chiSquare - 255) < 160 && entropy > 7.99 && repeatedBlocks == 0 }
}
