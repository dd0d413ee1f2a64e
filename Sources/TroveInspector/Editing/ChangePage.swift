import Trove
import TroveStoreTools

/// What a change does: tried and taken back, or done.
///
/// What is confirmed is what was shown: the form has a digest of the effects with their values, and a change that would have others by now is shown again
/// instead of being done. So is one of a form whose object has become another since.
struct ChangePage: InspectorPage {
    /// How many changes are shown.
    private static let shown = 500

    private let request: PageRequest
    private let edit: ObjectEdit
    private let changes: [RecordedChange]
    /// In which values the shown ones differ, as far as that is known.
    private let differences: [RecordDifference?]
    private let effect: String
    private let isDone: Bool
    /// Whether what was confirmed is not what would happen by now, or the form has shown another state.
    private let isOutdated: Bool

    let title: String
    let section = PageSection.models
    var status: Int { isOutdated ? 409 : 200 }
    /// A change that is done is never refused for the size of its answer.
    var isOfAnySize: Bool { isDone }

    /// The effects are not those that were confirmed.
    private struct Outdated: Error {}

    init(_ request: PageRequest, isConfirmed: Bool) throws {
        self.request = request
        edit = try ObjectEdit(request)
        let edit = edit
        var known: [StoredModel] = []
        var isOutdated = false
        var found: (changes: [RecordedChange], differences: [RecordDifference?], effect: String) = ([], [], "")
        do {
            _ = try RecordedChange.changing(request.store, keeps: isConfirmed, withRecords: true) { transaction, models in
                known = models.all
                isOutdated = try !edit.isOfShownState(in: transaction, models)
                try edit.apply(in: transaction, models)
            } check: { changes in
                // Lazy values can be read in the transaction alone.
                found = (changes, Self.differences(changes.prefix(Self.shown), known), try EffectDigest.of(changes, known))
                if isConfirmed, request.fields["effect"] != found.effect { isOutdated = true } else if changes.isEmpty { isOutdated = false }
                if isConfirmed, isOutdated { throw Outdated() }
            }
        } catch is Outdated {}
        (changes, differences, effect) = found
        self.isOutdated = isOutdated
        isDone = isConfirmed && !isOutdated
        title = isDone ? "Changed" : "What changes"
    }

    private static func differences(_ changes: some Sequence<RecordedChange>, _ models: [StoredModel]) -> [RecordDifference?] {
        changes.map { change in
            models.first { $0.name == change.modelName }.map { RecordDifference(from: change.old, to: change.new, of: $0) }
        }
    }

    func body() throws -> HTML {
        var table = HTMLTable(["change", "model", "object", "before", "afterwards"])
        for (change, difference) in zip(changes, differences) {
            let text = try ValueText.cell.html(change.id)
            let isThere = !change.isBag && (isDone ? change.kind != .deleted : change.kind != .inserted)
            table.add([
                "<span class=\"\(change.kind == .deleted ? "bad" : "word")\">\(change.kind.rawValue)</span>",
                "<bdi>\(change.isBag ? "a bag" : change.modelName)</bdi>",
                isThere ? "<a href=\"\(try request.link(to: change.id, of: change.modelName))\">\(text)</a>" : text,
                try Self.list(difference?.before ?? []), try Self.list(difference?.after ?? []),
            ])
        }
        let more: HTML? = changes.count > Self.shown ? "<p class=\"note\">The first \(Self.shown) of \(changes.count.grouped).</p>" : nil
        let effects: HTML = changes.isEmpty ? "<p class=\"note\">Nothing: it is so already.</p>" : "<p>\(summary)</p>\(table.html)\(more)"
        return """
            \(isOutdated ? "<p class=\"error\">The store has changed since this was shown, and nothing was done. This is what would happen now.</p>" : HTML.empty)
            \(effects)
            <div class="row">\(isDone || changes.isEmpty ? HTML.empty : confirmation)<a class="button" href="\(back)">\(isDone || changes.isEmpty ? "Back" : "Leave it as it is")</a></div>
            """
    }

    /// Values with their names, a line for each.
    private static func list(_ values: [(name: String, value: StoredValue)]) throws -> HTML {
        let limit = 40
        let lines = try values.prefix(limit).map { "<bdi>\($0.name)</bdi>: \(try ValueText.cell.html($0.value))<br>" as HTML }.joined()
        let more: HTML? = values.count > limit ? "<span class=\"aside\">and \((values.count - limit).grouped) more</span>" : nil
        return "\(lines)\(more)"
    }

    private var summary: String {
        let counts = Dictionary(grouping: changes, by: \.kind)
        let parts = [RecordedChange.Kind.inserted, .changed, .deleted].compactMap { kind in counts[kind].map { "\($0.count.grouped) \(kind.rawValue)" } }
        return (isDone ? "Done: " : "With what the rules of the models take along: ") + parts.joined(separator: ", ") + "."
    }

    private var confirmation: HTML {
        let button: HTML = edit.action == .delete ? "<button class=\"danger\">Delete</button>" : "<button class=\"main\">Change it</button>"
        // The effects have the state that they begin with, so what the first form showed counts no more.
        let fields = request.formToken + request.exact(edit.fields + [("effect", effect)]) + request.hidden(edit.texts)
        return "<form method=\"post\" action=\"\(request.link("/apply"))\">\(fields)\(button)</form>"
    }

    private var back: Link {
        guard let id = edit.id, !(isDone && edit.action == .delete) else { return request.link("/objects", [("model", edit.model)]) }
        return request.link("/object", [("model", edit.model), ("id", id)])
    }

    // MARK: - JSON

    func json() throws -> JSONAnswer {
        .object([
            ("isDone", .flag(isDone)), ("isOutdated", .flag(isOutdated)), ("effect", .text(effect)), ("count", .number(changes.count)),
            ("changes", .array(try zip(changes, differences).map { try json(of: $0, $1) })),
        ])
    }

    private func json(of change: RecordedChange, _ difference: RecordDifference?) throws -> JSONAnswer {
        func object(_ values: [(name: String, value: StoredValue)]) throws -> JSONAnswer {
            .value(.object(try RecordDifference.byName(values).mapValues(Self.shortened)))
        }
        var members: [(String, JSONAnswer)] = [
            ("change", .text(change.kind.rawValue)), ("model", .text(change.isBag ? "a bag" : change.modelName)), ("id", .value(change.id)),
        ]
        if let difference, change.kind != .inserted { members.append(("before", try object(difference.before))) }
        if let difference, change.kind != .deleted { members.append(("values", try object(difference.after))) }
        return .object(members)
    }

    /// How much of a value an answer has.
    private static let shownSize = 10_000

    private static func shortened(_ value: StoredValue) throws -> StoredValue {
        switch value {
        case .string(let text): return text.utf8.count > shownSize ? .string(String(text.unicodeScalars.prefix(shownSize)) + "…") : value
        case .data(let data): return data.count > shownSize ? .object(["bytes": .int(Int64(data.count))]) : value
        case .array(let elements):
            return try value.json().utf8.count > shownSize ? .object(["elements": .int(Int64(elements.count))]) : value
        case .object(let fields): return try value.json().utf8.count > shownSize ? .object(["names": .int(Int64(fields.count))]) : value
        case .dictionary(let pairs): return try value.json().utf8.count > shownSize ? .object(["pairs": .int(Int64(pairs.count))]) : value
        default: return value
        }
    }
}
