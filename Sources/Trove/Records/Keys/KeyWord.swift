/// A key as a word, with its number in a list.
struct KeyWord: WordSorted {
    let word: UInt128
    let number: Int

    /// - Parameter key: At most 16 bytes. Words of keys of one width are in the order of the keys.
    @inline(__always)
    init(_ key: UnsafeRawBufferPointer, number: Int) {
        (word, self.number) = (UInt128(firstBytes: key), number)
    }
}
