import ArgumentParser
import Foundation
import Trove
import TroveImport

struct ImportCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Stores what an export has, or a file of another library, in a store that there is or a new one.",
        discussion: """
            An export of trove, JSON lines that begin with {"$trove", is taken as it is: what has the same id, key or name is replaced, everything else stays. It has no \
            indexes; the program that has the models makes those that they declare when it opens the store. 'trove copy' takes all indexes along, to another engine too.

            Everything else becomes collections of documents: CSV, JSON, JSON lines, property lists, keyed archives, any SQLite database with its foreign keys as references, stores of Core \
            Data and SwiftData, and the files of NanoStore, BZObjectStore, SQLitePersistentObjects, FringeData and Parse. The source is never changed. Look at it with --describe \
            first.

            All of it is one transaction; with --batches what cannot be stored is passed over, told row by row, and makes the status 1.

            Example: trove import copy.store music.jsonl --write --create sqlite
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The file, or the directory of files.", completion: .file())
    var file: String
    @OptionGroup var permission: WriteFlag
    @Option(help: "The engine of the store that is made when there is none at the path.")
    var create: StoreEngine?
    @Flag(help: "Store some thousand objects in each transaction, and pass over what is refused.")
    var batches = false
    @OptionGroup(title: "Files of other libraries") var source: ForeignSourceOptions

    func answer(on output: Output) throws {
        try checkFile()
        if source.describe {
            return try output.lines(of: isExport ? "an export of trove, which is taken as it is: --write imports it, and 'trove info' tells then what came" : source.open(file).describe().description)
        }
        if isExport, source.dryRun { throw ValidationError("--dry-run is for files of other libraries; import an export of trove into a new store with --create, to see what it has") }
        let report = try isExport ? importExport() : importSource()
        try output.lines(of: report.lines.joined(separator: "\n"))
        if !report.isComplete { throw ExitStatus.negative }
    }

    /// What is no file cannot be read twice, as importing does: to tell what it is, and to take it.
    private func checkFile() throws {
        var information = stat()
        guard stat(file, &information) == 0 else { return }
        let kind = information.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFDIR else {
            throw ValidationError("'\(file)' is a pipe or a device; write what it gives into a file first, and import that")
        }
    }

    /// Whether the file is an export of trove.
    private var isExport: Bool {
        if source.kind != nil { return false }
        // What is not there is told as it always was.
        guard let file = FileHandle(forReadingAtPath: file) else { return !FileManager.default.fileExists(atPath: file) }
        defer { try? file.close() }
        return (try? file.read(upToCount: 8)) == Data("{\"$trove".utf8)
    }

    private func importExport() throws -> (lines: [String], isComplete: Bool) {
        let report = try ProgressLine.during("Importing") { progress in
            try change { store in
                try store.importJSON(from: file, mode: batches ? .inBatches : .allOrNothing) { try progress.update($0.contents.total, of: nil) }
            }
        }
        return (Self.lines(report), report.rejectedLines == 0)
    }

    private func importSource() throws -> (lines: [String], isComplete: Bool) {
        let options = try source.options(inBatches: batches)
        let wasThere = FileManager.default.fileExists(atPath: argument.store)
        let report = try ProgressLine.during("Importing") { progress in
            try change { store in
                let report = try store.importDocuments(from: source.open(file), options) { try progress.update($0.completed, of: $0.total) }
                if create != nil, !wasThere, report.faultCount == 0, report.collections.allSatisfy({ $0.read == 0 }) { throw CommandError.nothingToImport(path: file) }
                return report
            }
        }
        return ([report.description], report.isComplete)
    }

    private func change<Result>(_ body: (ObjectStore) throws -> Result) throws -> Result {
        let isThere = FileManager.default.fileExists(atPath: argument.store)
        if !source.dryRun || !isThere { try permission.check("import") }
        guard let create, !isThere else { return try argument.change(body) }
        let backend = try create.open(argument.store, createsStore: true)
        do {
            return try OpenStore.with(backend, named: argument.store, .readWrite, argument.keys, isNew: true) { try body($0.store) }
        } catch {
            // A store that was made for what cannot be imported is of no use.
            try create.destroy(argument.store)
            throw error
        }
    }

    /// What was stored and what was not. That no program declares the models is nothing to tell here.
    private static func lines(_ report: JSONImportReport) -> [String] {
        var lines = ["\(report.contents)"]
        if report.rejectedLines > 0 { lines.append("refused lines: \(report.rejectedLines)") }
        lines += report.rejections.map { "\($0)" }
        if !report.isComplete { lines.append("the file does not end as a whole export does") }
        return lines
    }
}
