/// What a store holds contradicts itself or what was written.
struct Inconsistency: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
