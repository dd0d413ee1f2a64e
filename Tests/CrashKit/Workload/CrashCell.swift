import Foundation
import Trove

/// What the transactions of a crash round change: a record with entries in two indexes and in the reverse index of what points where,
/// each a key of its own in the engine. Deleting one changes those that point at it.
@Model
struct CrashCell: Hashable {
    var id: Int
    @Attribute(.indexed) var group: Int
    @Attribute(.indexed) var label: String
    var neighbour: Reference<CrashCell>?
    var payload: Data
    /// Apart from the record when it is not small.
    var attachment: Lazy<Data>
}
