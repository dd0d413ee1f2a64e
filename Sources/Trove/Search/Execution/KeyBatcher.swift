/// Makes batches of keys that come one by one, small ones first, so that a reader that stops early has not made the store read much.
struct KeyBatcher {
    static let maxSize = 1_024
    private static let firstSize = 32

    private var window: ResultWindow?
    private var batch = KeyList()
    private var size = firstSize
    private var isStopped = false

    /// - Parameter window: the results to pass on, where each key is a result; nil when that is not known yet.
    init(_ window: ResultWindow?) {
        self.window = window
    }

    /// Adds a key, and hands the batch to `body` when it is full.
    @inline(__always)
    mutating func add(_ key: RawSpan, _ body: (KeyList) throws -> ScanStep) throws -> ScanStep {
        if window != nil {
            let step = window?.pass {
                batch.append(key)
                return .next
            }
            // The last one of the window is in the batch, which `finish` hands on.
            if step == .stop { return .stop }
        } else {
            batch.append(key)
        }
        guard batch.count >= size else { return .next }
        size = min(Self.maxSize, size * 2)
        return try flush(body)
    }

    /// Hands on what is left, unless `body` has had enough.
    mutating func finish(_ body: (KeyList) throws -> ScanStep) throws {
        if !batch.isEmpty, !isStopped { _ = try flush(body) }
    }

    private mutating func flush(_ body: (KeyList) throws -> ScanStep) throws -> ScanStep {
        let step = try body(batch)
        isStopped = step == .stop
        batch.removeAll()
        return step
    }
}
