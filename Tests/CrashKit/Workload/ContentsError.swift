/// What a store holds after a crash is not what some number of whole transactions has made.
struct ContentsError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
