/// An open store of items.
///
/// As with ``SongStore``, what a call needs to have ready is made outside of the closure that is measured.
protocol ItemStore: Sendable {
    /// Makes the items with these numbers and returns what stores them in one transaction; their ids are above all that are stored.
    func insertion(of numbers: Range<Int>) throws -> () throws -> Void

    /// Reads all items into memory and returns what adds them up.
    func fetchAll() throws -> () -> Tally

    /// Returns what reads all items and stores every `step`th of them ``ItemData/change`` seconds longer, in one transaction.
    func lengthening(every step: Int) throws -> () throws -> Void

    /// Returns what deletes the items with these numbers in one transaction.
    func deletion(of numbers: [Int]) throws -> () throws -> Void

    /// Does one operation in a transaction of its own and adds what it has read.
    func perform(_ operation: ItemOperation, _ tally: inout Tally) throws

    /// What is stored, read anew: not what the store's objects say that they are.
    func readBack() throws -> Tally

    /// The number of items.
    func count() throws -> Int

    func close() throws
}

extension ItemStore {
    func readBack() throws -> Tally { try fetchAll()() }
}
