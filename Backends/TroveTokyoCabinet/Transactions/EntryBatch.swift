/// Entries that a scan has copied and not yet handed out.
final class EntryBatch {
    /// Where the entries' bytes are: key, then value.
    private struct Place {
        let offset: Int
        let keySize: Int
        let valueSize: Int
    }

    private let buffer = EntryBuffer(capacity: 16 << 10)
    private var places: [Place] = []

    /// How many entries a full batch holds; it grows while a scan goes on, so that a short one copies little.
    var limit = 8
    /// The bytes above which a batch is full.
    private static let maxSize = 64 << 10
    private static let maxLimit = 512

    var count: Int { places.count }
    var isFull: Bool { places.count >= limit || buffer.count >= Self.maxSize }

    func removeAll() {
        places.removeAll(keepingCapacity: true)
        buffer.removeAll()
    }

    func grow() { limit = min(limit * 4, Self.maxLimit) }

    @inline(__always)
    func append(key: UnsafeRawPointer, _ keySize: Int, value: UnsafeRawPointer, _ valueSize: Int) {
        let offset = buffer.append(key, keySize)
        buffer.append(value, valueSize)
        places.append(Place(offset: offset, keySize: keySize, valueSize: valueSize))
    }

    /// The stored key at `index`, prefix included.
    @inline(__always)
    func storedKey(at index: Int) -> UnsafeRawBufferPointer {
        let place = places[index]
        return buffer.bytes(at: place.offset, place.keySize)
    }

    /// The key without the prefix, and the value.
    @inline(__always)
    func entry(at index: Int) -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        let place = places[index]
        return (
            buffer.bytes(at: place.offset + KeyPrefix.size, place.keySize - KeyPrefix.size),
            buffer.bytes(at: place.offset + place.keySize, place.valueSize)
        )
    }
}
