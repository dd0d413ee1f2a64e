extension FieldType {
    /// Whether every value of this stored type can be read as `declared` without loss.
    ///
    /// Integers widen to larger integers that hold all their values, to `Double` up to 32 bits, to `Float` up to 16,
    /// and to `Decimal`; `Float` to `Double`; a type to its optional; `URL` to `String`; elements and
    /// dictionary values likewise. `Codable` types decode by their own rules, whatever their name.
    func widens(to declared: FieldType) -> Bool {
        if self == declared { return true }
        switch (self, declared) {
        case (.optional(let stored), .optional(let wrapped)): return stored.widens(to: wrapped)
        case (_, .optional(let wrapped)): return widens(to: wrapped)
        case (.array(let stored), .array(let element)), (.set(let stored), .set(let element)):
            return stored.widens(to: element)
        case (.set(let stored), .array(let element)): return stored.widens(to: element)
        case (.dictionary(let key, let stored), .dictionary(let declaredKey, let value)):
            return key == declaredKey && stored.widens(to: value)
        case (.codable, .codable): return true
        case (.float, .double), (.url, .string): return true
        case (_, .decimal): return integer != nil
        case (_, .double): return integer.map { $0.bits <= 32 } ?? false
        case (_, .float): return integer.map { $0.bits <= 16 } ?? false
        default:
            guard let stored = integer, let declared = declared.integer else { return false }
            return stored.isSigned == declared.isSigned
                ? stored.bits <= declared.bits : !stored.isSigned && stored.bits < declared.bits
        }
    }

    private var integer: (bits: Int, isSigned: Bool)? {
        switch self {
        case .int8: (8, true)
        case .int16: (16, true)
        case .int32: (32, true)
        case .int64: (64, true)
        case .uint8: (8, false)
        case .uint16: (16, false)
        case .uint32: (32, false)
        case .uint64: (64, false)
        default: nil
        }
    }
}
