/// Seals the tokens of a store with encrypted properties: they hold a sort's values, and a hash of the conditions.
struct FieldTokenSealer: TokenSealer {
    let sealing: FieldSealing

    private static let place = Array("continuation token".utf8)

    func seal(_ token: [UInt8]) throws -> [UInt8] {
        var sealed: [UInt8] = []
        try sealing.sealer.seal(token.span.bytes, in: Self.place.span.bytes, appendingTo: &sealed)
        return sealed
    }

    func open(_ sealed: [UInt8]) throws -> [UInt8]? {
        var token: [UInt8] = []
        do {
            try sealing.sealer.open(sealed.span.bytes, in: Self.place.span.bytes, appendingTo: &token)
        } catch is FieldSealingFault {
            return nil
        }
        return token
    }
}

extension StoreCore {
    /// What seals the store's tokens; nil where they are plain.
    var tokenSealer: (any TokenSealer)? { backend.tokenSealer ?? sealing.map { FieldTokenSealer(sealing: $0) } }
}
