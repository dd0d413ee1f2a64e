import TestSupport
import Testing
import Trove

/// What tests of commits share.
enum CommitScene {
    @Model("Item") struct Item: Equatable {
        let id: Int
        @Attribute(.indexed) var count: Int
    }

    @Model("Note") struct Note: Equatable {
        let id: Int
        var text = ""
    }

    struct TakenBack: Error {}

    static func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self, Note.self) }
    }

    /// What a commit changed, in words.
    static func lines(_ commit: StoreCommit?) -> [String]? {
        commit.map { commit in
            (commit.missedCommits > 0 ? ["missed \(commit.missedCommits)"] : []) + commit.changes.map(line)
        }
    }

    private static func line(_ change: ObjectChange) -> String {
        do {
            return "\(change.kind) \(change.reference.modelName)(\(try Int(keyBytes: change.reference.keyBytes)))"
        } catch {
            return "\(error)"
        }
    }

    /// Does what ends by ``TakenBack``.
    static func takingBack(_ body: () throws -> Void) throws {
        do {
            try body()
            Issue.record("nothing was taken back")
        } catch is TakenBack {}
    }

    // The synchronous forms, in functions that are not asynchronous.

    static func save(_ item: Item, _ store: ObjectStore) throws { try store.save(item) }

    static func write(_ store: ObjectStore, _ body: (WriteTransaction) throws -> Void) throws { try store.write { try body($0) } }
}
