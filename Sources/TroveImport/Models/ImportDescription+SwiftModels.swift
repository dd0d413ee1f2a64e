import Foundation
import Trove

extension ImportDescription {
    /// What the objects of a collection become.
    public enum ModelForm: String, CaseIterable, Sendable {
        /// Values, whose relationships are references.
        case structs
        /// Live objects, whose relationships are objects.
        case classes
    }

    /// Models for what the source has, and the options that import it into them, as a file of Swift that compiles.
    ///
    /// ```swift
    /// let source = try ImportSource(path: "Library.sqlite")
    /// let models = try source.describe().swiftModels(.classes, named: "library")
    /// try models.write(toFile: "Models.swift", atomically: true, encoding: .utf8)
    /// ```
    ///
    /// A program with that file has `try store.importDocuments(from: source, .library)`. The file is yours: types, names and rules may change before the first
    /// import, as long as the options name the properties of attributes that have another name.
    ///
    /// - Types are those that hold every value; what holds values of several kinds is a `StoredValue`. What lacks a value somewhere, or may by the declaration
    ///   of the source, is optional.
    /// - Names are those that Swift has: `album_id`, a reference, becomes `album`.
    /// - Keys that are integers or texts are the ids, of databases and of files of values; other models have Trove's own ids.
    /// - Foreign keys and relationships become references. Indexes are those of a database, inverses, orders and delete rules those of a model of Core Data;
    ///   what a foreign key does `ON DELETE` is not taken over. What leads to objects of several models is an id.
    ///
    /// - Parameters:
    ///   - form: structs or classes.
    ///   - name: the name of the options in the file; what is no name of Swift is made one.
    public func swiftModels(_ form: ModelForm = .structs, named name: String = "imported") -> String {
        let models = SwiftModels(self, form).models
        let options = SwiftName.written(SwiftName.property(name))
        var lines = [
            "// Models for an import, written by Trove (\(kind.rawValue)). Change what you like.",
            "//",
            "//     let store = try ObjectStore(backend, models: \(models.map { "\($0.name).self" }.joined(separator: ", ")))",
            "//     try store.importDocuments(from: ImportSource(path: path), .\(options))",
            "", "import Foundation", "import Trove", "import TroveImport", "",
        ]
        for model in models { lines += model.lines + [""] }
        lines += ["extension ImportOptions {", "    /// The model of each collection, and the properties that have another name than the attribute."]
        lines.append("    static let \(options) = ImportOptions(")
        lines += Self.dictionary(models.map { ($0.collection, SwiftName.literal($0.name)) }, label: "models", ending: ",")
        let renamed = models.filter { !$0.renamed.isEmpty }.map { model in
            let names = model.renamed.map { "\(SwiftName.literal($0.attribute)): \(SwiftName.literal($0.property))" }
            return (model.collection, "[\(names.joined(separator: ", "))]")
        }
        lines += Self.dictionary(renamed, label: "names", ending: ")")
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    private static func dictionary(_ entries: [(key: String, value: String)], label: String, ending: String) -> [String] {
        if entries.isEmpty { return ["        \(label): [:]\(ending)"] }
        return ["        \(label): ["] + entries.map { "            \(SwiftName.literal($0.key)): \($0.value)," } + ["        ]\(ending)"]
    }
}
