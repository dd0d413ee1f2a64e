extension String {
    /// The text in bytes whose checksum has been checked, so that they are the UTF-8 that was written.
    ///
    /// `String(validating:as:)` would look up four generic types at run time for each string, some 650 instructions (Swift 6.3);
    /// this initializer replaces what is not UTF-8 instead of refusing it, which only a forged record can bring about.
    @inlinable
    init(storedUTF8 bytes: UnsafeRawBufferPointer) {
        self.init(decoding: bytes.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
    }
}
