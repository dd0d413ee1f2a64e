import Trove
import TroveStoreTools

/// What a change does: tried and taken back, or done.
///
/// What is confirmed is what was shown: the form has a digest of the effects, and a change that would have others by now is shown again instead of being done.
struct ChangePage: InspectorPage {
    private static let shown = 500

    private let request: PageRequest
    private let edit: ObjectEdit
    private let changes: [RecordedChange]
    private let isDone: Bool
    /// Whether what was confirmed is not what would happen by now.
    private let isOutdated: Bool

    let title: String
    let section = PageSection.models
    var status: Int { isOutdated ? 409 : 200 }

    /// The effects are not those that were confirmed.
    private struct Outdated: Error {
        let changes: [RecordedChange]
    }

    init(_ request: PageRequest, isConfirmed: Bool) throws {
        self.request = request
        edit = try ObjectEdit(request)
        let edit = edit
        do {
            changes = try RecordedChange.changing(request.store, keeps: isConfirmed, edit.apply) { changes in
                if isConfirmed, request.fields["effect"] != Self.digest(changes) { throw Outdated(changes: changes) }
            }
            isDone = isConfirmed
            isOutdated = false
        } catch let outdated as Outdated {
            changes = outdated.changes
            isDone = false
            isOutdated = true
        }
        title = isDone ? "Changed" : "What changes"
    }

    /// What tells one list of effects from another.
    private static func digest(_ changes: [RecordedChange]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
        }
        // The id of a new object may be another each time.
        for change in changes.sorted(by: { ($0.kind.rawValue, $0.modelName) < ($1.kind.rawValue, $1.modelName) }) {
            add(change.kind.rawValue.utf8)
            add(change.modelName.utf8)
            if change.kind != .inserted { add(change.key) }
        }
        return String(hash, radix: 16)
    }

    func body() throws -> HTML {
        var table = HTMLTable(["change", "model", "object"])
        for change in changes.prefix(Self.shown) {
            let text = try ValueText.cell.html(change.id)
            let isThere = !change.isBag && (isDone ? change.kind != .deleted : change.kind != .inserted)
            table.add([
                "<span class=\"\(change.kind == .deleted ? "bad" : "word")\">\(change.kind.rawValue)</span>",
                "<bdi>\(change.isBag ? "a bag" : change.modelName)</bdi>",
                isThere ? "<a href=\"\(try request.link(to: change.id, of: change.modelName))\">\(text)</a>" : text,
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

    private var summary: String {
        let counts = Dictionary(grouping: changes, by: \.kind)
        let parts = [RecordedChange.Kind.inserted, .changed, .deleted].compactMap { kind in counts[kind].map { "\($0.count.grouped) \(kind.rawValue)" } }
        return (isDone ? "Done: " : "With what the rules of the models take along: ") + parts.joined(separator: ", ") + "."
    }

    private var confirmation: HTML {
        let button: HTML = edit.action == .delete ? "<button class=\"danger\">Delete</button>" : "<button class=\"main\">Change it</button>"
        let fields = request.formToken + request.hidden(edit.fields + [("effect", Self.digest(changes))])
        return "<form method=\"post\" action=\"\(request.link("/apply"))\">\(fields)\(button)</form>"
    }

    private var back: Link {
        guard let id = edit.id, !(isDone && edit.action == .delete) else { return request.link("/objects", [("model", edit.model)]) }
        return request.link("/object", [("model", edit.model), ("id", id)])
    }

    func json() throws -> JSONAnswer {
        .object([
            ("isDone", .flag(isDone)), ("isOutdated", .flag(isOutdated)), ("effect", .text(Self.digest(changes))),
            (
                "changes",
                .array(
                    changes.map { change in
                        .object([
                            ("change", .text(change.kind.rawValue)), ("model", .text(change.isBag ? "a bag" : change.modelName)), ("id", .value(change.id)),
                        ])
                    })
            ),
        ])
    }
}
