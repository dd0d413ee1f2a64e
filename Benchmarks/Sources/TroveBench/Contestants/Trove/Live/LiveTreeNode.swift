import Trove

/// A node of a tree, as a live object.
@Model
final class LiveTreeNode {
    let id: ObjectID
    var title: String
    var seconds: Int

    init(id: ObjectID, title: String, seconds: Int) {
        self.id = id
        self.title = title
        self.seconds = seconds
    }
}
