import Trove

/// What programs do with the items of one version, without its type.
struct ItemVersion: Sendable {
    /// The versions, in their order.
    static let all = [ItemVersion(ProgramItemFirst.self), ItemVersion(ProgramItemSecond.self), ItemVersion(ProgramItemThird.self)]

    let type: any Model.Type
    let upgrade: @Sendable (ObjectStore, _ batchSize: Int) throws -> Void
    let rebuildIndexes: @Sendable (ObjectStore) throws -> Void
    let perform: @Sendable (ObjectProgramRun, ObjectOperation, WriteTransaction, _ place: String) throws -> Void
    let answer: @Sendable (ObjectProgramRun, ObjectQuery, ReadTransaction) throws -> String
    let lines: @Sendable (ReadTransaction) throws -> [String]

    private init<Item: ProgramItem>(_ item: Item.Type) {
        type = item
        upgrade = { try $0.upgrade(Item.self, batchSize: $1) }
        rebuildIndexes = { try $0.rebuildIndexes(of: Item.self) }
        perform = { try $0.perform($1, $2, Item.self, $3, depth: 1) }
        answer = { try $0.answer($1, $2, Item.self) }
        lines = { try $0.fetch(Item.self).all().map(\.value.text) }
    }
}
