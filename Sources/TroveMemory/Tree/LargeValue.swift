/// A value too long for a node's page, in memory of its own. Never changes, so versions of a node share it.
final class LargeValue: Sendable {
    let bytes: [UInt8]

    init(copying source: UnsafeRawBufferPointer) {
        bytes = [UInt8](source)
    }
}
