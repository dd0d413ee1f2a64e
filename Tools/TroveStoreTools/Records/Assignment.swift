import Trove

/// What a person wants a value to be: `year=1959`, `tags[0]=live`.
package struct Assignment {
    /// The path as it was written.
    package let text: String
    package let path: DocumentPath
    /// A text as it is, or JSON.
    package let value: String

    /// - Throws: ``StoreToolError/notAnAssignment(text:)``, ``StoreToolError/notSettable(path:advice:)``.
    package init(_ assignment: String) throws {
        guard let place = assignment.firstIndex(of: "="), place > assignment.startIndex else { throw StoreToolError.notAnAssignment(text: assignment) }
        text = String(assignment[..<place])
        path = try Self.path(text)
        value = String(assignment[assignment.index(after: place)...])
    }

    /// A path that may be set or taken away.
    ///
    /// - Throws: ``StoreToolError/notSettable(path:advice:)``.
    package static func path(_ text: String) throws -> DocumentPath {
        if ["$id", "$model", "$class", "$layout"].contains(text) {
            throw StoreToolError.notSettable(path: text, advice: "it is told of an object and is none of its values; insert another object and delete this one")
        }
        if text.contains("[]") {
            let list = text.prefix(upTo: text.firstRange(of: "[]")!.lowerBound)
            throw StoreToolError.notSettable(
                path: text, advice: "it stands for all elements of a list; set one by its position, \(list)[0]=…, or the whole list, '\(list)=[\"…\",\"…\"]'")
        }
        return DocumentPath(text)
    }
}
