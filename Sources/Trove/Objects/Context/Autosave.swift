/// When a context saves by itself.
///
/// Such saves run on a thread of the context's own. Their errors go to ``ContextOptions/onError``; the changes stay and are tried again
/// with the next ones.
public struct Autosave: Sendable, Hashable {
    /// After so many changes of properties, insertions and deletions; nil for never. At least 1.
    public var changeCount: Int?
    /// So long after the first change since the last save; nil for never.
    public var interval: Duration?

    /// Saves after so many changes, and so long after the first; nil for never. A count below 1 is 1.
    public init(changeCount: Int? = nil, interval: Duration? = nil) {
        self.changeCount = changeCount.map { max(1, $0) }
        self.interval = interval
    }

    /// Only ``ObjectContext/save()-swift.method`` saves.
    public static let never = Autosave()

    /// After so many changes of properties, insertions and deletions.
    public static func after(changes count: Int) -> Autosave { Autosave(changeCount: count) }

    /// So long after the first change since the last save.
    public static func every(_ interval: Duration) -> Autosave { Autosave(interval: interval) }
}
