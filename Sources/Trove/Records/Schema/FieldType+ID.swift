extension FieldType {
    /// How the ids of this type are stored: natively, or by their raw values; nil for ids made of several values.
    init?(ofID type: any StorableKey.Type) {
        func rawType<Value: RawRepresentable>(_ type: Value.Type) -> (any Storable.Type)? { Value.RawValue.self as? any Storable.Type }
        guard let native = type as? any Storable.Type ?? (type as? any RawRepresentable.Type).flatMap({ rawType($0) }) else { return nil }
        self = native.fieldType
    }
}
