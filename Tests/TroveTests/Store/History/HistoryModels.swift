import TestSupport
import Trove

@Model("history note") struct HistoryNote: Hashable {
    let id: Int
    var title: String
    @Attribute(.indexed) var rank: Int
}

/// Has no index, so that records go their shortest way.
@Model("history tag") struct HistoryTag: Hashable {
    let id: String
    var count: Int
}

@Model("history folder") final class HistoryFolder {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \HistoryPaper.folder) var papers: [HistoryPaper] = []
    init(name: String) { self.name = name }
}

@Model("history paper") final class HistoryPaper {
    var title: String
    @Relationship var folder: HistoryFolder?
    init(title: String) { self.title = title }
}

/// A store that keeps a history of notes, tags, folders and papers.
func historyFixture(_ engine: Engine, _ policy: HistoryPolicy = .values) throws -> StoreFixture {
    let fixture = try StoreFixture(engine) {
        try ObjectStore($0, durability: .relaxed, models: HistoryNote.self, HistoryTag.self, HistoryFolder.self)
    }
    try fixture.store.keepHistory(policy)
    return fixture
}

/// What a change says, in short.
struct HistoryLine: Equatable {
    let kind: ObjectChange.Kind
    let old: String?
    let new: String?

    init(_ kind: ObjectChange.Kind, _ old: String?, _ new: String?) { (self.kind, self.old, self.new) = (kind, old, new) }

    /// Of a note: its title before and after.
    init(_ change: ObjectChange) throws {
        self.init(change.kind, try change.old(HistoryNote.self)?.title, try change.new(HistoryNote.self)?.title)
    }
}

extension [HistoryEntry] {
    /// The changes of notes, entry by entry.
    func lines() throws -> [[HistoryLine]] { try map { try $0.changes.map { try HistoryLine($0) } } }
}
