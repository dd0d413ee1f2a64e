import Foundation

// Which ids are one and the same. By default their bytes are compared; where Swift's `==` says the same of a type, it is asked, which makes no bytes.

extension StorableKey {
    public func hasKey(of other: Self) -> Bool { keyBytes == other.keyBytes }

    public func hashKey(into hasher: inout Hasher) { hasher.combine(keyBytes) }
}

extension StorableKey where Self: FixedWidthInteger {
    @inlinable public func hasKey(of other: Self) -> Bool { self == other }
    @inlinable public func hashKey(into hasher: inout Hasher) { hasher.combine(self) }
}

extension ObjectID {
    @inlinable public func hasKey(of other: ObjectID) -> Bool { self == other }
    @inlinable public func hashKey(into hasher: inout Hasher) { hasher.combine(self) }
}

extension UUID {
    @inlinable public func hasKey(of other: UUID) -> Bool { self == other }
    @inlinable public func hashKey(into hasher: inout Hasher) { hasher.combine(self) }
}

extension Bool {
    @inlinable public func hasKey(of other: Bool) -> Bool { self == other }
    @inlinable public func hashKey(into hasher: inout Hasher) { hasher.combine(self) }
}

extension Data {
    public func hasKey(of other: Data) -> Bool { self == other }
    public func hashKey(into hasher: inout Hasher) { hasher.combine(self) }
}

extension String {
    public func hasKey(of other: String) -> Bool { hasBytes(of: other) }
    public func hashKey(into hasher: inout Hasher) { hashBytes(into: &hasher) }
}

extension Optional where Wrapped: StorableKey {
    public func hasKey(of other: Wrapped?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let value?, let other?): value.hasKey(of: other)
        default: false
        }
    }

    public func hashKey(into hasher: inout Hasher) {
        hasher.combine(self == nil)
        self?.hashKey(into: &hasher)
    }
}

extension StorableKey where Self: RawRepresentable, RawValue: StorableKey {
    public func hasKey(of other: Self) -> Bool { rawValue.hasKey(of: other.rawValue) }
    public func hashKey(into hasher: inout Hasher) { rawValue.hashKey(into: &hasher) }
}
