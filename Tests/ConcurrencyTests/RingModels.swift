import Trove

/// An entry of a ring, as a value.
@Model
struct RingValue {
    var id: Int
    var next: Int
}

/// An entry of a ring, as a live object.
@Model
final class RingNode {
    let id: Int
    var next: Int

    init(id: Int, next: Int) {
        self.id = id
        self.next = next
    }
}

/// An account, as a live object.
@Model
final class Purse {
    let id: Int
    var balance: Int

    init(id: Int, balance: Int) {
        self.id = id
        self.balance = balance
    }
}
