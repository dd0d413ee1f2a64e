/// The place of an object in the order of a query.
///
/// It stays right whatever is written meanwhile, also when its own object is deleted.
struct QueryPlace: Sendable, Hashable {
    /// The object's values by the query's sort, as ``SortEncoder`` writes them, then the bytes of its id.
    let bytes: [UInt8]
    /// How many of the bytes are those of the sort.
    let sortSize: Int

    var sort: ArraySlice<UInt8> { bytes[..<sortSize] }
    var key: ArraySlice<UInt8> { bytes[sortSize...] }

    init(_ bytes: [UInt8], sortSize: Int) {
        self.bytes = bytes
        self.sortSize = sortSize
    }
}
