import CLMDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension MDB_val {
    /// A reference to bytes that LMDB only reads and that must live as long as the value is used.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    /// The bytes LMDB gave: valid until the transaction ends or, in a write transaction, until it changes something.
    @inline(__always)
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: mv_data, count: mv_size) }
}

/// Compares as unsigned bytes, the shorter first when one begins the other.
@inline(__always)
func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let common = min(left.count, right.count)
    if common > 0 {
        let order = memcmp(left.baseAddress!, right.baseAddress!, common)
        if order != 0 { return Int(order) }
    }
    return left.count - right.count
}
