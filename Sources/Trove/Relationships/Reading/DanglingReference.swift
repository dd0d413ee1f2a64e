/// A reference that points at an object which is not stored.
///
/// There may be such: objects are saved in any order, and ``DeleteRule/noAction`` leaves references behind.
public struct DanglingReference: Sendable, Hashable, CustomStringConvertible {
    /// The object and field that have the reference.
    public let source: ReferenceSource
    /// What it points at.
    public let target: AnyReference

    public var description: String { "\(source) points at \(target), which is not stored" }
}
