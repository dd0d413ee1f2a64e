import Foundation
import Trove

/// What control-C does while something can be stopped: the work ends with `CancellationError` where it is safe, and not the program.
enum InterruptSignal {
    /// Raised by the signals. It is made before they are caught, since a handler may make nothing.
    static let interruption = Interruption()
    /// A pipe into which each signal puts a byte, so that one which comes just before a wait for input ends it too.
    private static let bell: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }()

    /// `SIG_IGN`, as the number that it is: pointers to C functions cannot be compared.
    private static let ignoring = unsafeBitCast(SIG_IGN, to: Int.self)

    /// Calls `body`, whose reads and long work the signals stop.
    ///
    /// - Parameter numbers: the signals; what they did before they do again afterwards.
    static func stopping<Result>(_ numbers: [Int32] = [SIGINT], _ body: () throws -> Result) rethrows -> Result {
        let interruption = interruption
        _ = bell
        _ = interruption.lower()
        let before = numbers.map { catching($0) }
        defer { for (number, action) in zip(numbers, before) { restore(number, action) } }
        return try Interruption.$current.withValue(interruption) { try body() }
    }

    /// Calls `body`, which goes on until it is told to end: outside of a shell, which catches control-C itself, signals end it as they end a line of the shell.
    ///
    /// `body` asks ``isStopped`` between its rounds, and waits for them by ``wait(_:)``.
    static func goingOn<Result>(_ body: () throws -> Result) rethrows -> Result {
        try ShellSession.current == nil ? stopping([SIGINT, SIGTERM, SIGHUP], body) : body()
    }

    /// Whether a signal has come that ends what goes on.
    static var isStopped: Bool { Interruption.current?.isRaised == true }

    /// Waits so many seconds, which may be infinite, or until ``isStopped``.
    static func wait(_ seconds: Double) {
        let end = ContinuousClock.now + .seconds(min(seconds, 3e9))
        while !isStopped {
            let rest = ContinuousClock.now.duration(to: end) / .seconds(1)
            guard rest > 0 else { return }
            var waiting = [pollfd(fd: bell.reading, events: Int16(POLLIN), revents: 0)]
            _ = poll(&waiting, 1, Int32(min(60_000, max(1, rest * 1_000))))
            if waiting[0].revents != 0 { silence() }
        }
    }

    /// Takes the bytes out of the bell.
    private static func silence() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while Foundation.read(bell.reading, &bytes, bytes.count) > 0 {}
    }

    /// Waits until standard input has something to read, or has ended; false when a signal came first.
    static func waitForInput() -> Bool {
        while true {
            var waiting = [pollfd(fd: bell.reading, events: Int16(POLLIN), revents: 0), pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
            _ = poll(&waiting, nfds_t(waiting.count), -1)
            if waiting[0].revents != 0 { silence() }
            if interruption.lower() { return false }
            if waiting[1].revents != 0 { return true }
        }
    }

    /// What a signal does. It may come on any thread, and whatever the call that it breaks off finds in `errno` stays.
    private static func ring() {
        let code = errno
        interruption.raise()
        var byte: UInt8 = 1
        _ = Foundation.write(bell.writing, &byte, 1)
        errno = code
    }

    /// Lets a signal raise the interruption, unless whoever started the program has it ignored, as nohup does; returns what it did before.
    private static func catching(_ number: Int32) -> sigaction {
        var (action, before) = (sigaction(), sigaction())
        sigaction(number, nil, &before)
        #if canImport(Darwin)
            guard before.__sigaction_u.__sa_handler.map({ unsafeBitCast($0, to: Int.self) }) != ignoring else { return before }
            action.__sigaction_u.__sa_handler = { _ in InterruptSignal.ring() }
        #else
            guard before.__sigaction_handler.sa_handler.map({ unsafeBitCast($0, to: Int.self) }) != ignoring else { return before }
            action.__sigaction_handler.sa_handler = { _ in InterruptSignal.ring() }
        #endif
        sigemptyset(&action.sa_mask)
        sigaction(number, &action, nil)
        return before
    }

    private static func restore(_ number: Int32, _ action: sigaction) {
        var action = action
        sigaction(number, &action, nil)
    }
}
