import Trove

/// An object that owns others.
@Model
struct Tree {
    var id: ObjectID
    var name: String
    @Relationship(deleteRule: .cascade) var nodes: [Reference<TreeNode>] = []
}

extension Tree {
    init(_ data: GraphData) {
        self.init(id: data.listID(0), name: data.listName(0), nodes: data.members(of: 0).map { Reference(id: data.id($0)) })
    }
}
