import Foundation

/// A value of a query, in the form that record values have.
///
/// Unchecked: its memory is filled before any other thread can see it, never written again, and freed with it.
final class Literal: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer
    /// The value; valid as long as this object.
    let value: FieldValue

    /// - Throws: ``TroveError/invalidQuery(reason:)`` when the value cannot be stored.
    init(_ value: StoredValue) throws {
        var bytes = ByteWriter(capacity: 32)
        do {
            try value.encodeNested(into: &bytes)
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.invalidQuery(reason: reason)
        }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 8)
        bytes.withBytes { $0.withUnsafeBytes { memory.copyMemory(from: $0) } }
        do {
            self.value = try FieldValue(nested: UnsafeRawBufferPointer(memory))
        } catch {
            memory.deallocate()
            throw error
        }
        self.memory = memory
    }

    deinit { memory.deallocate() }
}
