import ArgumentParser
import Foundation
import TroveImport
import TroveStoreTools

/// How a file of another library is read and brought in.
struct ForeignSourceOptions: ParsableArguments {
    @Option(help: "The format, where the content does not tell it.")
    var kind: ImportKind?
    @Flag(help: "Only show what would come.")
    var describe = false
    @Option(help: "Only write Swift models for what would come, and the options that import into them: structs or classes.")
    var swift: ImportDescription.ModelForm?
    @Option(help: "The name of the collection, for CSV and JSON; otherwise that of the file.")
    var collection: String?
    @Option(help: "The attribute that tells objects apart, for CSV and JSON.")
    var id: String?
    @Option(help: ArgumentHelp("The type of a column of CSV: \(ColumnType.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "column=type"))
    var type: [String] = []
    @Option(help: ArgumentHelp("The model of the store that a collection becomes.", valueName: "collection=model"))
    var model: [String] = []
    @Option(help: ArgumentHelp("Another name for an attribute; without one it is left out.", valueName: "collection.attribute=name"))
    var name: [String] = []
    @Option(help: "What becomes of objects that are stored already.")
    var existing: ImportOptions.ExistingObjects = .refuse
    @Flag(help: "Do everything, and undo it. In a store that there is it needs no --write.")
    var dryRun = false

    /// Whether the source is only looked at.
    var onlyTells: Bool { describe || swift != nil }

    /// What is told of a source that is only looked at.
    func told(of path: String) throws -> String {
        let description = try open(path).describe()
        guard let swift else { return description.description }
        return description.swiftModels(swift, named: URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent)
    }

    func validate() throws {
        if describe, swift != nil { throw ValidationError("--describe tells what would come and --swift writes models for it; give one of them") }
    }

    func open(_ path: String) throws -> ImportSource {
        var types: [String: ColumnType] = [:]
        for text in type {
            let (column, name) = try Self.parts(text)
            guard let type = ColumnType(rawValue: name) else {
                throw ValidationError("'\(name)' is no type of a column; there are \(ColumnType.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            types[column] = type
        }
        return try ImportSource(path: path, kind: kind, ImportSourceOptions(collection: collection, idAttribute: id, types: types))
    }

    func options(inBatches: Bool) throws -> ImportOptions {
        var names: [String: [String: String]] = [:]
        for text in name {
            let (path, name) = try Self.parts(text)
            guard let dot = path.firstIndex(of: ".") else {
                throw ValidationError("'\(text)' names no attribute of a collection; write it as in song.album_id=album")
            }
            names[String(path[..<dot]), default: [:]][String(path[path.index(after: dot)...])] = name
        }
        let models = try Dictionary(model.map { try Self.parts($0) }, uniquingKeysWith: { _, last in last })
        return ImportOptions(existing: existing, inBatches: inBatches, models: models, names: names, isDryRun: dryRun)
    }

    private static func parts(_ text: String) throws -> (String, String) {
        guard let place = text.firstIndex(of: "="), place > text.startIndex else {
            throw ValidationError("'\(text)' has no '=' between a name and what it becomes")
        }
        return (String(text[..<place]), String(text[text.index(after: place)...]))
    }
}

extension ImportKind: ExpressibleByArgument {}
extension ImportDescription.ModelForm: ExpressibleByArgument {}
extension ImportOptions.ExistingObjects: ExpressibleByArgument {}

extension Output {
    /// Writes a text of several lines, in which values of a store may stand.
    func lines(of text: String) throws {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { try self.line(TerminalText.escaped(String(line))) }
    }
}
