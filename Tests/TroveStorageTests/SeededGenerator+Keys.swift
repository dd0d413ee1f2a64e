import EngineSupport

extension SeededGenerator {
    /// A key of few byte values, so that keys share beginnings.
    mutating func key(_ lengths: ClosedRange<Int>) -> [UInt8] {
        let length = Int.random(in: lengths, using: &self)
        let shared = length > 20 ? length - 6 : 0
        return (0..<length).map { $0 < shared ? 0x61 : pick([0x00, 0x01, 0x61, 0x80, 0xFF]) }
    }

    mutating func bytes(_ lengths: ClosedRange<Int>) -> [UInt8] {
        let byte = UInt8.random(in: 0...255, using: &self)
        return [UInt8](repeating: byte, count: Int.random(in: lengths, using: &self))
    }
}
