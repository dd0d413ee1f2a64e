import Trove

/// A column of an answer.
struct Column: Equatable {
    let name: String
    /// The type of its values, in Swift's writing; nil where that says nothing.
    let type: String?
    /// Whether the name is one that the store's data has, not one of the program's.
    let isData: Bool

    init(_ name: String, type: String? = nil, isData: Bool = false) {
        self.name = name
        self.type = type
        self.isData = isData
    }
}

/// Rows of values being written in some format.
protocol Sheet: AnyObject {
    /// Writes a row with a value for each column; nil where there is none, which JSON leaves out.
    func add(_ row: [StoredValue?]) throws
    /// Writes what stands behind the last row. No row comes after it.
    func finish() throws
}
