#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension RecordView {
    /// Whether these fields of the layout, which both records have, hold the same bytes.
    func agrees(with other: RecordView, in fields: [RecordLayout.Field]) throws -> Bool {
        for field in fields {
            for bit in field.nilBit..<field.nilBit + field.type.optionalDepth where isSet(bit) != other.isSet(bit) { return false }
            if let size = field.type.fixedSize {
                if memcmp(base + field.place, other.base + field.place, size) != 0 { return false }
            } else {
                let (left, right) = (try variable(field.place), try other.variable(field.place))
                if left.count != right.count { return false }
                if left.count > 0, memcmp(left.baseAddress!, right.baseAddress!, left.count) != 0 { return false }
            }
        }
        return true
    }

    private func isSet(_ bit: Int) -> Bool {
        base.load(fromByteOffset: RecordLayout.headerSize + bit / 8, as: UInt8.self) >> UInt8(bit & 7) & 1 == 1
    }
}
