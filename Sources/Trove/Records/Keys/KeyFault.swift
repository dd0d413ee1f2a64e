/// The errors of ``KeyDecoder``, made out of line so that the fast path stays small.
@usableFromInline enum KeyFault {
    @usableFromInline static var truncated: TroveError { .corruptKey(reason: "the key ends in the middle of a part") }

    @usableFromInline static func leftOver(_ count: Int) -> TroveError {
        .corruptKey(reason: "\(count) bytes are left after the last part")
    }

    @usableFromInline static func notABool(_ byte: UInt8) -> TroveError {
        .corruptKey(reason: "a Bool is 0 or 1, not \(byte)")
    }
}
