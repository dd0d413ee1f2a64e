extension Array {
    /// Takes references out, in all their places.
    @inlinable mutating func remove<Target>(_ gone: Set<Element>) where Element == Reference<Target> {
        // Most often it is one, which takes less time to compare with than to look up.
        if gone.count == 1, let only = gone.first {
            removeAll { $0 == only }
        } else {
            removeAll { gone.contains($0) }
        }
    }
}
