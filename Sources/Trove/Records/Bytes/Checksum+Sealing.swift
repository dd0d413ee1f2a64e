/// Values that begin with a checksum of the rest: those of blobs and of the application's metadata.
extension Checksum {
    /// How many bytes the checksum takes.
    static let size = 8

    /// The checksum of the bytes, then they.
    static func sealed(_ buffer: UnsafeRawBufferPointer, seed: UInt64) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size + buffer.count) { bytes, count in
            let all = UnsafeMutableRawBufferPointer(bytes)
            all.storeBytes(of: hash(buffer, seed: seed).littleEndian, as: UInt64.self)
            UnsafeMutableRawBufferPointer(rebasing: all[size...]).copyMemory(from: buffer)
            count = size + buffer.count
        }
    }

    /// Calls `body` with the bytes of a sealed value; with nil when the checksum does not fit them.
    static func withBody<Result>(of value: RawSpan, seed: UInt64, _ body: (UnsafeRawBufferPointer?) throws -> Result) rethrows -> Result {
        try value.withUnsafeBytes { buffer in
            guard buffer.count >= size else { return try body(nil) }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[size...])
            let isWhole = UInt64(littleEndian: buffer.loadUnaligned(as: UInt64.self)) == hash(bytes, seed: seed)
            return try body(isWhole ? bytes : nil)
        }
    }
}
