import Trove
import TroveStoreTools

/// Something that `trove doctor` says of a store.
struct Finding {
    enum Level: String {
        case fine
        case note
        case wrong
    }

    let level: Level
    let what: String
    /// What can be done about it; nil when nothing need be.
    let advice: String?

    init(_ level: Level, _ what: String, _ advice: String? = nil) {
        self.level = level
        self.what = what
        self.advice = advice
    }

    /// What an error says that kept the store from being opened or read.
    init(_ error: any Error) { self.init(.wrong, CommandAdvice.description(of: error), Self.advice(error)) }

    private static func advice(_ error: any Error) -> String? {
        switch error {
        case StorageError.locked, StorageError.timedOut:
            "wait, as by --wait 30, or close the program that has the store open; Tokyo Cabinet lets one process in"
        case StorageError.permissionDenied, CommandError.unreadable: "have the file made readable, or copy it to where it is"
        case StorageError.readOnly: "copy the file, with the log beside it, to where it can be written"
        case StorageError.newerFormat, TroveError.newerFormat, TroveError.newerFeatures, TroveError.newerRecord: "use a newer version of this program"
        case TroveError.incompleteCopy: "copy again into it by 'trove copy --resume', or remove it"
        case CommandError.noSuchStore, CommandError.directory, CommandError.notAFile, CommandError.emptyFile: "name the file of a store"
        case CommandError.unknownFile, StorageError.notAStore, TroveError.notAStore:
            "name a store of Trove, or use the program that made this file; 'trove import' takes files of other libraries"
        default: ExitStatus(error) == .damage ? Self.damageAdvice : nil
        }
    }

    private static let damageAdvice =
        "keep a copy of the file, then restore a backup; from a store that still opens, 'trove export STORE FILE --skip-damaged' saves what can be read"

    // MARK: - Of an open store

    /// Indexes that are not what they should be.
    static func ofIndexes(_ store: ObjectStore) throws -> [Finding] {
        let indexes = try store.indexStatistics()
        let unready = indexes.filter { $0.state != .ready }.map { index in
            Finding(
                .note, "the index '\(index.schema.name)' of \(index.model) is \(index.state == .dropping ? "being removed" : "not built to its end")",
                "open the store once with the program that has \(index.model), and let it end")
        }
        return unready.isEmpty ? [Finding(.fine, "indexes: \(indexes.count.grouped), all ready")] : unready
    }

    /// Space that could be given back.
    static func ofSpace(_ store: ObjectStore) throws -> [Finding] {
        let statistics = try store.statistics()
        let size = "\(statistics.fileSize.asByteCount), of which \(statistics.freeSize.asByteCount) are free"
        let isWorthwhile = statistics.freeSize > 1 << 20 && statistics.freeSize > statistics.fileSize / 2
        return [isWorthwhile ? Finding(.note, size, "trove compact \(store.path) --write gives the space back") : Finding(.fine, size)]
    }

    /// What reading everything finds.
    static func ofContents(_ store: ObjectStore) throws -> [Finding] {
        let report = try ProgressLine.during("Reading") { progress in try store.verify { try progress.update($0) } }
        let models = try VerifyCommand.models(of: store)
        var findings = report.problems.map { problem -> Finding in
            let id = VerifyCommand.shownID(of: problem, models).map { " \($0)" } ?? ""
            return Finding(
                .wrong, "\(problem.modelName)\(id): \(CommandAdvice.description(of: models?.naming(problem.error) ?? problem.error))",
                CommandAdvice.text(for: problem.error) ?? damageAdvice)
        }
        if report.danglingReferenceCount > 0 {
            findings.append(
                Finding(
                    .note, "references to what is not stored: \(report.danglingReferenceCount.grouped)",
                    "they may be meant so; find them in the program that has the models by hasDanglingReferences"))
        }
        if report.isPartial { findings.append(Finding(.note, VerifyCommand.summary(report))) }
        return findings + (report.isSound ? [Finding(.fine, VerifyCommand.summary(report))] : [])
    }
}
