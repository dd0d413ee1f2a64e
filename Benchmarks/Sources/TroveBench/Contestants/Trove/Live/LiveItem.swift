import Trove

/// A title and a length, as a live object.
@Model
final class LiveItem {
    let id: ObjectID
    var title: String
    var seconds: Int

    init(id: ObjectID, title: String, seconds: Int) {
        self.id = id
        self.title = title
        self.seconds = seconds
    }

    convenience init(number: Int) {
        self.init(id: ItemData.id(number), title: ItemData.title(number), seconds: ItemData.seconds(number))
    }
}
