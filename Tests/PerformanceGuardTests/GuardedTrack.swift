import Trove

/// The live object of the guards: one that was saved has a title that costs an allocation, as has the object itself.
@Model
final class GuardedTrack {
    let id: ObjectID
    var title: String
    var seconds: Int

    init(number: Int) {
        id = ObjectID()
        title = "Autumn Leaves, take number \(number)"
        seconds = number
    }
}
