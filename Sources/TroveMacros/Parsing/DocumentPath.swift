/// A path that is written as text, with the library's own understanding of it.
struct DocumentPath {
    enum Step {
        case name(String)
        case position(Int)
    }

    let steps: [Step]

    init(_ text: String) { steps = Self.steps(of: text) }
}
