/// The number of a document as it is kept under its record key: a checksum and the number.
enum DocumentNumber {
    static func encode(_ number: UInt64, recordKey: UnsafeBufferPointer<UInt8>, _ value: inout ByteWriter) {
        value.count = 0
        value.append(UInt32(0))
        value.append(varint: number)
        let rest = UnsafeRawBufferPointer(start: value.base + FullTextFormat.checksumSize, count: value.count - FullTextFormat.checksumSize)
        let checksum = FullTextFormat.checksum(of: rest, key: UnsafeRawBufferPointer(recordKey))
        value.base.storeBytes(of: checksum.littleEndian, as: UInt32.self)
    }

    static func decode(_ value: RawSpan, recordKey: UnsafeRawBufferPointer, _ index: InvertedIndex) throws -> UInt64 {
        try value.withUnsafeBytes { value in
            var offset = 0
            guard let rest = FullTextFormat.checked(value, key: recordKey), let number = Varint.read(rest, &offset), offset == rest.count else {
                throw index.corrupt("the number of a document is damaged; rebuild the index")
            }
            return number
        }
    }
}
