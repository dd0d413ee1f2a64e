import Trove

/// What a tree owns.
@Model
struct TreeNode {
    var id: ObjectID
    var title: String
    var seconds: Int
}

extension TreeNode {
    init(number: Int, _ data: GraphData) {
        self.init(id: data.id(number), title: data.title(number), seconds: data.seconds(number))
    }
}
