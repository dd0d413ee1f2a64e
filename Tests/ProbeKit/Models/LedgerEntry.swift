import Foundation
import Trove

/// One record of a numbered transaction: see ``Ledger``.
@Model
struct LedgerEntry: Hashable {
    var id: Int
    var batch: Int
    var payload: Data

    static func sample(_ id: Int, batch: Int, size: Int) -> LedgerEntry {
        LedgerEntry(id: id, batch: batch, payload: .seeded(id, count: size))
    }
}
