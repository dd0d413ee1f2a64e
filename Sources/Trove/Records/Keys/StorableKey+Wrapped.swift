extension Optional: StorableKey where Wrapped: StorableKey {
    /// Writes the key; nil sorts before every value.
    public func encode(into key: inout KeyEncoder) {
        key.append(self == nil ? 0 : 1)
        self?.encode(into: &key)
    }

    public init(from key: inout KeyDecoder) throws {
        switch try key.byte() {
        case 0: self = nil
        case 1: self = try Wrapped(from: &key)
        case let byte: throw TroveError.corruptKey(reason: "an optional begins with 0 or 1, not \(byte)")
        }
    }
}

extension StorableKey where Self: RawRepresentable, RawValue: StorableKey {
    /// Writes the key; enums sort by their raw values.
    public func encode(into key: inout KeyEncoder) { rawValue.encode(into: &key) }

    public init(from key: inout KeyDecoder) throws {
        let raw = try RawValue(from: &key)
        guard let value = Self(rawValue: raw) else {
            throw TroveError.corruptKey(reason: "\(Self.self) has no case with the raw value '\(raw)'")
        }
        self = value
    }
}
