import Trove
import TroveStoreTools

/// Tells what is strange about values that a document gets: a name that no other has, or another kind of value than all others have.
/// Both are allowed, and both may be slips.
struct AssignmentNotes {
    private let model: StoredModel
    /// Nil for a model, which checks names and types, and where the index does not tell.
    private let probe: CollectionProbe?
    private var told: Set<String> = []

    /// - Parameter transaction: one that has changed nothing yet.
    init(_ model: StoredModel, in transaction: ReadTransaction) throws {
        self.model = model
        probe = try CollectionProbe(model, in: transaction)
    }

    /// Looks at a value that was set and is not stored yet.
    mutating func look(at value: StoredValue?, _ assignment: Assignment) throws {
        guard let probe, let value, told.insert(assignment.text).inserted else { return }
        let path = CollectionProbe.upToPosition(FieldPath(assignment.text))
        guard !path.field.isEmpty, !path.field.hasPrefix("$") else { return }
        if try !probe.has(path) {
            let error = CommandError.noSuchAttribute(name: "\(path)", collection: model.name, known: probe.candidates(for: path, in: try probe.paths()))
            return Output.tell("\(error)".followed(by: "it is new"))
        }
        // What is behind a position is an element's.
        guard path == FieldPath(assignment.text), value != .null, let kind = CollectionProbe.Kind(value), try !probe.has(kind, at: path),
            let other = try probe.kinds(at: path).first
        else { return }
        Output.tell(
            "\(path) is a \(other.name) in the other documents of \(model.name), and a \(kind.name) in this one now"
                + (advice(assignment, other).map { "; " + $0 } ?? ""))
    }

    /// How a value of the usual kind is written.
    private func advice(_ assignment: Assignment, _ kind: CollectionProbe.Kind) -> String? {
        switch kind {
        case .text: "a text of digits is written '\(assignment.text)=\"\(assignment.value)\"'"
        case .list:
            "an element is set by its position, '\(assignment.text)[0]=\(assignment.value)', and a whole list as '\(assignment.text)=[\"\(assignment.value)\"]'"
        case .number, .bool, .date: nil
        }
    }

    /// Tells that there is nothing to take away.
    mutating func missing(_ path: DocumentPath) {
        if told.insert("\(path)").inserted { Output.tell("there is no value at '\(path)' to take away") }
    }
}
