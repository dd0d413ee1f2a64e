/// A ring that is not one.
struct BrokenRing: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
