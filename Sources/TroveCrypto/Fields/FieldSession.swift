import Crypto

/// What values are sealed with for a while: a key of its own, made of the data key and random bytes.
///
/// Nonces are random, so that nothing has to be counted in the store, and two programs that seal at once, or one that was resumed twice from an image of a
/// machine, use none twice. Under one key they suffice for 2³² values, and a session ends long before.
struct FieldSession: Sendable {
    let salt: [UInt8]
    let key: SymmetricKey
    private var remaining: Int

    /// - Parameter limit: how many values are sealed.
    init(_ dataKey: SymmetricKey, store: [UInt8], limit: Int) {
        salt = SystemRandomNumberGenerator.bytes(SealedField.saltSize)
        key = Subkeys.derive(.fields, from: dataKey, salt: salt, store: store)
        remaining = limit
    }

    /// Takes note that one more value is sealed; false when there is none left.
    mutating func count() -> Bool {
        guard remaining > 0 else { return false }
        remaining -= 1
        return true
    }
}
