import ArgumentParser
import Trove
import TroveStoreTools

struct VerifyCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Reads everything in a store and tells what is damaged or does not agree.",
        discussion: """
            A row for each problem, the first thousand of a model and the first hundred of an index, and what was read on standard error. The status is 1 when there are problems. References to what is not stored are told and are no problem.

            Example: trove verify music.store
            """)

    @OptionGroup var argument: StoreArgument
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        let (report, models) = try argument.read { store in
            (try ProgressLine.during("Verifying") { progress in try store.verify { try progress.update($0) } }, try Self.models(of: store))
        }
        let sheet = options.sheet(["what", "key", "problem"].map { Column($0) }, on: output, usual: .line)
        for problem in report.problems {
            let id = Self.shownID(of: problem, models).map { StoredValue.string($0) } ?? .null
            try sheet.add([.string(problem.modelName), id, .string(CommandAdvice.description(of: models?.naming(problem.error) ?? problem.error))])
        }
        try sheet.finish()
        try output.flush()
        let errors = Output(descriptor: 2)
        try errors.line(Self.summary(report))
        for advice in Self.advice(on: report) { try errors.line("  " + TerminalText.escaped(advice)) }
        try errors.flush()
        if !report.isSound { throw ExitStatus.negative }
    }

    /// The models of a store; nil when they cannot be read, of which the report tells.
    static func models(of store: ObjectStore) throws -> StoreModels? {
        do {
            return try StoreModels(store)
        } catch is TroveError {
            return nil
        } catch let error as StorageError where error.suspectsCorruption {
            return nil
        }
    }

    /// The id of a problem's record, or its key; nil where the problem is of no single entry.
    static func shownID(of problem: VerificationReport.Problem, _ models: StoreModels?) -> String? {
        problem.key.isEmpty ? nil : models?.shownID(of: problem.key, problem.modelName) ?? StoredRecord.text(of: problem.key)
    }

    /// What to do about the problems, each thing once. That 'verify' tells more is known here.
    static func advice(on report: VerificationReport) -> [String] {
        var told: Set<String> = []
        return report.problems.compactMap { CommandAdvice.text(for: $0.error).map { $0.replacing(CommandAdvice.verification, with: "") } }.filter {
            told.insert($0).inserted
        }
    }

    /// `3 records and 1 blob, sound`.
    static func summary(_ report: VerificationReport) -> String {
        let dangling = report.danglingReferenceCount > 0 ? ", references to what is not stored: \(report.danglingReferenceCount.grouped)" : ""
        let read = "\(report.records.grouped) \(report.records == 1 ? "record" : "records") and \(report.blobs.grouped) \(report.blobs == 1 ? "blob" : "blobs")"
        let partly = report.isPartial ? ", not everything could be read" : ""
        return read + partly + (report.isSound ? ", sound" : ", problems: \(report.problemCount.grouped)") + dangling
    }
}
