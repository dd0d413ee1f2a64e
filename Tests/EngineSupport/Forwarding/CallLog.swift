import Synchronization

/// The requirements of the storage protocols that were called, by protocol and name, such as `StorageReader.get(_:in:_:)`.
final class CallLog: Sendable {
    private let calls = Mutex<Set<String>>([])

    var names: Set<String> { calls.withLock { $0 } }

    /// Notes a call; `function` is as `#function` gives it.
    func note(_ type: String, _ function: String) {
        calls.withLock { _ = $0.insert(type + "." + function) }
    }
}
