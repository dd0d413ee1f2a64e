import Trove

/// An object that owns nodes, as a live object.
@Model
final class LiveTree {
    let id: ObjectID
    var name: String
    @Relationship(deleteRule: .cascade) var nodes: [LiveTreeNode] = []

    init(id: ObjectID, name: String) {
        self.id = id
        self.name = name
    }
}
