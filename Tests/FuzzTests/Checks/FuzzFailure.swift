/// An input that came to something it must not.
public struct FuzzFailure: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
