extension FieldSchema {
    /// Whether its values are stored encrypted.
    var isEncrypted: Bool { options.contains(.encrypted) }
}

extension ModelSchema {
    /// - Throws: ``TroveError/invalidEncryption(model:property:reason:)`` when a property is encrypted that cannot be.
    func checkEncryption() throws {
        for field in fields where field.isEncrypted {
            func refusal(_ reason: String) -> TroveError { .invalidEncryption(model: name, property: field.name, reason: reason) }
            if field.type.isLazy { throw refusal("its value is kept apart from the object, where it would be in the clear; leave out .lazy, or store it as a blob that you encrypt") }
            if field.relationship != nil { throw refusal("what objects point at is in the index of references; encrypt the properties of the object it points at") }
        }
        for field in fields where field.options.contains(.revealing) && !field.isEncrypted {
            throw TroveError.invalidEncryption(model: name, property: field.name, reason: "'.revealing' is said of a property that is not encrypted; add .encrypted, or leave it out")
        }
    }
}
