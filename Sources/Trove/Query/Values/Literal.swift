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

/// The integers that pass a comparison with a number, as a closed range; the bounds are far outside of 64 bits where there is none.
struct IntegerBounds {
    let lower: Int128
    let upper: Int128

    var isEmpty: Bool { lower > upper }

    private static let far: Int128 = 1 << 100

    /// `comparison` is not `!=`.
    init(_ comparison: Comparison, _ number: ExactNumber) {
        guard let (floor, ceiling) = Self.neighbours(of: number) else {
            (lower, upper) = (1, 0)
            return
        }
        (lower, upper) =
            switch comparison {
            case .equal, .notEqual: (ceiling, floor)
            case .less: (-Self.far, ceiling - 1)
            case .lessOrEqual: (-Self.far, floor)
            case .greater: (floor + 1, Self.far)
            case .greaterOrEqual: (ceiling, Self.far)
            }
    }

    /// The integers next to a number, both it itself when it is one; nil for NaN.
    private static func neighbours(of number: ExactNumber) -> (floor: Int128, ceiling: Int128)? {
        switch number {
        case .int(let value): return (Int128(value), Int128(value))
        case .uint(let value): return (Int128(value), Int128(value))
        case .double(let value):
            if value.isNaN { return nil }
            // Beyond all integers of 64 bits one number is like another.
            let near = min(max(value, -0x1p66), 0x1p66)
            return (Int128(near.rounded(.down)), Int128(near.rounded(.up)))
        case .decimal(let value):
            if value.kind == 2 { return nil }
            let (floor, isWhole) = magnitude(value)
            return value.kind == 1 ? (-floor - (isWhole ? 0 : 1), -floor) : (floor, floor + (isWhole ? 0 : 1))
        }
    }

    private static func magnitude(_ decimal: PackedDecimal) -> (floor: Int128, isWhole: Bool) {
        var whole = decimal.mantissa
        var isWhole = true
        for _ in 0..<Int(decimal.exponent).magnitude {
            if decimal.exponent < 0 {
                isWhole = isWhole && whole.isMultiple(of: 10)
                whole /= 10
            } else {
                whole = min(whole, UInt128(far.magnitude)) * 10
            }
        }
        return (Int128(min(whole, UInt128((1 as Int128) << 66))), isWhole)
    }
}

/// The doubles that pass a comparison with a number, as a closed range.
struct DoubleBounds {
    let lower: Double
    let upper: Double

    /// Also true when a bound is NaN.
    var isEmpty: Bool { !(lower <= upper) }

    /// `comparison` is not `!=`.
    init(_ comparison: Comparison, _ number: ExactNumber) {
        let floor = number.floorDouble
        let isExact = ExactNumber.order(.double(floor), number) == .same
        let ceiling = isExact ? floor : floor.nextUp
        (lower, upper) =
            switch comparison {
            case .equal, .notEqual: (ceiling, floor)
            case .less: (-.infinity, ceiling == -.infinity ? .nan : ceiling.nextDown)
            case .lessOrEqual: (-.infinity, floor)
            case .greater: (floor == .infinity ? .nan : floor.nextUp, .infinity)
            case .greaterOrEqual: (ceiling, .infinity)
            }
    }
}

/// Comparisons of texts by their case folding, without making it where the text is ASCII.
enum FoldedText {
    /// Calls `body` with the UTF-8 of the folding of a text.
    static func withFolding<Result>(
        of text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        guard isASCII(text) else {
            var folded: [UInt8] = []
            CaseFolding.append(text.assumingMemoryBound(to: UInt8.self), to: &folded)
            return try folded.withUnsafeBytes(body)
        }
        return try withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { folded in
            for index in 0..<text.count { folded[index] = lowercased(text[index]) }
            return try body(UnsafeRawBufferPointer(folded))
        }
    }

    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ValueOrder {
        withFolding(of: left) { left in withFolding(of: right) { right in ByteOrder.compare(left, right) } }
    }

    private static func isASCII(_ text: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset <= text.count - 8 {
            if text.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
            offset += 8
        }
        while offset < text.count {
            if text[offset] >= 0x80 { return false }
            offset += 1
        }
        return true
    }

    @inline(__always)
    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 65 < 26 ? byte | 0x20 : byte
    }
}
