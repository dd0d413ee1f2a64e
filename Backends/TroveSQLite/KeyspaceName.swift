/// A keyspace's name compared by its bytes. `String` takes names that differ only in Unicode composition for equal.
struct KeyspaceName: Hashable {
    let string: String

    init(_ string: String) { self.string = string }

    static func == (left: KeyspaceName, right: KeyspaceName) -> Bool {
        left.string.utf8.elementsEqual(right.string.utf8)
    }

    func hash(into hasher: inout Hasher) {
        let isHashed: Void? = string.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        if isHashed == nil {
            for byte in string.utf8 { hasher.combine(byte) }
        }
    }
}
