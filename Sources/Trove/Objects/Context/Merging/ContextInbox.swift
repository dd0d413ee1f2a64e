/// What other contexts have saved since a context looked last.
struct ContextInbox {
    /// How many keys are kept; of more changes it is only known that there were some.
    private static let maxCount = 100_000

    /// The objects concerned; nil when there were too many to tell.
    private var keys: Set<ObjectKey>? = []
    /// Whether a merge is about to run by itself.
    var isQueued = false

    mutating func add(_ new: some Sequence<ObjectKey>) {
        keys?.formUnion(new)
        if let keys, keys.count > Self.maxCount { self.keys = nil }
    }

    /// Everything in it, which leaves it empty.
    mutating func take() -> Set<ObjectKey>? {
        defer { keys = [] }
        return keys
    }

    /// Puts back what could not be dealt with.
    mutating func putBack(_ old: Set<ObjectKey>?) {
        if let old { add(old) } else { keys = nil }
    }
}
