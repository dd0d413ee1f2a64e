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

extension StoredValue {
    /// The literal as it compares with a field of `type`: a text that stands for a date, a UUID and so on is made one. A text that no
    /// URL has stays a text, which equals none.
    ///
    /// - Parameter type: without optional layers; nil when only the value tells.
    /// - Throws: ``IncomparableLiteral`` when the two do not compare.
    func comparable(by comparison: Comparison, with type: FieldType?) throws -> StoredValue {
        guard let valueClass = ValueClass(self) else { return self }
        let isOrder = comparison != .equal && comparison != .notEqual
        if isOrder && !valueClass.isOrdered { throw IncomparableLiteral(reason: "\(self.kind.withArticle) has no order; use = or !=") }
        guard let type, let fieldClass = ValueClass(type) else { return self }
        if isOrder && !fieldClass.isOrdered { throw IncomparableLiteral(reason: "\(type.shownInErrors.withArticle) has no order; use = or !=") }
        if case .string(let text) = self, let scalar = type.scalar, scalar.hasTextForm {
            if let value = scalar.value(text: text) { return value }
            // An empty text is equal to no URL, as other texts are.
            if type == .url, !isOrder { return self }
            let example = type == .date ? ", as 2024-05-01 or 2024-05-01T12:30:00Z is" : ""
            throw IncomparableLiteral(reason: "it is \(type.shownInErrors.withArticle), and '\(text)' is not the text of one\(example)")
        }
        guard valueClass == fieldClass else { throw IncomparableLiteral(reason: "it is \(type.shownInErrors.withArticle), the value \(self.kind.withArticle)") }
        if case .double(let number) = self { return Self.written(number, as: type) ?? self }
        guard valueClass == .container else { return self }
        do {
            return try converted(to: type)
        } catch DecodingFault.unfit(let reason) {
            throw IncomparableLiteral(reason: reason)
        }
    }

    /// The value of a `Decimal` or `Float` property that is written with the same digits as a number: 0.1 means that, and not the `Double` next to it, which no
    /// such property has. nil of a property of another type, and where there is none.
    private static func written(_ number: Double, as type: FieldType) -> StoredValue? {
        switch type {
        case .decimal:
            // A decimal has fewer exponents.
            guard number == 0 || (1e-100...1e100).contains(number.magnitude),
                let decimal = Decimal(string: number.description, locale: Locale(identifier: "en_US_POSIX"))
            else { return nil }
            return .decimal(decimal)
        case .float:
            let float = Float(number)
            return Double(float.description) == number ? .float(float) : nil
        default: return nil
        }
    }
}

/// Why a literal does not compare with a field; the model and path are added by who knows them.
struct IncomparableLiteral: Error {
    let reason: String
}
