/// An open store of songs.
///
/// What a call needs to have ready is made first, outside of the time that is measured: methods that read or write many
/// songs return the work as a closure.
protocol SongStore: Sendable {
    /// Makes the songs with these numbers and returns what stores them in one transaction.
    func insertion(of numbers: Range<Int>) throws -> () throws -> Void

    /// Returns what reads one byte of every song, without making objects.
    func scan() throws -> () throws -> Tally

    /// Makes the ids of these songs and returns what reads each whole, in one snapshot or in one each.
    func reading(_ numbers: [Int], oneSnapshotEach: Bool) throws -> () throws -> Tally

    /// Reads all songs into an array and returns what adds them up.
    func fetchAll() throws -> () -> Tally

    /// Reads all songs one after the other, without keeping them.
    func stream() async throws -> Tally

    /// Stores the song with this number, in a transaction of its own.
    func save(_ number: Int) async throws

    /// The number of songs.
    func count() throws -> Int

    func close() throws
}
