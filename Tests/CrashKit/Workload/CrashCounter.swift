import Trove

/// How many tickets there are, changed by every transaction.
@Model
struct CrashCounter: Hashable {
    var id: Int
    var value: Int
}
