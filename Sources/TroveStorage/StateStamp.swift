/// Stands for one state of a store; see ``StorageReader/stateStamp``.
///
/// An engine makes it of whatever tells its states apart, such as a number of the open engine and one of the commit.
public struct StateStamp: Hashable, Sendable {
    private let first: UInt64
    private let second: UInt64

    /// A stamp of two numbers that no other state of the store has together.
    public init(_ first: UInt64, _ second: UInt64) {
        self.first = first
        self.second = second
    }
}
