#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Many zero bytes that take address space only: the system gives memory for a page when it is touched.
final class ZeroBytes {
    /// Owned by this object from `init` to `deinit`, and lent by ``withBytes(_:)`` only.
    private let bytes: UnsafeRawBufferPointer

    /// - Returns: nil when the system has no address space of this size to give.
    init?(count: Int) {
        guard let start = calloc(count, 1) else { return nil }
        bytes = UnsafeRawBufferPointer(start: start, count: count)
    }

    deinit { free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }

    func withBytes<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
        try body(bytes.bytes)
    }
}
