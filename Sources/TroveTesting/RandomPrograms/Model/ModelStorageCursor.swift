import TroveStorage

/// A cursor of the model.
final class ModelStorageCursor: StorageCursor {
    private var place = ModelCursor()
    private let model: () -> SortedModel

    /// A cursor over what `model` gives at each move.
    init(_ model: @escaping () -> SortedModel) { self.model = model }

    func seek(to key: RawSpan) throws -> Bool { place.seek(to: [UInt8](copying: key), in: model()) }
    func seekToLast() throws -> Bool { place.seekToLast(in: model()) }
    func next() throws -> Bool { place.next(in: model()) }
    func previous() throws -> Bool { place.previous(in: model()) }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool {
        guard let entry = place.entry(in: model()) else { return false }
        try body(entry.key.span.bytes, entry.value.span.bytes)
        return true
    }
}
