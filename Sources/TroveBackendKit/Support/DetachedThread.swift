#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A thread that nobody joins. Unlike Foundation's it says when the system has none left, which a caller that waits for its work has to know.
public enum DetachedThread {
    /// What the thread runs, as the system hands it on.
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a thread of its own; returns 0, or the system's number of the error when there is none.
    ///
    /// - Parameter stackSize: the bytes of its stack, of which only those that are used take memory.
    public static func start(stackSize: Int, _ body: @escaping @Sendable () -> Void) -> Int32 {
        var attributes = pthread_attr_t()
        let code = pthread_attr_init(&attributes)
        if code != 0 { return code }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // The thread takes the work over, and lets it go when it has ended.
        let work = Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
        var thread: pthread_t?
        let outcome = pthread_create(&thread, &attributes, { DetachedThread.run($0) }, work.toOpaque())
        #else
        var thread = pthread_self()
        let outcome = pthread_create(&thread, &attributes, { $0.flatMap { DetachedThread.run($0) } }, work.toOpaque())
        #endif
        if outcome != 0 { work.release() }
        return outcome
    }

    private static func run(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
    }
}
