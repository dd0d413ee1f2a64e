/// A store did not do what it promises.
struct Disagreement: Error, CustomStringConvertible {
    let engine: String
    let finding: String

    var description: String { "\(engine): \(finding)" }
}
