#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What a relationship of an object in no context holds.
///
/// Objects that hold each other in a chain are freed one after the other, not each inside of the end of the one before, for which the stack of a
/// thread would have to be as long as the chain.
///
/// It is `@unchecked Sendable` because nothing changes it before its end.
@usableFromInline final class HeldObjects<Value: LiveRelationship>: @unchecked Sendable {
    @usableFromInline private(set) var value: Value?

    @usableFromInline init(_ value: Value) {
        self.value = value
    }

    deinit { ReleaseQueue.release(&value) }
}

/// What one thread has to let go of.
private final class ReleaseQueue {
    private var values: [Any] = []

    /// Where a thread has its queue while it lets go of values; the queue lives in the call of ``release(_:)`` that made it.
    private static let place: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Lets go of a value: at once, or, when this is called because another value ends, as soon as that has ended.
    static func release<Value>(_ value: inout Value?) {
        if let running = pthread_getspecific(place) {
            return Unmanaged<ReleaseQueue>.fromOpaque(running).takeUnretainedValue().take(&value)
        }
        let queue = ReleaseQueue()
        pthread_setspecific(place, Unmanaged.passUnretained(queue).toOpaque())
        queue.take(&value)
        while queue.letGoOfLast() {}
        pthread_setspecific(place, nil)
    }

    /// No copy of the value may outlive this call.
    private func take<Value>(_ value: inout Value?) {
        guard let last = value else { return }
        values.append(last)
        value = nil
    }

    /// Returns false when there is none. Its end may add others.
    private func letGoOfLast() -> Bool {
        if values.isEmpty { return false }
        let last = values.removeLast()
        withExtendedLifetime(last) {}
        return true
    }
}
