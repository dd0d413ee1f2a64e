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
            Data and SwiftData, and the files of NanoStore, BZObjectStore, SQLitePersistentObjects, FringeData and Parse. NanoStore's bags become bags; \
            one whose name another bag has gets a number. The source is never changed. Look at it with --describe first; --swift classes writes \
            models of Swift for it, and the options that import it into them.

            All of it is one transaction; with --batches what cannot be stored is passed over, told row by row, and makes the status 1, as an export does that lacks its end.

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
        try checkWhatIsMissing()
        if isExport, source.swift != nil {
            throw ValidationError("--swift is for files of other libraries; '\(file)' is an export of trove, whose models some program has")
        }
        if source.onlyTells {
            return try output.lines(
                of: isExport
                    ? "an export of trove, which is taken as it is: --write imports it, and 'trove info' tells then what came"
                    : source.told(of: file))
        }
        if isExport, source.dryRun {
            throw ValidationError("--dry-run is for files of other libraries; import an export of trove into a new store with --create, to see what it has")
        }
        let report = try isExport ? importExport() : importSource()
        try output.lines(of: report.lines.joined(separator: "\n"))
        if !report.isComplete { throw ExitStatus.negative }
    }

    /// Tells all that has to be said for a store that is not there, at once.
    private func checkWhatIsMissing() throws {
        guard create == nil, !source.onlyTells, !FileManager.default.fileExists(atPath: argument.store), ShellSession.current == nil else { return }
        throw CommandError.needsCreate(path: argument.store, needsWrite: !permission.isGiven, engines: StoreEngine.allCases.map(\.rawValue))
    }

    /// What is no file cannot be read twice, as importing does: to tell what it is, and to take it.
    private func checkFile() throws {
        var information = stat()
        guard stat(file, &information) == 0 else { throw CommandError.noSuchSource(path: file) }
        let kind = information.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFDIR else {
            throw ValidationError("'\(file)' is a pipe or a device; write what it gives into a file first, and import that")
        }
    }

    /// Whether the file is an export of trove.
    private var isExport: Bool {
        if source.kind != nil { return false }
        guard let file = FileHandle(forReadingAtPath: file) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 8)) == Data("{\"$trove".utf8)
    }

    private func importExport() throws -> (lines: [String], isComplete: Bool) {
        let isNew = makesStore
        let report = try ProgressLine.during("Importing") { progress in
            try change(isNew: isNew) { store in
                // Into a new store batches do no harm: where a line is refused, there is no store at all.
                let report = try Self.tellingIncomplete {
                    try store.importJSON(from: file, mode: batches || isNew ? .inBatches : .allOrNothing) {
                        // What is left is the commit, of which nobody can tell how far it is.
                        try $0.isComplete ? progress.show("Storing …") : progress.update($0.contents.total, of: nil)
                    }
                }
                if isNew, !batches { try Self.checkWhole(report) }
                try finish(store, progress, isNew: isNew)
                return report
            }
        }
        return (Self.lines(report), report.rejectedLines == 0 && report.isComplete)
    }

    /// Calls `body`; where what it refuses is the end of an export that is not there, it is told so.
    private static func tellingIncomplete<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch TroveError.lineRefused(let line, TroveError.invalidJSON(_, _, _, let reason)) where reason.contains("the file is a part of one") {
            throw CommandError.incompleteExport(lines: line - 1)
        }
    }

    /// - Throws: what keeps an import from being whole.
    private static func checkWhole(_ report: JSONImportReport) throws {
        if let first = report.rejections.first { throw TroveError.lineRefused(line: first.line, underlying: first.error) }
        if !report.isComplete { throw CommandError.incompleteExport(lines: report.position.lines) }
    }

    private func importSource() throws -> (lines: [String], isComplete: Bool) {
        let options = try source.options(inBatches: batches)
        let isNew = makesStore
        let report = try ProgressLine.during("Importing") { progress in
            try change(isNew: isNew) { store in
                let report = try store.importDocuments(from: source.open(file), options) { try progress.update($0.completed, of: $0.total) }
                if isNew, report.faultCount == 0, report.bags.isEmpty, report.collections.allSatisfy({ $0.read == 0 }) { throw CommandError.nothingToImport(path: file) }
                try finish(store, progress, isNew: isNew)
                return report
            }
        }
        return ([report.description], report.isComplete)
    }

    /// Whether this command makes the store.
    private var makesStore: Bool { create != nil && !FileManager.default.fileExists(atPath: argument.store) }

    /// Makes a new store survive a power loss, which its commits did not.
    private func finish(_ store: ObjectStore, _ progress: ProgressLine, isNew: Bool) throws {
        guard isNew, !source.dryRun else { return }
        progress.show("Storing …")
        try store.synchronize()
    }

    /// - Parameter isNew: whether this command makes the store, and removes it again where nothing becomes of it.
    private func change<Result>(isNew: Bool, _ body: (ObjectStore) throws -> Result) throws -> Result {
        if !source.dryRun || isNew || !FileManager.default.fileExists(atPath: argument.store) { try permission.check("import") }
        guard let create, isNew else { return try argument.change(body) }
        // Nobody has the store yet, so that it is enough when it is safe at the end; and what is stopped before leaves nothing.
        return try InterruptSignal.stopping([SIGINT, SIGTERM, SIGHUP]) {
            let keys = try argument.keys
            try claimPath()
            do {
                let backend = try create.open(argument.store, createsStore: true)
                let result = try OpenStore.with(backend, named: argument.store, .readWrite, keys, isNew: true) { open in
                    let result = try body(open.store)
                    try Interruption.check()
                    return result
                }
                if source.dryRun { try destroy(create) }
                return result
            } catch {
                // A store that was made for what cannot be imported is of no use.
                try destroy(create)
                throw error
            }
        }
    }

    /// Makes an empty file, of which the engine makes the store: so what somebody else makes at the path meanwhile is not imported into, and not destroyed.
    ///
    /// - Throws: ``CommandError/destinationExists(path:)``. What else the system refuses the engine tells.
    private func claimPath() throws {
        let descriptor = Foundation.open(argument.store, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        if descriptor < 0, errno == EEXIST { throw CommandError.destinationExists(path: argument.store) }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Removes the store that this command has made, or the empty file that it has not become.
    private func destroy(_ engine: StoreEngine) throws {
        var information = stat()
        guard lstat(argument.store, &information) == 0 else { return }
        if information.st_mode & S_IFMT == S_IFREG, information.st_size == 0 { unlink(argument.store) } else { try engine.destroy(argument.store) }
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
