/// A record whose coding the compiler writes.
struct CodableSong: GRDBSong, Codable {
    let id: Int64
    let title: String
    let artist: String
    let year: Int
    let rating: Double?
    let duration: Double
}
