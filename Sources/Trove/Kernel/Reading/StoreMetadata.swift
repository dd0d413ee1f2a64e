/// The application's own values beside the objects, by key, in the snapshot of a transaction.
///
/// The keys are told apart by their bytes, as in the store: an é of one scalar and one of two are two keys, though Swift calls them equal. They ascend by their bytes.
public struct StoreMetadata: Sendable {
    private let entries: [(key: String, value: StoredValue)]

    /// - Parameter entries: in the order of the keys' bytes.
    init(_ entries: [(key: String, value: StoredValue)]) { self.entries = entries }

    /// The value under a key; nil when there is none.
    ///
    /// - Complexity: O(*n*).
    public subscript(key: String) -> StoredValue? { entries.first { $0.key.hasBytes(of: key) }?.value }

    /// The keys.
    public var keys: [String] { entries.map(\.key) }

    /// The values, in the order of the keys.
    public var values: [StoredValue] { entries.map(\.value) }
}

extension StoreMetadata: RandomAccessCollection {
    public var startIndex: Int { entries.startIndex }
    public var endIndex: Int { entries.endIndex }

    public subscript(position: Int) -> (key: String, value: StoredValue) { entries[position] }
}

extension StoreMetadata: Equatable {
    public static func == (left: StoreMetadata, right: StoreMetadata) -> Bool {
        left.elementsEqual(right) { $0.key.hasBytes(of: $1.key) && $0.value == $1.value }
    }
}
