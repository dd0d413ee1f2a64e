import Trove

/// Says that a transaction is in the store: each writes one, numbered in the order of the commits.
@Model
struct CrashTicket: Hashable {
    var id: Int
    var writer: Int
    var number: Int
}
