import ArgumentParser
import Foundation
import Trove
import TroveStoreTools

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Shows what was changed in a store and by whom, and lets a store keep that.",
        discussion: """
            A store keeps a history from when it is told to, whatever program changes it: 'history keep', or 'keepHistory' in a program.

            Example: trove history keep music.store values --write
            """,
        subcommands: [HistoryShowCommand.self, HistoryKeepCommand.self, HistoryTrimCommand.self, HistoryDeleteCommand.self],
        defaultSubcommand: HistoryShowCommand.self)
}

struct HistoryShowCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows the changes in the history, the oldest first.",
        discussion: """
            A line for each change: of a new object its values, of a changed one those that are others now, as year=2000 → 1960, of a deleted one those that it had, \
            and of a bag none. Times are those of UTC. The status is 1 when there is none.

            Example: trove set music.store Song 4 rating=5 --write; trove history show music.store Song 4
            """)

    private static let columns = ["token", "time", "author", "change", "model", StoredModel.idName, "before", "after"]

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The model or collection; all without it.")
    var model: String?
    @Argument(help: "The id of one object.")
    var id: String?
    @Option(help: "Only what is behind this token, as an earlier answer has it.")
    var after: String?
    @Option(parsing: .unconditional, help: "Only the last so many transactions.")
    var last: Int?
    @OptionGroup var options: OutputOptions

    func validate() throws {
        if let after, HistoryToken(after) == nil { throw ValidationError("--after takes a token as 12-00ab34cd56ef7890, not '\(after)'") }
        if let last, last < 1 { throw ValidationError("--last is at least 1, not \(last)") }
        if last != nil, after != nil { throw ValidationError("--last and --after both say where to begin; say one of them") }
    }

    func answer(on output: Output) throws {
        try argument.read { store in
            let models = try StoreModels(store)
            let wanted = try model.map { try models[$0] }
            let key = try id.flatMap { try wanted?.key(of: $0) }
            let format = options.format(for: output)
            let isForPeople = format == .table || format == .line
            let sheet = isForPeople ? nil : options.sheet(Self.columns.map { Column($0) }, on: output)
            var token = try last.map { count in try store.read { try $0.historyToken(beforeLast: count) } } ?? after.flatMap { HistoryToken($0) }
            var count = 0
            while true {
                let (entries, next) = try store.read { transaction in
                    try transaction.history(after: token) { name, other in
                        wanted.map { $0.name == name } ?? (!name.hasPrefix("$") || name == StoreModels.bags) && (key.map { other.elementsEqual($0) } ?? true)
                    }
                }
                if entries.isEmpty { break }
                for entry in entries {
                    for change in entry.changes {
                        count += 1
                        let row = try HistoryRow(entry, change, models)
                        if let sheet { try sheet.add(row.values) } else { try output.line(row.line(on: output.terminal)) }
                    }
                }
                token = next
            }
            try sheet?.finish()
            if count == 0 { throw ExitStatus.negative }
        }
    }
}

/// A change as it is shown.
private struct HistoryRow {
    private let entry: HistoryEntry
    private let change: ObjectChange
    private let id: StoredValue
    private let difference: RecordDifference?

    init(_ entry: HistoryEntry, _ change: ObjectChange, _ models: StoreModels) throws {
        (self.entry, self.change) = (entry, change)
        id = try models.id(of: change.reference)
        difference = models.all.first { $0.name == change.reference.modelName }.map {
            RecordDifference(from: change.oldRecord, to: change.newRecord, of: $0)
        }
    }

    private var model: String { change.reference.modelName == StoreModels.bags ? "a bag" : change.reference.modelName }

    private var kind: String {
        switch change.kind {
        case .insertion: "inserted"
        case .update: "changed"
        case .deletion: "deleted"
        }
    }

    var values: [StoredValue?] {
        func object(_ values: [(name: String, value: StoredValue)]?, _ isThere: Bool) -> StoredValue? {
            isThere ? values.map { .object(RecordDifference.byName($0)) } : nil
        }
        return [
            .string(entry.token.description), .date(entry.date), entry.author.map { .string($0) }, .string(kind), .string(model), id,
            object(difference?.before, change.oldRecord != nil), object(difference?.after, change.newRecord != nil),
        ]
    }

    /// The time to the second. Foundation writes some other date for one that is none, or that has no year of four digits.
    private var time: String {
        get throws {
            let seconds = entry.date.timeIntervalSinceReferenceDate.rounded(.down)
            return try CellText.shown(.date(Date(timeIntervalSinceReferenceDate: seconds))).replacing("T", with: " ")
        }
    }

    func line(on terminal: Terminal) throws -> String {
        let author = entry.author.map { " \(TerminalText.escaped($0)) " } ?? " "
        var line = "\(terminal.dimmed(try time))  \(kind.padding(toLength: 8, withPad: " ", startingAt: 0)) \(author)\(TerminalText.escaped(model)) "
        line += terminal.bold(try CellText.shown(id))
        guard let difference else { return line }
        for pair in RecordDifference.pairs(difference.before, difference.after) {
            let texts = try [pair.first, pair.second].compactMap { try $0.map { try CellText.shown($0) } }
            line += "  \(terminal.dimmed(TerminalText.escaped(pair.name) + "="))\(texts.joined(separator: terminal.dimmed(" → ")))"
        }
        return line
    }
}

struct HistoryKeepCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep", abstract: "Lets a store keep what is changed in it from now on.",
        discussion: """
            'values' keeps what objects have before and after, but for models with encrypted properties; 'ids' which ones were changed. What is said here takes the \
            place of all that was said before; a program that calls keepHistory may say something else.

            Example: trove history keep music.store values --days 90 --write
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "How much is kept of a change: values or ids.")
    var detail: HistoryPolicy.Detail
    @Option(name: .customLong("model"), help: "A model or collection whose changes are kept; may be repeated. All without it.")
    var models: [String] = []
    @Option(parsing: .unconditional, help: "Remove what is older than so many days, as later changes come.")
    var days: Double?
    @OptionGroup var permission: WriteFlag

    func validate() throws {
        if let days, !(days > 0 && days <= 36_500) { throw ValidationError("--days is above 0 and at most 36500, not \(days)") }
    }

    func answer(on output: Output) throws {
        try permission.change(argument, command: "history keep") { store in
            let known = try StoreModels(store)
            let names = try models.map { try known[$0].name }
            try store.keepHistory(
                HistoryPolicy(detail, modelNames: names.isEmpty ? nil : Set(names), maximumAge: days.map { .seconds($0 * 24 * 60 * 60) }))
        }
    }
}

extension HistoryPolicy.Detail: ExpressibleByArgument {}

struct HistoryTrimCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "trim", abstract: "Removes the oldest part of a store's history.",
        discussion: """
            Programs may read the history as consumers, whose places the store keeps: what one of them has not read yet stays, and all behind it, unless \
            --including-unread is said.

            Example: trove history trim music.store --days 30 --write
            """)

    @OptionGroup var argument: StoreArgument
    @Option(parsing: .unconditional, help: "Remove what is older than so many days; 0 for all.")
    var days: Double
    @Flag(help: "Remove also what a consumer has not read yet.")
    var includingUnread = false
    @OptionGroup var permission: WriteFlag

    func validate() throws {
        guard days >= 0, days <= 36_500 else { throw ValidationError("--days is from 0 to 36500, not \(days)") }
    }

    func answer(on output: Output) throws {
        let date = days == 0 ? Date.distantFuture : Date(timeIntervalSinceNow: -days * 24 * 60 * 60)
        try permission.change(argument, command: "history trim") { store in
            try output.line(StoreFacts.counted(store.trimHistory(before: date, includingUnread: includingUnread), "transaction") + " removed")
            try output.flush()
            let behind = try consumersBehind(date, in: store)
            if behind.isEmpty { return }
            let errors = Output(descriptor: 2)
            let names = TerminalText.escaped(behind.joined(separator: ", "))
            try errors.line("Older ones stay, which a consumer has not read: \(names). --including-unread removes them.")
            try errors.flush()
        }
    }

    /// The names of the consumers because of which entries stay that are older than a date.
    private func consumersBehind(_ date: Date, in store: ObjectStore) throws -> [String] {
        guard let first = try store.history(limit: 1).entries.first, first.date < date else { return [] }
        return try store.historyConsumers().filter { _, position in
            do { return try store.history(after: position, limit: 1).entries.first?.token == first.token } catch TroveError.historyTrimmed { return false }
        }.map(\.consumer.name)
    }
}

struct HistoryDeleteCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes a store's history and its consumers, and keeps none from now on.",
        discussion: "Example: trove history delete music.store --write")

    @OptionGroup var argument: StoreArgument
    @OptionGroup var permission: WriteFlag

    func answer(on output: Output) throws {
        try permission.change(argument, command: "history delete") { try $0.deleteHistory() }
    }
}
