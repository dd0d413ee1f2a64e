import Trove

/// A title and a length, as a value.
@Model
struct Item {
    var id: ObjectID
    var title: String
    var seconds: Int
}

extension Item {
    init(number: Int) {
        self.init(id: ItemData.id(number), title: ItemData.title(number), seconds: ItemData.seconds(number))
    }
}
