import Trove

/// A model that takes in the objects of a collection, as code.
struct SwiftModel {
    /// A property, in the parts that it is written of.
    struct Property {
        /// The name of the attribute in the source.
        let attribute: String
        /// The name in Swift, without backticks.
        let name: String
        /// The type, without the sign of an optional.
        var type: String
        var isOptional = false
        /// What a new object has; nil for nothing, or what it is given.
        var initialValue: String?
        /// The options of `@Attribute`.
        var options: [String] = []
        /// The arguments of `@Relationship`; nil for what is none.
        var relationship: [String]?
        /// Whether an index may have it.
        var isIndexable = false
        /// What its type does not tell.
        var comment: String?

        var writtenName: String { SwiftName.written(name) }
        var writtenType: String { type + (isOptional ? "?" : "") }

        fileprivate var lines: [String] {
            var line = ""
            if !options.isEmpty { line += "@Attribute(\(options.joined(separator: ", "))) " }
            if let relationship { line += "@Relationship" + (relationship.isEmpty ? " " : "(\(relationship.joined(separator: ", "))) ") }
            line += "var \(writtenName): \(writtenType)" + (initialValue.map { " = \($0)" } ?? "")
            return (comment.map { ["/// \($0)"] } ?? []) + [line]
        }
    }

    let collection: String
    /// The name of the type.
    let name: String
    let form: ImportDescription.ModelForm
    /// The type of the ids; nil for `ObjectID`.
    let idType: String?
    var properties: [Property] = []
    /// The indexes of several properties, by their names.
    var indexes: [(properties: [String], isUnique: Bool)] = []
    /// What is no property, and why.
    var notes: [String] = []

    /// The other names that attributes have as properties.
    var renamed: [(attribute: String, property: String)] {
        properties.filter { $0.attribute != $0.name }.map { ($0.attribute, $0.name) }
    }

    var lines: [String] {
        var body = notes.map { "// \($0)" }
        for index in indexes {
            let paths = index.properties.map { "\\.\(SwiftName.written($0))" }.joined(separator: ", ")
            body.append("#\(index.isUnique ? "Unique" : "Index")<\(name)>([\(paths)])")
        }
        if !indexes.isEmpty { body.append("") }
        if let idType { body.append("let id: \(idType)") }
        body += properties.flatMap(\.lines)
        if form == .classes { body += initializer }
        return ["@Model", "\(form == .classes ? "final class" : "struct") \(name) {"] + body.map { $0.isEmpty ? "" : "    \($0)" } + ["}"]
    }

    /// A class has none of its own where a property has no value to begin with. References are set later.
    private var initializer: [String] {
        let given = properties.filter { $0.relationship == nil && $0.initialValue == nil }
        guard idType != nil || !given.isEmpty else { return [] }
        let parameters = (idType.map { ["id: \($0)"] } ?? []) + given.map { "\($0.writtenName): \($0.writtenType)" + ($0.isOptional ? " = nil" : "") }
        let values = (idType == nil ? [] : ["self.id = id"]) + given.map { "self.\($0.writtenName) = \($0.writtenName)" }
        let whole = "init(\(parameters.joined(separator: ", "))) {"
        let head = whole.count <= 120 ? [whole] : ["init("] + parameters.enumerated().map { "    \($1)" + ($0 + 1 < parameters.count ? "," : "") } + [") {"]
        return [""] + head + values.map { "    \($0)" } + ["}"]
    }
}
