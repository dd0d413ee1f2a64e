import Testing

import TroveStorage

struct RawSpanTests {
    @Test func `spans compare as unsigned bytes, the shorter first`() {
        let ordered: [[UInt8]] = [[], [0], [0, 0], [0, 0xFF], [1], [0x7F], [0x80], [0xFF], [0xFF, 0], [0xFF, 0xFF]]
        for (left, first) in ordered.enumerated() {
            for (right, second) in ordered.enumerated() {
                let order = first.span.bytes.compare(to: second.span.bytes)
                #expect(order.signum() == (left - right).signum(), "\(first) to \(second)")
                let isEqual = first.span.bytes.isEqual(to: second.span.bytes)
                #expect(isEqual == (left == right))
                let precedes = first.span.bytes.precedes(second.span.bytes)
                #expect(precedes == (left < right))
            }
        }
    }

    @Test func `comparison looks at every byte`() {
        let base = [UInt8](repeating: 7, count: 100)
        for position in 0..<100 {
            var other = base
            other[position] = 8
            #expect(base.span.bytes.compare(to: other.span.bytes) < 0)
            #expect(other.span.bytes.compare(to: base.span.bytes) > 0)
        }
        #expect(base.span.bytes.compare(to: base.span.bytes) == 0)
    }

    @Test func `an array copies a span`() {
        for bytes: [UInt8] in [[], [1], [1, 2, 3], [UInt8](repeating: 9, count: 10_000)] {
            #expect([UInt8](copying: bytes.span.bytes) == bytes)
        }
    }
}
