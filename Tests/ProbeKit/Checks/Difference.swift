/// What a store gives is not what was written.
struct Difference: Error, CustomStringConvertible {
    let description: String
    /// Whether what is given is right as far as it goes.
    let isMissing: Bool

    static func missing(_ what: String) -> Difference { Difference(description: what, isMissing: true) }
    static func wrong(_ what: String) -> Difference { Difference(description: what, isMissing: false) }
}
