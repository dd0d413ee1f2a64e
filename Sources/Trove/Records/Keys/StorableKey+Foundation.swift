import Foundation

extension String: StorableKey {
    /// Strings sort by their UTF-8 bytes.
    public func encode(into key: inout KeyEncoder) { key.append(escaping: utf8) }

    public init(from key: inout KeyDecoder) throws {
        guard let string = String(validating: try key.escaped(), as: UTF8.self) else {
            throw TroveError.corruptKey(reason: "a text part is not UTF-8")
        }
        self = string
    }
}

extension Data: StorableKey {
    public func encode(into key: inout KeyEncoder) { key.append(escaping: self) }

    public init(from key: inout KeyDecoder) throws { self = Data(try key.escaped()) }
}

extension Date: StorableKey {
    public func encode(into key: inout KeyEncoder) { timeIntervalSinceReferenceDate.encode(into: &key) }

    public init(from key: inout KeyDecoder) throws {
        self.init(timeIntervalSinceReferenceDate: try Double(from: &key))
    }
}

extension UUID: StorableKey {
    @inlinable
    public func encode(into key: inout KeyEncoder) { withUnsafeBytes(of: uuid) { key.append(raw: $0) } }

    @inlinable
    public init(from key: inout KeyDecoder) throws {
        self.init(uuid: try key.load(uuid_t.self))
    }
}

extension URL: StorableKey {
    public func encode(into key: inout KeyEncoder) { absoluteString.encode(into: &key) }

    public init(from key: inout KeyDecoder) throws {
        let string = try String(from: &key)
        guard let url = URL(string: string) else { throw TroveError.corruptKey(reason: "'\(string)' is not a URL") }
        self = url
    }
}

extension Optional: StorableKey where Wrapped: StorableKey {
    /// nil sorts before every value.
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
    /// Enums sort by their raw values.
    public func encode(into key: inout KeyEncoder) { rawValue.encode(into: &key) }

    public init(from key: inout KeyDecoder) throws {
        let raw = try RawValue(from: &key)
        guard let value = Self(rawValue: raw) else {
            throw TroveError.corruptKey(reason: "\(Self.self) has no case with the raw value '\(raw)'")
        }
        self = value
    }
}
